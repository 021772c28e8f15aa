"""Hunks taken apart: lines of a text, both images of a hunk, and its runs of changed lines."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from bot.model import Hunk, Value


class Run(Value, frozen=True, kw_only=True):
    """A run of changed lines: where it begins in either image of its hunk, and its lines on both sides."""

    old_at: int
    old: tuple[bytes, ...]
    new_at: int
    new: tuple[bytes, ...]


class Body:
    """A text and its lines, which are only taken apart when somebody needs them.

    `open_inside`: a line without an end stands before others, so that the bytes no longer tell the lines.
    """

    def __init__(self, data: bytes, lines: list[bytes] | None = None) -> None:
        self.data = data
        self.known = lines
        self.open_inside = lines is not None and data.count(b"\n") < len(lines) - (not data.endswith(b"\n"))

    @property
    def lines(self) -> list[bytes]:
        if self.known is None:
            self.known = split(self.data)
        return self.known

    @property
    def count(self) -> int:
        """How many lines there are."""
        if self.known is not None:
            return len(self.known)
        return self.data.count(b"\n") + (not self.data.endswith(b"\n") and bool(self.data))


def split(data: bytes) -> list[bytes]:
    """Lines with their ends. Only a line feed ends a line, as in git: a carriage return is content."""
    if b"\r" not in data:
        return data.splitlines(keepends=True)
    *whole, last = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([last] if last else [])


def marked(hunk: Hunk) -> list[tuple[bytes, bytes]]:
    """Each line of the hunk as (mark, text): marks are `b" "`, `b"-"` and `b"+"`."""
    lines: list[tuple[bytes, bytes]] = []
    for line in hunk.lines:
        if line.startswith(b"\\"):  # "\ No newline at end of file" speaks of the line before
            mark, text = lines.pop()
            lines.append((mark, text.removesuffix(b"\n")))
        elif line == b"\n":  # mailers strip the blank of an empty context line; git takes it
            lines.append((b" ", line))
        else:
            lines.append((line[:1], line[1:]))
    return lines


def old_image(hunk: Hunk) -> list[bytes]:
    return [text for mark, text in marked(hunk) if mark != b"+"]


def new_image(hunk: Hunk) -> list[bytes]:
    return [text for mark, text in marked(hunk) if mark != b"-"]


def runs(hunk: Hunk) -> Iterator[Run]:
    old_at = new_at = 0
    for changed, lines in groupby(marked(hunk), key=lambda pair: pair[0] != b" "):
        group = list(lines)
        old = tuple(text for mark, text in group if mark != b"+")
        new = tuple(text for mark, text in group if mark != b"-")
        if changed:
            yield Run(old_at=old_at, old=old, new_at=new_at, new=new)
        old_at += len(old)
        new_at += len(new)


def invert(hunk: Hunk) -> Hunk:
    """The hunk that takes this one back."""
    swap = {b"+": b"-", b"-": b"+"}
    return Hunk(
        old_start=hunk.new_start,
        old_count=hunk.new_count,
        new_start=hunk.old_start,
        new_count=hunk.old_count,
        lines=tuple(swap.get(line[:1], line[:1]) + line[1:] for line in hunk.lines),
    )


def touched(at: int, lines: tuple[bytes, ...]) -> Iterable[int]:
    """The lines of one image that a run stands for: its own, or the line before the gap when it has none."""
    return range(at, at + len(lines)) if lines else (max(at - 1, 0),)


def old_touched(hunk: Hunk) -> list[int]:
    return [index for run in runs(hunk) for index in touched(run.old_at, run.old)]


def new_touched(hunk: Hunk) -> list[int]:
    return [index for run in runs(hunk) for index in touched(run.new_at, run.new)]
