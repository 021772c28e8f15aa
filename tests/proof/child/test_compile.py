"""Compiling beside the sources: once for each distinct text, checked at import, and never run."""

import importlib.util
import subprocess
import sys
from pathlib import Path

from bot.proof.engine import HARNESS

RUNS = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\nWORD = 'early'\n"


def compile_all(*roots: Path) -> None:
    command = [sys.executable, "-I", str(HARNESS / "compile.py"), *map(str, roots)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def tree(root: Path, **files: str) -> Path:
    root.mkdir()
    for name, text in files.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    return root


def made(root: Path, name: str) -> Path:
    return Path(importlib.util.cache_from_source(str(root / f"{name}.py")))


def test_equal_texts_of_two_trees_are_compiled_once_and_nothing_is_run(tmp_path: Path) -> None:
    one, other = tree(tmp_path / "one", same=RUNS, own="A = 1\n"), tree(tmp_path / "other", same=RUNS)
    compile_all(one, other)
    assert made(one, "same").stat().st_ino == made(other, "same").stat().st_ino
    assert made(one, "own").is_file()
    assert not list(tmp_path.rglob("ran"))


def test_a_source_that_was_changed_afterwards_is_what_is_imported(tmp_path: Path) -> None:
    root = tree(tmp_path / "tree", module=RUNS)
    compile_all(root)
    (root / "module.py").write_text(RUNS.replace("early", "later"), encoding="utf-8")
    say = [sys.executable, "-c", "import module; print(module.WORD, module.__file__)"]
    done = subprocess.run(say, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == f"later {root / 'module.py'}\n"


def test_a_file_that_does_not_compile_is_left_out_and_the_next_is_not(tmp_path: Path) -> None:
    deep = "x = " + "(" * 10_000
    root = tree(tmp_path / "tree", broken="def :\n", deep=deep, fine="A = 1\n", odd="A = 'a\\d'\n")
    (root / "bytes.py").write_bytes(b"\0\xff")
    compile_all(root)
    assert sorted(path.name.split(".")[0] for path in root.rglob("*.pyc")) == ["fine", "odd"]
