"""Cures of the first patch's defect in the real file, judged as anybody's proposals are.

Each test runs once: whether outcomes vary is not the question here. Controls are about the patch's own text,
so they are left out too, and a right cure is `cured_uncontrolled` at best.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import config
from bot.errors import BotError
from bot.upstream import open_upstream
from tests.conftest import Workshop, strays
from tests.proof.cures import PATCH, RIGHT, WRONG, Cure

PATCHES = Path(__file__).parents[2] / "patches"
FILE = "megatron/core/transformer/cuda_graphs.py"
RELEASE = "0.19.2"
CURES = (*WRONG, *RIGHT, PATCH)
#: Seconds for all cures; on a busy machine nearly all of them are waiting.
PATIENCE = 1500

pytestmark = [pytest.mark.proof, pytest.mark.pypi]  # without a clone the wheel is asked for
Seen = dict[str, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where upstream's objects are, which nobody writes to, and the commit that the cures start from."""

    objects: str
    head: str


def run_git(*argv: str, data: bytes | None = None) -> str:
    done = subprocess.run(["git", *argv], input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def origin() -> Origin:
    """The local clone's main branch, or else a release from the package index."""
    place = os.environ.get("UPSTREAM_BOT_UPSTREAM", "")
    if place and Path(place).is_dir():
        objects = run_git("-C", place, "rev-parse", "--path-format=absolute", "--git-path", "objects")
        return Origin(
            objects=objects.strip(), head=run_git("-C", place, "rev-parse", "refs/heads/main").strip()
        )
    try:
        return released()
    except BotError as error:
        pytest.skip(f"no clone in UPSTREAM_BOT_UPSTREAM, and no release of megatron-core: {error.message}")


def released() -> Origin:
    source = open_upstream("pypi:megatron-core", cache=config.cache_directory(os.environ), notice=print)
    (ref,) = source.fetch(source.find([RELEASE], []))
    if ref.head is None:
        raise BotError(f"{ref.name}: {ref.problem}", "look at the package index")
    return Origin(objects=str(source.store.path / "objects"), head=ref.head)


def copy(place: Path) -> None:
    """Make a repository that borrows upstream's objects, with one branch for each cure."""
    begin = origin()
    run_git("init", "--quiet", "--bare", "--initial-branch=main", str(place))
    (place / "objects" / "info" / "alternates").write_text(f"{begin.objects}\n")
    git_dir = f"--git-dir={place}"
    run_git(git_dir, "update-ref", "refs/heads/main", begin.head)
    source = run_git(git_dir, "cat-file", "blob", f"main:{FILE}")
    stream = b"".join(commit(cure, source) for cure in CURES)
    run_git(git_dir, "fast-import", "--quiet", data=stream)


def commit(cure: Cure, source: str) -> bytes:
    """The cure as a commit on main, for git fast-import."""
    text = cure.rewrite(source).encode()
    head = f"commit refs/heads/{cure.branch}\ncommitter Ada <ada@example.org> 1780000000 +0000\n"
    message = f"data {len(cure.name.encode())}\n{cure.name}\n"
    change = f"from refs/heads/main^0\nM 100644 inline {FILE}\ndata {len(text)}\n"
    return f"{head}{message}{change}".encode() + text + b"\n"


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """A copy of upstream with the cures on it; after the last test nothing may be left of their proofs."""
    root = tmp_path_factory.mktemp("cures")
    scratch = root / "tmp"
    scratch.mkdir()
    made = Workshop(root=root, env={"TMPDIR": str(scratch)})
    copy(made.upstream)
    without_style(made.patches)
    yield made
    assert not list(scratch.iterdir()), "a scratch directory was left behind"
    assert not strays(scratch), "a process was left behind"


def without_style(patches: Path) -> None:
    """Copy the patches without the checks of style: fifty runs of pylint say nothing of a cure."""
    shutil.copytree(PATCHES, patches)
    manifest = patches / "make-weakref" / "patch.yml"
    whole = yaml.load(manifest.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 (text only)
    whole["checks"] = [check for check in whole["checks"] if check["id"] == "undefined-names"]
    manifest.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")


def judge(shop: Workshop, *options: str) -> Seen:
    """Judge all cures in one run; what was seen of each, by its branch."""
    asked = [word for cure in CURES for word in ("--proposal", cure.branch)]
    how = (
        "--upstream",
        str(shop.upstream),
        "--base",
        "main",
        "--runs",
        "1",
        "--no-controls",
        "--device",
        "cpu",
    )
    process = shop.start("prove", "make-weakref", *how, *options, "--json", *asked)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, err
    return {target["name"]: target for target in json.loads(out)["targets"]}


@pytest.fixture(scope="session")
def seen(shop: Workshop) -> Seen:
    return judge(shop)


def named(cure: Cure) -> str:
    return cure.name


def test_the_base_has_the_defect_and_takes_the_patch(seen: Seen) -> None:
    assert {target["state"] for target in seen.values()} == {"applies_exact"}
    assert len({target["before_tree"] for target in seen.values()}) == 1
    outcomes = {one["exception"] for row in seen[PATCH.branch]["probes"] for one in row["before"]}
    assert outcomes == {"NameError", "UnboundLocalError", None}  # None: probes that need a GPU


@pytest.mark.parametrize("cure", WRONG, ids=named)
def test_a_wrong_cure_is_told_by_what_notices_it(seen: Seen, cure: Cure) -> None:
    target = seen[cure.branch]
    assert (target["verdict"], cure.noticed in target["reason"]) == (cure.verdict, True), target["reason"]
    assert "; its diff is something else" in target["reason"]


@pytest.mark.parametrize("cure", RIGHT, ids=named)
def test_a_right_cure_in_other_words_is_called_an_equivalent_cure(seen: Seen, cure: Cure) -> None:
    target = seen[cure.branch]
    assert (target["verdict"], cure.noticed in target["reason"]) == (cure.verdict, True), target["reason"]
    assert target["reason"].endswith("; its diff is an equivalent cure")


def test_the_patch_s_own_text_is_called_its_version(seen: Seen) -> None:
    target = seen[PATCH.branch]
    assert target["verdict"] == PATCH.verdict, target["reason"]
    assert target["reason"].endswith("; its diff is the patch's v1")


def test_separate_imports_give_equal_verdicts(shop: Workshop, seen: Seen) -> None:
    apart = judge(shop, "--separate")
    assert {name: told(target) for name, target in apart.items()} == {
        name: told(target) for name, target in seen.items()
    }


def told(target: dict[str, Any]) -> tuple[str, dict[object, list[str]]]:
    """The verdict, and what came out of every test on every rank; the words tell addresses too."""
    rows = [(group, row) for group in ("probes", "keep", "hazards") for row in target[group]]
    return target["verdict"], {
        (group, row["id"], row["rank"], side): [one["outcome"] for one in row[side]]
        for group, row in rows
        for side in ("before", "after")
    }
