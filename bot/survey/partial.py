"""How many of a hunk's changes are already there: each changed line may stand in its old or its new words."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bot.model import Hunk, Value
from bot.survey import hunks


class Piece(Value, frozen=True, kw_only=True):
    """Lines that stand in one of two ways; context stands in one way only."""

    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


def changes(hunk: Hunk) -> int:
    return sum(1 for run in hunks.runs(hunk) for _ in pieces_of(run))


def there(hunk: Hunk, lines: Sequence[bytes], inside: range) -> int:
    """How many changes of the hunk stand in the lines `inside` (0-based), all its context around them."""
    return count(list(pieces(hunk)), lines, inside)


def there_nearly(hunk: Hunk, lines: Sequence[bytes], inside: range) -> int:
    """The same by single runs, each between its next lines of context: the rest may read otherwise."""
    return sum(count(window, lines, inside) for window in windows(hunk))


def pieces(hunk: Hunk) -> Iterator[Piece]:
    old, at = hunks.old_image(hunk), 0
    for run in hunks.runs(hunk):
        yield context(old[at : run.old_at])
        yield from pieces_of(run)
        at = run.old_at + len(run.old)
    yield context(old[at:])


def pieces_of(run: hunks.Run) -> Iterator[Piece]:
    """Removed and added lines pair up in order; what is left over may be there or not."""
    for old, new in zip_longest(run.old, run.new):
        yield Piece(old=() if old is None else (old,), new=() if new is None else (new,))


def windows(hunk: Hunk) -> Iterator[list[Piece]]:
    old = hunks.old_image(hunk)
    for run in hunks.runs(hunk):
        end = run.old_at + len(run.old)
        before, after = old[max(run.old_at - 1, 0) : run.old_at], old[end : end + 1]
        yield [context(before), *pieces_of(run), context(after)]


def context(lines: Sequence[bytes]) -> Piece:
    return Piece(old=tuple(lines), new=tuple(lines))


def count(wanted: Sequence[Piece], lines: Sequence[bytes], inside: range) -> int:
    """The most changes that some place holds; 0 when a place holds the untouched text, or none fits."""
    # The first and the last piece are context, which may reach out of the anchor.
    first = max(inside.start - len(wanted[0].old), 0)
    part = tuple(lines[first : inside.stop + len(wanted[-1].old)])
    found = [new for at in range(len(part) + 1) if (new := held(wanted, part, at)) is not None]
    return max(found, default=0) if all(found) else 0


def held(wanted: Sequence[Piece], lines: tuple[bytes, ...], at: int) -> int | None:
    """The fewest new words that explain the lines from `at`; None when they are something else."""
    reached = {at: 0}
    for piece in wanted:
        further: dict[int, int] = {}
        for place, new in reached.items():
            for side, more in {piece.old: 0, piece.new: int(piece.old != piece.new)}.items():
                end = place + len(side)
                if lines[place:end] == side:
                    further[end] = min(new + more, further.get(end, new + more))
        reached = further
        if not reached:
            return None
    return min(reached.values())
