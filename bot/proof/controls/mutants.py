"""Mutants: the cure with one thing wrong in it; every kind has its turn before one comes again."""

from collections.abc import Callable, Iterator, Sequence

from bot.proof.controls import conditions, handlers, moves, names, python, values
from bot.proof.controls.python import Code, Edit
from bot.proof.controls.region import Region

#: As many mutants as one target gets: each costs a tree.
MOST = 24
OPERATORS: tuple[Callable[[Code], Iterator[Edit]], ...] = (
    moves.outward,
    moves.inward,
    handlers.dropped,
    handlers.to_exception,
    handlers.to_everything,
    names.undefined,
    values.returned_none,
    values.none,
    values.copied,
    conditions.negated,
    conditions.joined,
    conditions.flipped,
    conditions.unsaid,
    names.swapped,
)

Mutant = tuple[Region, str, bytes]
Stream = tuple[int, Region, Iterator[Edit]]


def mutants(regions: Sequence[Region], others: Sequence[tuple[Region, bytes]]) -> Iterator[Mutant]:
    """Yield what is wrong and the region's text; none that says what before, after or an ablation says."""
    known = [*others, *((one, text) for one in regions for text in (one.before, one.after))]
    seen = {(one.place, python.meaning(text)) for one, text in known if one.python}
    found: list[tuple[tuple[str, int, int, int], Mutant]] = []
    for kind, region, edit in spread(streams(regions)):
        text = b"".join(edit.lines)
        meaning = python.meaning(text)
        if meaning is not None and (region.place, meaning) not in seen:
            seen.add((region.place, meaning))
            found.append(((*region.place, edit.line, kind), (region, edit.what, text)))
        if len(found) == MOST:
            break
    yield from (mutant for _, mutant in sorted(found, key=lambda pair: pair[0]))


def streams(regions: Sequence[Region]) -> list[Stream]:
    codes = [(region, code) for region in regions if (code := region.code())]
    return [
        (kind, region, operator(code)) for kind, operator in enumerate(OPERATORS) for region, code in codes
    ]


def spread(waiting: list[Stream]) -> Iterator[tuple[int, Region, Edit]]:
    """Take one edit of each kind in turn."""
    while waiting:
        left = []
        for kind, region, edits in waiting:
            edit = next(edits, None)
            if edit:
                left.append((kind, region, edits))
                yield kind, region, edit
        waiting = left
