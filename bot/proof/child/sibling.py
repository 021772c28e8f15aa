"""A sibling: confirm what was imported, collect once, then fork for each (test, run, rank)."""

import hashlib
import os
import socket
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bot.proof.child import channel, faults, outcome, plugin
from bot.proof.child.job import Family, Sibling


class NotTheTree(Exception):  # noqa: N818 (it says what was found)
    """A module under test is not from the tree, or has other bytes than expected."""


def run(family: Family, mine: Sibling, end: socket.socket, failed: outcome.Outcome | None) -> None:
    """Do one tree's job, and never return; whatever upstream raises is reported on `end`."""

    def report(message: channel.Message) -> None:
        channel.send(end, message)

    try:
        failed = failed or confirm(family, mine)
        if failed is None:
            report({"about": "ready"})
            code = collect_and_run(family, mine, plugin.Plugin(family, mine, report))
            failed = outcome.make("missing", f"pytest ended early, exit code {code}")
        report({"about": "all", "outcome": failed})
    except BaseException as error:  # noqa: BLE001 (upstream code may have broken anything that pytest stands on)
        report({"about": "all", "outcome": outcome.of_exception("missing", error, "the collection broke")})
    finally:
        os._exit(0)


def confirm(family: Family, mine: Sibling) -> outcome.Outcome | None:
    """Hold that imported files are this tree's and have the anchors; if not, return everybody's outcome."""
    try:
        for path, blob in mine.blobs.items():
            confirm_file(mine, path, blob)
    except (NotTheTree, OSError) as error:
        return outcome.of_exception("import_error", error)
    absent = [symbol for file, symbol in family.anchors if not has_symbol(mine.files.get(file, file), symbol)]
    return outcome.make("symbol_missing", f"{', '.join(absent)} is not there") if absent else None


def confirm_file(mine: Sibling, path: str, blob: str) -> None:
    """Raise NotTheTree unless the imported file is the expected blob of this tree."""
    module = module_at(mine.files[path])
    if module is None:
        raise NotTheTree(f"{path} was not imported from the tree")
    if blob_id(Path(str(module.__file__)).read_bytes(), len(blob)) != blob:
        raise NotTheTree(f"{path} is not the expected blob")


def module_at(file: str) -> ModuleType | None:
    """The imported module that has this file."""
    wanted, name = os.path.realpath(file), Path(file).name
    for module in list(sys.modules.values()):
        place = getattr(module, "__file__", None)
        if isinstance(place, str) and place.endswith(name) and os.path.realpath(place) == wanted:
            return module
    return None


def blob_id(data: bytes, digits: int) -> str:
    """Git's id of a blob, SHA-1 or SHA-256 by its number of digits."""
    algorithm = hashlib.sha1 if digits == 40 else hashlib.sha256  # noqa: PLR2004 (git's own ids)
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()


def has_symbol(file: str, symbol: str) -> bool:
    found: object = module_at(file)
    for part in symbol.split("."):
        found = getattr(found, part, None)
    return found is not None


def collect_and_run(family: Family, mine: Sibling, ours: plugin.Plugin) -> int:
    """Let pytest collect the files of all units once; its run loop then forks. Returns pytest's exit code."""
    files = sorted({unit.test.split("::", 1)[0] for unit in mine.units})
    named = [f"{family.tests}/{file}" for file in files]
    with pytest.MonkeyPatch.context() as patch:
        forget_imports(patch)
        return pytest.main([*arguments(family.tests), *named], plugins=[ours, faults])


def forget_imports(patch: pytest.MonkeyPatch) -> None:
    """Take back what upstream's import may have done to pytest's own settings and streams."""
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        patch.delenv(name)
    patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__


def rehearse(work: Path) -> None:
    """Run pytest once on nothing much, so that forks find all of its parts imported."""
    root = work / "rehearsal"
    root.mkdir()
    (root / "pytest.ini").write_text("[pytest]\n", encoding="ascii")
    (root / "test_nothing.py").write_text("def test_nothing():\n    assert True\n", encoding="ascii")
    pytest.main([*arguments(str(root)), "--collect-only", str(root)])


def arguments(tests: str) -> list[str]:
    """What makes pytest read our configuration only, from our root, and write nothing."""
    return [
        f"--rootdir={tests}", f"--confcutdir={tests}", "-c", f"{tests}/pytest.ini",
        "--import-mode=importlib", "--tb=native", "-p", "no:cacheprovider", "-p", "no:faulthandler",
        "-s", "-q",
    ]  # fmt: skip
