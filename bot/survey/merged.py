"""Where a clean three-way merge changed a file, and whether that lies in the anchors."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from bot.model import HunkPlace, Value
from bot.survey import hunks, places


class Edit(Value, frozen=True, kw_only=True):
    """A changed stretch, 0-based, in the target and in the merge result."""

    old: range
    new: range


def fits(work: places.Work, before: bytes, after: bytes | None) -> bool:
    """Whether the merge changes lines of the hunks' anchors only; without anchors it is its own witness."""
    if after is None:
        return False
    if not all(work.wanted(index) for index in range(len(work.change.hunks))):
        return True
    return all(anchors_of(work, before, after))


def anchors_of(work: places.Work, before: bytes, after: bytes) -> list[frozenset[str]]:
    """The anchors around each changed stretch."""
    old, new = places.find_all(before, work.symbols), places.find_all(after, work.symbols)
    return [
        places.holders(old, touched(edit.old)) & places.holders(new, touched(edit.new))
        for edit in edits(hunks.split(before), hunks.split(after))
    ]


def touched(lines: range) -> range:
    """The lines, or for none of them the one before the gap."""
    return lines or range(max(lines.start - 1, 0), max(lines.start, 1))


def edits(old: list[bytes], new: list[bytes]) -> Iterator[Edit]:
    head = common(old, new)
    tail = common(old[head:][::-1], new[head:][::-1])
    middle = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    for tag, *ends in middle.get_opcodes():
        if tag != "equal":
            i, j, k, m = (end + head for end in ends)
            yield Edit(old=range(i, j), new=range(k, m))


def common(one: list[bytes], other: list[bytes]) -> int:
    """How many lines both begin with."""
    shared = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            break
        shared += 1
    return shared


def spots(work: places.Work, before: bytes, after: bytes | None) -> tuple[HunkPlace, ...]:
    """A place for each hunk, when the merge made exactly the hunks' runs of changes; else none."""
    if after is None:
        return ()
    runs = [(index, run) for index, hunk in enumerate(work.change.hunks) for run in hunks.runs(hunk)]
    found = list(edits(hunks.split(before), hunks.split(after)))
    if len(found) != len(runs):
        return ()
    inside = anchors_of(work, before, after)
    firsts = {index: at for at, (index, _) in reversed(list(enumerate(runs)))}
    return tuple(
        places.spot(work, index, found[at].old.start - runs[at][1].old_at, inside[at])
        for index, at in sorted(firsts.items())
    )
