"""The strict applier: full context, no fuzz, the nearest place as `git apply` finds it, all or nothing."""

from collections.abc import Iterator, Sequence

from bot.model import Hunk, Value
from bot.survey import hunks
from bot.survey.hunks import Body


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


class Image:
    """The text under work; `sealed` are the lines of earlier hunks, that no later one may touch."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.sealed: list[range] = []

    def put(self, at: int, count: int, new: Sequence[bytes]) -> None:
        grown = len(new) - count
        lines = [*self.body.lines[:at], *new, *self.body.lines[at + count :]]
        self.body = Body(b"".join(lines), lines)
        self.sealed = [
            range(one.start + (one.start >= at) * grown, one.stop + (one.stop > at) * grown)
            for one in self.sealed
        ]
        if new:
            self.sealed.append(range(at, at + len(new)))

    def is_sealed(self, at: int, count: int) -> bool:
        return any(one.start < at + count and at < one.stop for one in self.sealed) if count else False


def apply(data: bytes, changes: Sequence[Hunk]) -> Applied:
    return apply_to(Body(data), changes)


def apply_to(body: Body, changes: Sequence[Hunk]) -> Applied:
    """The same for a text that others look at too."""
    image = Image(body)
    spots = [place(image, hunk) for hunk in changes]
    fits = tuple(fit(body, changes, spots, index) for index in range(len(changes)))
    return Applied(data=image.body.data if all(fits) else None, fits=fits)


def reverses(body: Body, changes: Sequence[Hunk]) -> bool:
    """Whether the change could be taken back here. Only ever a check: nothing is made from it."""
    return apply_to(body, [hunks.invert(hunk) for hunk in changes]).data is not None


def place(image: Image, hunk: Hunk) -> int | None:
    """Put one hunk into the image and return its line there at that moment; None leaves all as it was."""
    old, new = hunks.old_image(hunk), hunks.new_image(hunk)
    spots = [
        at
        for at in occurrences(image.body, old)
        if allowed(hunk, at, image.body.count - len(old)) and not image.is_sealed(at, len(old))
    ]
    if not spots:
        return None
    # git starts where the hunk says it ends up, and looks below before it looks above.
    start = min(max(hunk.new_start - 1, 0), image.body.count)
    at = min(spots, key=lambda spot: (abs(spot - start), spot < start))
    image.put(at, len(old), new)
    return at


def allowed(hunk: Hunk, at: int, last: int) -> bool:
    """As git has it: a hunk from line 1 fits at the top only, one without context below at the end only."""
    trailing = hunks.marked(hunk)[-1:]
    at_end = not trailing or trailing[0][0] != b" "
    return (hunk.old_start > 1 or at == 0) and (not at_end or at == last)


def occurrences(body: Body, wanted: Sequence[bytes]) -> Iterator[int]:
    """Every line at which `wanted` stands, whole lines only."""
    if not wanted:
        yield from range(body.count + 1)
        return
    if body.open_inside:
        found = range(body.count - len(wanted) + 1)
        yield from (at for at in found if body.lines[at : at + len(wanted)] == list(wanted))
        return
    data, pattern = body.data, b"".join(wanted)
    open_end = not pattern.endswith(b"\n")
    at = data.find(pattern)
    line = counted = 0
    while at >= 0:
        line, counted = line + data.count(b"\n", counted, at), at
        begins = at == 0 or data[at - 1 : at] == b"\n"
        if begins and (not open_end or at + len(pattern) == len(data)):
            yield line
        at = data.find(pattern, at + 1)


def fit(body: Body, changes: Sequence[Hunk], spots: Sequence[int | None], index: int) -> Fit | None:
    """A spot of the moment, told in lines of the whole text before and after."""
    spot = spots[index]
    if spot is None:
        return None
    above = [grown(changes[i]) for i, other in enumerate(spots[:index]) if other is not None and other < spot]
    below = [
        grown(changes[i]) for i, other in enumerate(spots) if i > index and other is not None and other < spot
    ]
    places = sum(1 for _ in occurrences(body, hunks.old_image(changes[index])))
    return Fit(old_line=spot - sum(above), new_line=spot + sum(below), places=places)


def grown(hunk: Hunk) -> int:
    return len(hunks.new_image(hunk)) - len(hunks.old_image(hunk))
