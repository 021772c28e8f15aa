"""What the supervisor asks of a tree child: plain frozen values from one message."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One run of one test. Each rank of `ranks` is a process of its own; `timeout` is in seconds."""

    number: int
    test: str
    launcher: str
    world: int
    ranks: tuple[int, ...]
    run: int
    timeout: float


@dataclass(frozen=True, kw_only=True)
class Job:
    """One tree and what to run on it. It does not say which side the tree is, nor what the patch does.

    `root` is the tree's directory, `tests` the directory of pytest's root, `blobs` the expected blob id of
    each file under test, `anchors` pairs of (file, symbol) that must exist after the import.
    """

    key: str
    root: str
    tests: str
    blobs: dict[str, str]
    anchors: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    stubs: tuple[str, ...]
    setup_timeout: float
    units: tuple[Unit, ...]


def read(message: dict[str, Any]) -> Job:
    """Build the job from the supervisor's message."""
    fields = dict(message)
    units = tuple(Unit(**{**unit, "ranks": tuple(unit["ranks"])}) for unit in fields.pop("units"))
    anchors = tuple((file, symbol) for file, symbol in fields.pop("anchors"))
    imports, stubs = tuple(fields.pop("imports")), tuple(fields.pop("stubs"))
    return Job(units=units, anchors=anchors, imports=imports, stubs=stubs, **fields)
