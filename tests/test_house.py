"""The house rules that a program can hold: import directions, who starts processes, and sizes."""

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "bot"
FILES = sorted(HOUSE.rglob("*.py"))
#: DESIGN 2: a room imports only rooms of a lower level; rooms of one level do not know each other.
LEVELS = (
    {"errors", "model"},
    {"proc"},
    {"config"},
    {"git"},
    {"catalog", "upstream"},
    {"survey", "proof"},
    {"report", "carry"},
    {"sandbox", "github"},
    {"cli"},
    {"__main__"},
)
#: The child harness stands alone.
CHILD = HOUSE / "proof" / "child"


def level(room: str) -> int:
    return next(number for number, rooms in enumerate(LEVELS) if room in rooms)


def room_of(path: Path) -> str:
    first = path.relative_to(HOUSE).parts[0]
    return first.removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, anywhere in it, as a dotted name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_go_downward_only(path: Path) -> None:
    room = room_of(path)
    for name in imported(path):
        match name.split("."):
            case ["bot", other, *_] if any(other in rooms for rooms in LEVELS) and other != room:
                downward = level(other) < level(room) or room == "model"
                assert downward, f"{room} must not import {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_torch_and_pytest_are_imported_in_the_child_only_and_the_child_imports_nothing_of_the_bot(
    path: Path,
) -> None:
    names = set(imported(path))
    roots = {name.split(".")[0] for name in names}
    if path.is_relative_to(CHILD):
        foreign = {
            name for name in names if name.startswith("bot.") and not name.startswith("bot.proof.child")
        }
        assert not foreign
        assert roots.isdisjoint({"msgspec", "yaml", "rich"})
    else:
        assert roots.isdisjoint({"torch", "pytest", "numpy", "triton", "transformer_engine"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_only_the_launcher_and_the_child_start_processes_and_nothing_changes_directory(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    starters = {
        "subprocess.Popen",
        "subprocess.run",
        "subprocess.check_output",
        "os.system",
        "os.fork",
        "os.popen",
        "os.execv",
    }
    if path.name != "proc.py" and not path.is_relative_to(CHILD):
        assert calls.isdisjoint(starters)
    assert calls.isdisjoint({"os.chdir", "os.putenv", "os.environ.update", "os.environ.setdefault"})
    written = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    ]
    assert not any(ast.unparse(node.value) == "os.environ" for node in written)
    shells = [
        kw
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for kw in node.keywords
        if kw.arg == "shell"
    ]
    assert not shells


def test_files_and_functions_stay_small() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert max(lengths.values()) <= 300, max(lengths, key=lambda path: lengths[path])
    assert statistics.median(lengths.values()) <= 100
    functions = sorted(
        node.end_lineno - node.lineno + 1
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    )
    assert statistics.median(functions) <= 10
    assert functions[int(len(functions) * 0.9)] <= 25


def test_no_module_of_everything_and_no_broad_handler_outside_the_named_places() -> None:
    assert not [path for path in FILES if path.stem in {"utils", "util", "helpers", "common", "misc"}]
    allowed = {HOUSE / "__main__.py"}
    for path in FILES:
        if path in allowed or path.is_relative_to(CHILD):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else ""
                assert caught not in {"", "Exception", "BaseException"} or "raise" in ast.unparse(node), path
