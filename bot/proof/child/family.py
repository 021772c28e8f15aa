"""A family: import upstream up to the first file in which its trees differ, then fork one sibling a tree."""

import importlib
import importlib.util
import os
import socket
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path, PurePosixPath
from types import ModuleType

from bot.proof.child import forks, outcome, processes, sibling
from bot.proof.child.job import Family, Sibling


def run(family: Family, ends: list[socket.socket], turns: int) -> None:
    """Import and split; each sibling does its job in a process of its own. Never returns.

    From the pipe `turns` comes one byte for each sibling that may start.
    """
    processes.adopt_orphans()
    processes.die_with_parent()
    silence()
    splitter = Splitter(family, ends, turns)
    failed = import_all(family, splitter)
    mine, end = splitter.split()  # only where no differing file was ever imported is this the first time
    sibling.run(family, mine, end, failed)


def silence() -> None:
    """Give upstream code's own output nowhere to go: results never travel there."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def import_all(family: Family, splitter: "Splitter") -> outcome.Outcome | None:
    """Import what is under test; return the outcome of every test when that fails."""
    sys.dont_write_bytecode = True
    for name in family.stubs:
        sys.modules[name] = None  # type: ignore[assignment]  # an import then says that it is absent
    sys.path.insert(0, family.root)
    sys.meta_path.insert(0, splitter)
    try:
        for name in family.imports:
            importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001 (whatever an import raises, this process is spoilt and says so)
        return outcome.of_exception("import_error", error)
    return None


class Splitter:
    """A finder that stops at the first module whose file differs: from there each sibling goes on alone."""

    def __init__(self, family: Family, ends: list[socket.socket], turns: int) -> None:
        self.forks = forks.Forks(family, ends, turns) if ends else None
        self.family = family
        self.mine: tuple[Sibling, socket.socket] | None = None
        self.paths = {module_name(path): path for one in family.siblings for path in one.files}

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a differing module in this sibling's tree; None leaves all others to the usual finders."""
        path = self.paths.get(name)
        if path is None:
            return None
        mine, _ = self.split()
        place = Path(mine.files[path])
        inside = [str(Path(self.family.root, path).parent)] if place.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(name, place, submodule_search_locations=inside)

    def split(self) -> tuple[Sibling, socket.socket]:
        """Return which sibling this process is; the first call forks them all and returns in them only."""
        if self.mine is None:
            assert self.forks is not None  # noqa: S101 (who has no ends was told which sibling it is)
            self.mine = self.forks.until_mine()
        return self.mine


def module_name(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
