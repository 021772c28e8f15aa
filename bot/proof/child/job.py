"""What the supervisor asks for: plain frozen values made from its one message."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One run of one test. Each rank of `ranks` is a process of its own; `timeout` is in seconds."""

    number: int
    test: str
    launcher: str
    device: str
    world: int
    ranks: tuple[int, ...]
    run: int
    timeout: float


@dataclass(frozen=True, kw_only=True)
class Sibling:
    """One tree of a family: what it has in place of the family's files, and what to run on it.

    `files` maps each path that may differ to the file of this tree; `blobs` the expected id of those
    that must have been imported. It does not say which side the tree is, nor what the patch does.
    """

    key: str
    files: dict[str, str]
    blobs: dict[str, str]
    units: tuple[Unit, ...]


@dataclass(frozen=True, kw_only=True)
class Family:
    """Trees that differ in nothing but some Python files: what is imported before those is imported once.

    `root` is the common tree's directory, `tests` pytest's root, `place` a directory to write to, `anchors`
    pairs of (file, symbol) that must exist after the import. One test with all its processes may hold
    `memory` bytes.
    """

    root: str
    tests: str
    place: str
    anchors: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    stubs: tuple[str, ...]
    setup_timeout: float
    memory: int
    siblings: tuple[Sibling, ...]


def read(message: dict[str, Any]) -> Family:
    """Build the family from the supervisor's message."""
    fields = dict(message)
    siblings = tuple(map(read_sibling, fields.pop("siblings")))
    anchors = tuple((file, symbol) for file, symbol in fields.pop("anchors"))
    imports, stubs = tuple(fields.pop("imports")), tuple(fields.pop("stubs"))
    return Family(siblings=siblings, anchors=anchors, imports=imports, stubs=stubs, **fields)


def read_sibling(message: dict[str, Any]) -> Sibling:
    units = tuple(Unit(**{**unit, "ranks": tuple(unit["ranks"])}) for unit in message["units"])
    return Sibling(**{**message, "units": units})
