"""Run tests on a copy of the sources, with or without a mutation, and say what came out."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.mutate.mutation import ROOT, Mutation

#: All that the tests read.
COPIED = ("bot", "tests", "patches", "pyproject.toml", "README.md")
LITTER = shutil.ignore_patterns(".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis")
#: A mutation may make a test wait for ever: so many seconds beyond three times the usual, it is noticed.
PATIENCE = 30.0


class End(StrEnum):
    """How a run of the tests ended. `broken`: they could not be run, which notices nothing."""

    PASSED = "passed"
    FAILED = "failed"
    HUNG = "hung"
    BROKEN = "broken"


@dataclass(frozen=True, kw_only=True)
class Result:
    end: End
    seconds: float
    told: str

    @property
    def noticed(self) -> bool:
        return self.end in (End.FAILED, End.HUNG)


def copy(to: Path, *, of: Path = ROOT) -> Path:
    """Copy the sources with their times, so that what Python has compiled of them stays good."""
    to.mkdir()
    for name in COPIED:
        source = of / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=LITTER)
        else:
            shutil.copy2(source, to / name)
    return to


def mutated(mutation: Mutation, pristine: Path, to: Path) -> Path:
    """A copy of `pristine` in which one check is switched off."""
    copy(to, of=pristine)
    place = to / mutation.file
    place.write_text(mutation.applied(place.read_text(encoding="utf-8")), encoding="utf-8")
    return to


def run(tests: tuple[str, ...], where: Path, limit: float) -> Result:
    """Run tests in a copy until the first fails; whatever they start runs the copy's code too."""
    scratch = Path(tempfile.mkdtemp(prefix="tmp-", dir=where))
    argv = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    began = time.monotonic()
    process = subprocess.Popen(
        argv,
        cwd=where,
        env=environment(where, scratch),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        out, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        end, out = End.HUNG, f"no end within {limit:.0f} s"
    else:
        end = {0: End.PASSED, 1: End.FAILED}.get(process.returncode, End.BROKEN)
    finally:
        kill(process, scratch)
    return Result(end=end, seconds=time.monotonic() - began, told=tell(end, out))


def environment(where: Path, scratch: Path) -> dict[str, str]:
    """Ours, but the copy's bot comes before the installed one, and no setting of ours is in it."""
    unwanted = ("UPSTREAM_BOT_", "PYTHONDONTWRITEBYTECODE")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    own = {"PYTHONPATH": str(where), "TMPDIR": str(scratch), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return ours | own


def kill(process: "subprocess.Popen[str]", scratch: Path) -> None:
    """Kill what a run left: a mutation can switch off what would have ended it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.fsencode(scratch) in (place / "environ").read_bytes():
                os.kill(int(place.name), signal.SIGKILL)


def tell(end: End, out: str) -> str:
    """The test that failed; the last lines where nothing was run."""
    if end is End.FAILED:
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", out, re.MULTILINE)
        return failed.group(1)[:120] if failed else "a test failed"
    return "" if end is End.PASSED else out[-1500:]
