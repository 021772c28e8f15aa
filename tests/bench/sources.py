"""Where the bench has real code from: a local clone, else released wheels through the bot's own store."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bot import catalog, config, survey, upstream
from bot.errors import BotError
from bot.model import Patch, Subject
from bot.proof import environments

ROOT = Path(__file__).parents[2]
PATCH = "make-weakref"
BRANCHES = ("main", "dev", "core_r0.19.0")
RELEASES = ("pypi/0.19.0", "pypi/0.19.2")


@dataclass(frozen=True, kw_only=True)
class Source:
    """Real branches of an upstream, the patch that is proven on them, and its environment's interpreter.

    `kept` is a cache with what no measured run has to fetch or build.
    """

    spec: str
    branches: tuple[str, ...]
    patch: Patch
    python: Path
    subjects: tuple[Subject, ...]
    store: Path
    kept: Path


def find(place: Path, *, quick: bool) -> Source:
    """Open the upstream that this machine has. Raises BotError when there is none, or no environment."""
    settings = config.read()
    spec, branches = named(settings.upstream)
    branches = branches[:1] if quick else branches
    patch = catalog.load(tests_only(ROOT / "patches", place), PATCH)
    kept = place / "kept"
    environment = environments.find(patch, settings.cache)
    source = upstream.open_upstream(spec, cache=kept, notice=lambda _text: None)
    refs = source.fetch(source.find(branches, ()))
    lacking = [f"{ref.name}: {ref.problem or 'it is not there'}" for ref in refs if not ref.head]
    if lacking:
        raise BotError(f"{spec} lacks what is to be measured: {', '.join(lacking)}", "")
    (kept / "environments").symlink_to(settings.cache / "environments")
    return Source(
        spec=spec,
        branches=branches,
        patch=patch,
        python=environment.python,
        subjects=survey.subjects(source.store, patch, refs, has_history=source.has_history),
        store=source.store.path,
        kept=kept,
    )


def named(clone: str) -> tuple[str, tuple[str, ...]]:
    """The upstream to open and its affected branches."""
    return (str(Path(clone).absolute()), BRANCHES) if clone else ("pypi:megatron-core", RELEASES)


def tests_only(patches: Path, place: Path) -> Path:
    """A copy of the patches that leaves out what the measured row does not name.

    DESIGN 8 speaks of fake and gloo ranks: fresh processes (torchrun) and static checks are left out.
    """
    made = place / "patches"
    shutil.copytree(patches, made, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = made / PATCH / "patch.yml"
    whole: dict[str, Any] = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    whole["probes"] = [probe for probe in whole["probes"] if probe["launcher"] in ("fake", "gloo")]
    whole.pop("checks", None)
    manifest.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
    return made


def lay_out(source: Source, place: Path) -> dict[tuple[str, str], Path]:
    """Write both trees of every branch with `git archive`; by branch and side."""
    made: dict[tuple[str, str], Path] = {}
    for subject in source.subjects:
        for side, tree in (("before", subject.before_tree), ("after", subject.after_tree)):
            assert tree, f"the patch does not apply to {subject.name}: {subject.row.detail}"
            folder = place / f"{len(made)}-{side}"
            folder.mkdir()
            archive(source, tree, folder)
            made[subject.name, side] = folder
    return made


def archive(source: Source, tree: str, folder: Path) -> None:
    paths = source.patch.manifest.environment.checkout
    env = os.environ | {"GIT_DIR": str(source.store)}
    packed = subprocess.run(["git", "archive", tree, *paths], env=env, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
