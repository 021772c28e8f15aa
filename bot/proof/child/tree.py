"""The tree child: import upstream from one tree, collect once, then fork for each (test, run, rank)."""

import hashlib
import importlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from bot.proof.child import channel, faults, outcome, plugin, processes
from bot.proof.child.job import Job

Report = Callable[[channel.Message], None]


class NotTheTree(Exception):  # noqa: N818 (it says what was found)
    """A module under test is not from the tree, or has other bytes than expected."""


def run(job: Job, end: socket.socket) -> None:
    """Do the whole job in this process and its forks; whatever upstream raises is reported on `end`."""
    processes.adopt_orphans()
    processes.die_with_parent()
    silence()

    def report(message: channel.Message) -> None:
        channel.send(end, message)

    failed = prepare(job)
    if failed:
        report({"about": "all", "outcome": failed})
        return
    report({"about": "ready"})
    try:
        collect_and_run(job, report)
    except BaseException as error:  # noqa: BLE001 (upstream code may have broken anything that pytest stands on)
        report({"about": "all", "outcome": outcome.of_exception("missing", error, "the collection broke")})


def silence() -> None:
    """Give upstream code's own output nowhere to go: results never travel there."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def prepare(job: Job) -> outcome.Outcome | None:
    """Import what is under test and confirm it; return the outcome of every test when that fails."""
    sys.dont_write_bytecode = True
    for name in job.stubs:
        sys.modules[name] = None  # type: ignore[assignment]  # an import then says that it is absent
    sys.path.insert(0, job.root)
    try:
        for name in job.imports:
            importlib.import_module(name)
        confirm_files(job)
    except BaseException as error:  # noqa: BLE001 (whatever an import raises, this process is spoilt and says so)
        return outcome.of_exception("import_error", error)
    absent = [symbol for file, symbol in job.anchors if not has_symbol(job, file, symbol)]
    if absent:
        return outcome.make("symbol_missing", f"{', '.join(absent)} is not there")
    return None


def confirm_files(job: Job) -> None:
    """Raise NotTheTree unless every imported file under test is the expected blob of this tree."""
    for path, blob in job.blobs.items():
        module = module_at(job, path)
        if module is None:
            raise NotTheTree(f"{path} was not imported from the tree")
        if blob_id(Path(str(module.__file__)).read_bytes(), len(blob)) != blob:
            raise NotTheTree(f"{path} is not the expected blob")


def module_at(job: Job, path: str) -> ModuleType | None:
    """The imported module whose file is `path` in the tree."""
    wanted = os.path.realpath(Path(job.root, path))
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and os.path.realpath(file) == wanted:
            return module
    return None


def blob_id(data: bytes, digits: int) -> str:
    """Git's id of a blob, SHA-1 or SHA-256 by its number of digits."""
    algorithm = hashlib.sha1 if digits == 40 else hashlib.sha256  # noqa: PLR2004 (git's own ids)
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()


def has_symbol(job: Job, file: str, symbol: str) -> bool:
    found: object = module_at(job, file)
    for part in symbol.split("."):
        found = getattr(found, part, None)
    return found is not None


def collect_and_run(job: Job, report: Report) -> None:
    """Let pytest collect the files of all units once; its run loop then forks."""
    files = sorted({unit.test.split("::", 1)[0] for unit in job.units})
    arguments = [
        f"--rootdir={job.tests}", f"--confcutdir={job.tests}", "-c", f"{job.tests}/pytest.ini",
        "--import-mode=importlib", "--tb=native", "-p", "no:cacheprovider", "-p", "no:faulthandler",
        "-s", "-q",
        *(f"{job.tests}/{file}" for file in files),
    ]  # fmt: skip
    code = pytest.main(arguments, plugins=[plugin.Plugin(job, report), faults])
    report(
        {
            "about": "all",
            "outcome": outcome.make("missing", f"pytest ended early, exit code {code}"),
        }
    )
