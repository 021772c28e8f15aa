"""The strict applier: full context, no fuzz, the nearest place as `git apply` finds it, all or nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.model import Hunk, Value
from bot.survey import hunks


class Fit(Value, frozen=True, kw_only=True):
    """Where a hunk went: 0-based first line in the text before and after, and in how many places it fits."""

    old_line: int
    new_line: int
    places: int


class Applied(Value, frozen=True, kw_only=True):
    """`data` is None unless every hunk went in; `fits` has one entry a hunk, None where it found no place."""

    data: bytes | None
    fits: tuple[Fit | None, ...]

    @property
    def in_order(self) -> bool:
        """Whether later hunks lie below earlier ones: git lets them cross, and that shows a wrong place."""
        lines = [fit.old_line for fit in self.fits if fit]
        return lines == sorted(lines)


@dataclass
class Image:
    """The text under work; `sealed` marks lines of an earlier hunk, that no later one may touch."""

    lines: list[bytes]
    sealed: list[bool]

    def put(self, at: int, count: int, new: Sequence[bytes]) -> None:
        self.lines[at : at + count] = new
        self.sealed[at : at + count] = [True] * len(new)


def apply(data: bytes, changes: Sequence[Hunk]) -> Applied:
    lines = hunks.split(data)
    image = Image(lines=list(lines), sealed=[False] * len(lines))
    spots = [place(image, hunk) for hunk in changes]
    fits = tuple(fit(lines, changes, spots, index) for index in range(len(changes)))
    return Applied(data=b"".join(image.lines) if all(fits) else None, fits=fits)


def reverses(data: bytes, changes: Sequence[Hunk]) -> bool:
    """Whether the change could be taken back here. Only ever a check: nothing is made from it."""
    return apply(data, [hunks.invert(hunk) for hunk in changes]).data is not None


def place(image: Image, hunk: Hunk) -> int | None:
    """Put one hunk into the image and return its line there at that moment; None leaves all as it was."""
    old, new = hunks.old_image(hunk), hunks.new_image(hunk)
    spots = [
        at
        for at in occurrences(image.lines, old)
        if allowed(hunk, at, len(image.lines) - len(old)) and not any(image.sealed[at : at + len(old)])
    ]
    if not spots:
        return None
    # git starts where the hunk says it ends up, and looks below before it looks above.
    start = min(max(hunk.new_start - 1, 0), len(image.lines))
    at = min(spots, key=lambda spot: (abs(spot - start), spot < start))
    image.put(at, len(old), new)
    return at


def allowed(hunk: Hunk, at: int, last: int) -> bool:
    """As git has it: a hunk from line 1 fits at the top only, one without context below at the end only."""
    trailing = hunks.marked(hunk)[-1:]
    at_end = not trailing or trailing[0][0] != b" "
    return (hunk.old_start > 1 or at == 0) and (not at_end or at == last)


def occurrences(lines: Sequence[bytes], wanted: Sequence[bytes]) -> Iterator[int]:
    """Every line at which `wanted` stands, whole lines only."""
    if not wanted:
        yield from range(len(lines) + 1)
        return
    text, pattern = b"\n" + b"".join(lines), b"\n" + b"".join(wanted)
    at, line = text.find(pattern), 0
    counted = 0
    while at >= 0:
        line, counted = line + text.count(b"\n", counted, at), at
        if list(lines[line : line + len(wanted)]) == list(wanted):
            yield line
        at = text.find(pattern, at + 1)


def fit(
    lines: Sequence[bytes], changes: Sequence[Hunk], spots: Sequence[int | None], index: int
) -> Fit | None:
    """A spot of the moment, told in lines of the whole text before and after."""
    spot = spots[index]
    if spot is None:
        return None
    above = [grown(changes[i]) for i, other in enumerate(spots[:index]) if other is not None and other < spot]
    below = [
        grown(changes[i]) for i, other in enumerate(spots) if i > index and other is not None and other < spot
    ]
    places = sum(1 for _ in occurrences(lines, hunks.old_image(changes[index])))
    return Fit(old_line=spot - sum(above), new_line=spot + sum(below), places=places)


def grown(hunk: Hunk) -> int:
    return len(hunks.new_image(hunk)) - len(hunks.old_image(hunk))
