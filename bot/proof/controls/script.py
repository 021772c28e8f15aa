"""The change of one file, line by line: each step keeps, replaces, adds or drops one line."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from bot.model import Value

#: From here on two lines count as one line that was rewritten.
CLOSE = 0.5
#: Blocks of more pairs than this are laid side by side without comparing every line with every other.
MANY = 400


class Step(Value, frozen=True, kw_only=True):
    """One line on both sides; None where a side has no such line."""

    old: bytes | None
    new: bytes | None

    @property
    def changed(self) -> bool:
        return self.old != self.new

    @property
    def fresh(self) -> bool:
        """Whether the after side says something new here, not only with other blanks around it."""
        return self.new is not None and self.new.strip() not in (b"", (self.old or b"").strip())


def steps(before: bytes, after: bytes) -> tuple[Step, ...]:
    old, new = split(before), split(after)
    top = shared(old, new)
    bottom = shared(old[top:][::-1], new[top:][::-1])
    middle = tuple(differ(old[top : len(old) - bottom], new[top : len(new) - bottom]))
    return (*map(kept, old[:top]), *middle, *map(kept, old[len(old) - bottom :]))


def split(data: bytes) -> list[bytes]:
    """Lines with their ends; only a line feed ends a line, as in git."""
    *whole, last = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([last] if last else [])


def shared(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many lines at the top are the same."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def kept(line: bytes) -> Step:
    return Step(old=line, new=line)


def differ(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Step]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag == "equal":
            yield from map(kept, old[first:last])
        else:
            yield from pair(old[first:last], new[new_first:new_last])


def pair(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Step]:
    """Pair lines that were rewritten, the closest first; the others stand beside each other in order."""
    near = closest(old, new)
    if near is None:
        yield from (Step(old=a, new=b) for a, b in zip_longest(old, new))
        return
    i, j = near
    yield from pair(old[:i], new[:j])
    yield Step(old=old[i], new=new[j])
    yield from pair(old[i + 1 :], new[j + 1 :])


def closest(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int] | None:
    if not 1 < len(old) * len(new) <= MANY:
        return None
    alike = (
        (SequenceMatcher(None, a.strip(), b.strip()).ratio(), -i, -j)
        for i, a in enumerate(old)
        for j, b in enumerate(new)
    )
    ratio, i, j = max(alike)
    return (-i, -j) if ratio >= CLOSE else None
