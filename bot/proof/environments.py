"""The patch's locked environment: this interpreter when it meets the lock, else the one `env` built."""

import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bot import proc
from bot.catalog import lock
from bot.errors import BotError
from bot.model import Patch, Value
from bot.proof import engine, locks

LOCK = "requirements.txt"
RECORD = "installed.json"


class Environment(Value, frozen=True, kw_only=True):
    """An interpreter that meets the lock. `facts` go into the evidence: no path, no variable, no secret."""

    python: Path
    facts: dict[str, Any]
    sha256: str


def find(patch: Patch, cache: Path) -> Environment:
    """Return the environment for the patch's probes. Raises BotError when none satisfies the lock."""
    wanted = lock.read(patch.folder / LOCK)
    check_python(patch)
    own = installed(wanted)
    if not lock.unsatisfied(wanted, own):
        return describe(patch, Path(sys.executable), {name: own[name] for name in wanted})
    folder = place(patch, cache)
    built = read_record(folder / RECORD)
    if built is not None and not lock.unsatisfied(wanted, built):
        return describe(patch, folder / "bin" / "python", {name: built[name] for name in wanted})
    lacking = ", ".join(lock.unsatisfied(wanted, own))
    raise BotError(
        f"the locked environment of {patch.id} is not here: {lacking}",
        f"build it once with `upstream-bot env {patch.id}`",
    )


def check_python(patch: Patch) -> None:
    from packaging.specifiers import SpecifierSet

    wanted, here = patch.manifest.environment.python, platform.python_version()
    if not SpecifierSet(wanted).contains(here, prereleases=True):
        raise BotError(
            f"{patch.id} needs Python {wanted}; this is {here}", "run upstream-bot with such a Python"
        )


def installed(names: Iterable[str]) -> dict[str, str]:
    """Versions of the named distributions in this interpreter, read without importing any of them."""
    listed = names_of_folders()
    found = {name: listed.get(name) or told_version(name) for name in names}
    return {name: version for name, version in found.items() if version}


def names_of_folders() -> dict[str, str]:
    """Versions by normalised name as the folders `<name>-<version>.dist-info` say it; the first one counts.

    https://packaging.python.org/en/latest/specifications/recording-installed-packages/
    """
    found: dict[str, str] = {}
    for place in filter(os.path.isdir, sys.path):
        for folder in os.listdir(place):
            name, dash, version = folder.removesuffix(".dist-info").rpartition("-")
            if dash and folder.endswith(".dist-info"):
                found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), version)
    return found


def told_version(name: str) -> str:
    """What the metadata says where no folder tells it."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def describe(patch: Patch, python: Path, packages: Mapping[str, str]) -> Environment:
    facts: dict[str, Any] = {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": f"{sys.platform}-{platform.machine()}",
        "packages": dict(sorted(packages.items())),
        "lock_sha256": hashlib.sha256((patch.folder / LOCK).read_bytes()).hexdigest(),
        "harness_sha256": harness_sha256(),
    }
    digest = hashlib.sha256(msgspec.json.encode(facts, order="sorted")).hexdigest()
    return Environment(python=python, facts=facts, sha256=digest)


def harness_sha256() -> str:
    """SHA-256 over the code that runs inside the child, file by file in order of name."""
    digest = hashlib.sha256()
    for path in sorted(engine.HARNESS.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def place(patch: Patch, cache: Path) -> Path:
    """Where `env` builds: one folder for each lock and Python version."""
    key = hashlib.sha256(platform.python_version().encode() + (patch.folder / LOCK).read_bytes())
    return cache / "environments" / f"{patch.id}-{key.hexdigest()[:16]}"


def read_record(path: Path) -> dict[str, str] | None:
    """Versions that `build` saw installed; None when it has not finished there."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return None


def ensure(patch: Patch, cache: Path, say: Callable[[str], None]) -> None:
    """Build the locked environment unless this interpreter meets the lock, or it is there. Raises BotError.

    The record is written last, so an interrupted build is begun again.
    """
    folder = place(patch, cache)
    check_python(patch)
    wanted = lock.read(patch.folder / LOCK)
    if not lock.unsatisfied(wanted, installed(wanted)):
        return
    with locks.held(folder.with_suffix(".lock"), say):
        built = read_record(folder / RECORD)
        if built is None or lock.unsatisfied(wanted, built):
            create(patch, folder, say)


def create(patch: Patch, folder: Path, say: Callable[[str], None]) -> None:
    python = folder / "bin" / "python"
    say(f"making a virtual environment for {patch.id}")
    step([sys.executable, "-m", "venv", "--clear", str(folder)])
    say(f"installing {patch.id}'s {LOCK} (torch is large)")
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--only-binary=:all:"]
    step([*pip, "--requirement", str(patch.folder / LOCK)])
    listed = step([str(python), "-m", "pip", "list", "--disable-pip-version-check", "--format=json"])
    rows = msgspec.json.decode(listed.out, type=list[dict[str, str]])
    record = msgspec.json.encode({row["name"]: row["version"] for row in rows})
    temporary = folder / f"{RECORD}.{os.getpid()}"
    temporary.write_bytes(record)
    temporary.replace(folder / RECORD)


#: pip's own settings (index, certificates, constraints) may come from the environment.
PIP = (
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_CERT",
    "PIP_CONFIG_FILE",
    "PIP_CONSTRAINT",
)


def step(argv: list[str]) -> proc.Completed:
    done = proc.run(argv, env=proc.environment(also=PIP))
    if done.code:
        raise BotError(
            f"{Path(argv[0]).name} failed: {done.complaint}",
            "look at the network and the disk, then run again",
        )
    return done
