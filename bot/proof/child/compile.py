"""Compile trees' Python files beside them, so that what many processes import is compiled once.

Run as `python -I compile.py ROOT…`. Nothing is executed; a file that does not compile is left to its import.
"""

import importlib.util
import os
import py_compile
import resource
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

#: Bytes that compiling may take; a hostile source could want more.
MEMORY = 4 << 30
#: A file's bytes are compared when it is imported: what was changed since is compiled anew.
CHECKED = py_compile.PycInvalidationMode.CHECKED_HASH


def main(roots: list[str]) -> None:
    """Compile every distinct source of the trees once; the others of the same bytes are links."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    known: dict[bytes, str] = {}
    for source in sources(roots):
        data = source.read_bytes()
        if data in known:
            with suppress(OSError):
                link(known[data], importlib.util.cache_from_source(str(source)))
        elif made := compiled(source):
            known[data] = made


def sources(roots: list[str]) -> Iterator[Path]:
    for root in roots:
        yield from sorted(path for path in Path(root).rglob("*.py") if path.is_file())


def compiled(source: Path) -> str | None:
    """Compile one file; None where that fails."""
    try:
        return py_compile.compile(str(source), doraise=True, invalidation_mode=CHECKED)
    except (py_compile.PyCompileError, OSError, ValueError, RecursionError, MemoryError):
        return None


def link(made: str, place: str) -> None:
    Path(place).parent.mkdir(exist_ok=True)
    os.link(made, place)


if __name__ == "__main__":
    main(sys.argv[1:])
