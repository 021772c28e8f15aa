"""Files replaced below a directory: never through a link, with their mode, and past Python's bytecode."""

import os
import py_compile
import stat
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from bot.carry.applying import writing
from bot.errors import BotError

OLD, NEW = b"VALUE = 1\n", b"VALUE = 2\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "shop" / "till.py"
    path.parent.mkdir()
    path.write_bytes(OLD)
    return path


def imported(path: Path) -> object:
    """Load the file as `import` does: from its bytecode where that looks fresh, which is written if not."""
    names: dict[str, object] = {}
    exec(SourceFileLoader("till", str(path)).get_code("till") or "", names)  # noqa: S102 (our own two lines)
    return names["VALUE"]


def test_old_bytecode_of_the_same_size_and_second_is_never_used(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for _ in range(3):
        assert imported(source) == 1
        writing.replace_all(tmp_path, {"shop/till.py": NEW})
        assert imported(source) == 2
        writing.replace_all(tmp_path, {"shop/till.py": OLD})
    assert imported(source) == 1
    assert list((source.parent / "__pycache__").iterdir()), "this test needs Python to write bytecode"


@pytest.mark.parametrize(
    ("mode", "stays"),
    [
        (py_compile.PycInvalidationMode.UNCHECKED_HASH, False),
        (py_compile.PycInvalidationMode.CHECKED_HASH, True),
        (py_compile.PycInvalidationMode.TIMESTAMP, True),
    ],
)
def test_only_bytecode_that_python_would_not_check_is_removed(
    source: Path, tmp_path: Path, mode: py_compile.PycInvalidationMode, stays: bool
) -> None:
    compiled = Path(py_compile.compile(str(source), invalidation_mode=mode) or "")
    other = compiled.with_name("tiller.cpython-311.pyc")
    other.write_bytes(compiled.read_bytes())
    writing.replace_all(tmp_path, {"shop/till.py": NEW})
    assert (compiled.exists(), other.exists()) == (stays, True)
    assert imported(source) == 2


def test_the_new_time_is_later_than_now_only_by_the_seconds_that_are_taken(source: Path) -> None:
    moment = source.stat().st_mtime_ns + 5 * writing.SECOND
    os.utime(source, ns=(moment, moment))
    assert writing.unused_time(source) < moment
    assert writing.unused_time(source) // writing.SECOND != moment // writing.SECOND


@pytest.mark.parametrize("mode", [0o755, 0o640, 0o664])
def test_p21_the_mode_stays_and_a_hard_linked_copy_keeps_its_bytes(
    source: Path, tmp_path: Path, mode: int
) -> None:
    source.chmod(mode)
    (tmp_path / "cache").hardlink_to(source)
    writing.replace_all(tmp_path, {"shop/till.py": NEW})
    assert stat.S_IMODE(source.stat().st_mode) == mode
    assert (source.read_bytes(), (tmp_path / "cache").read_bytes()) == (NEW, OLD)
    assert [path.name for path in source.parent.iterdir()] == ["till.py"]


def test_p26_each_part_of_a_path_is_looked_at_without_following_links(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source.parent)
    (source.parent / "alias.py").symlink_to(source)
    (source.parent / "gone.py").symlink_to(tmp_path / "nowhere")
    os.mkfifo(source.parent / "pipe.py")
    said = {
        path: writing.objection(tmp_path, path)
        for path in (
            "link/till.py",
            "shop/alias.py",
            "shop/gone.py",
            "shop/pipe.py",
            "shop",
            "shop/till.py/x",
        )
    }
    assert [why.split(":")[0] for why in said.values()] == [
        "link is a symbolic link",
        "shop/alias.py is a symbolic link",
        "shop/gone.py is a symbolic link",
        "shop/pipe.py is no plain file",
        "shop is no plain file",
        "what should hold shop/till.py/x is no directory",
    ]
    assert [writing.objection(tmp_path, path) for path in ("shop/till.py", "shop/none.py", "no/none.py")] == [
        ""
    ] * 3


def test_a_link_that_waits_at_the_name_of_the_new_file_is_not_written_through(
    source: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    writing.half_of(source).symlink_to(outside)
    writing.replace_all(tmp_path, {"shop/till.py": NEW})
    assert (source.read_bytes(), outside.read_bytes()) == (NEW, b"theirs")
    assert not source.is_symlink()


def test_p30_when_the_second_file_cannot_be_written_the_first_is_as_it_was(
    source: Path, tmp_path: Path
) -> None:
    second = tmp_path / "shop" / "bank.py"
    second.write_bytes(OLD)
    writing.half_of(second).mkdir()
    with pytest.raises(BotError) as caught:
        writing.replace_all(tmp_path, {"shop/till.py": NEW, "shop/bank.py": NEW})
    assert "every file is as it was" in caught.value.message
    assert (source.read_bytes(), second.read_bytes()) == (OLD, OLD)
    assert not writing.half_of(source).exists()
