"""Ruff and pylint: findings from the JSON that they print."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from bot import proc
from bot.model import Value
from bot.proof.checks.findings import around, quoted, sentence
from bot.proof.checks.order import Batch

#: Rules about a line's length tell which line, as nothing else in them does.
LENGTH = frozenset({"C0301", "E501", "W505"})
#: Bits of pylint's exit code: it broke on a file, or was called wrongly.
PYLINT_BROKE = 1 | 32


class RuffPlace(msgspec.Struct):
    row: int


class RuffFinding(msgspec.Struct):
    """The part of ruff's JSON that is used; `code` is null for a syntax error."""

    code: str | None
    filename: str
    location: RuffPlace
    message: str


class PylintFinding(msgspec.Struct, rename={"id": "message-id"}):
    """The part of pylint's JSON that is used; `obj` is the dotted name of the definition around it."""

    id: str
    path: str
    line: int
    message: str
    symbol: str
    obj: str = ""


class Told(Value, frozen=True, kw_only=True):
    """What both tools tell of a finding."""

    path: str
    row: int
    rule: str
    where: str | None
    message: str


def read_ruff(batch: Batch, done: proc.Completed) -> dict[str, list[str]] | None:
    def told(one: RuffFinding) -> Told:
        return Told(
            path=one.filename,
            row=one.location.row,
            rule=one.code or "syntax-error",
            where=None,
            message=one.message,
        )

    return gather(batch, done.out, list[RuffFinding], told) if done.code in (0, 1) else None


def read_pylint(batch: Batch, done: proc.Completed) -> dict[str, list[str]] | None:
    def told(one: PylintFinding) -> Told:
        rule = f"{one.id} {one.symbol}"
        return Told(path=one.path, row=one.line, rule=rule, where=one.obj, message=one.message)

    return None if done.code & PYLINT_BROKE else gather(batch, done.out, list[PylintFinding], told)


def gather(batch: Batch, out: bytes, shape: Any, told: Callable[[Any], Told]) -> dict[str, list[str]] | None:
    """Findings by the key of their unit; None when this is not the tool's JSON."""
    try:
        rows = msgspec.json.decode(out, type=shape)
    except msgspec.DecodeError:
        return None
    found: dict[str, list[str]] = {unit.key: [] for unit in batch.units}
    for key, finding in sentences(batch, map(told, rows)):
        found[key].append(finding)
    return found


def sentences(batch: Batch, rows: Iterator[Told]) -> Iterator[tuple[str, str]]:
    """Yield key and finding; what is said of no file (of the settings, say) is no finding."""
    for one in rows:
        place = batch.locate(one.path)
        if place is None:
            continue
        unit, path = place
        source = unit.side.files[path]
        where = around(source, one.row) if one.where is None else one.where
        rule = f"{one.rule} in {where}" if where else one.rule
        line = quoted(source, one.row) if one.rule.split()[0] in LENGTH else ""
        yield unit.key, sentence(path, rule, one.message, line)
