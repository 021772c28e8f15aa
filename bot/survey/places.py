"""Which anchors hold the changed lines of a hunk, before and after."""

from collections.abc import Iterable, Mapping, Sequence

from bot.model import FileChange, Hunk, HunkPlace, Value
from bot.survey import anchors, apply, hunks


class Base(Value, frozen=True, kw_only=True):
    """The file that the patch was made on, and with the patch; `owners`: the anchors of each hunk there."""

    before: bytes
    after: bytes
    owners: tuple[frozenset[str], ...]


class Work(Value, frozen=True, kw_only=True):
    """One file of a variant, prepared once for all targets; `base` is None when the store lacks its blob."""

    change: FileChange
    symbols: tuple[str, ...]
    base: Base | None

    def wanted(self, index: int) -> frozenset[str]:
        """The anchors in which hunk `index` may land; empty when only the merge can confirm its place."""
        return self.base.owners[index] if self.base else frozenset(self.symbols)

    @property
    def where(self) -> str:
        return " and ".join(self.symbols) or self.change.path


Found = Mapping[str, anchors.Found]


def find_all(data: bytes, symbols: Iterable[str]) -> dict[str, anchors.Found]:
    return {symbol: anchors.find(data, symbol) for symbol in symbols}


def holders(found: Found, lines: Iterable[int]) -> frozenset[str]:
    """The anchors that hold all of these lines, which are 0-based."""
    wanted = set(lines)
    return frozenset(symbol for symbol, one in found.items() if one.span and wanted.issubset(one.span.lines))


def landed_in(before: Found, after: Found, hunk: Hunk, fit: apply.Fit) -> frozenset[str]:
    """The anchors that hold the removed lines before and the added ones after."""
    old = holders(before, (fit.old_line + line for line in hunks.old_touched(hunk)))
    return old & holders(after, (fit.new_line + line for line in hunks.new_touched(hunk)))


def owners(before: Found, after: Found, changes: Sequence[Hunk]) -> tuple[frozenset[str], ...]:
    """The anchors of each hunk on the base itself, where every hunk lies at its own line."""
    return tuple(
        landed_in(
            before,
            after,
            hunk,
            apply.Fit(old_line=max(hunk.old_start - 1, 0), new_line=max(hunk.new_start - 1, 0), places=1),
        )
        for hunk in changes
    )


def standing_in(found: Found, body: hunks.Body, hunk: Hunk) -> frozenset[str]:
    """The anchors in which the hunk's post-image already stands."""
    held: frozenset[str] = frozenset()
    for at in apply.occurrences(body, hunks.new_image(hunk)):
        held |= holders(found, (at + line for line in hunks.new_touched(hunk)))
    return held


def spot(work: Work, index: int, line: int, inside: frozenset[str]) -> HunkPlace:
    """The place of hunk `index`, whose first line stands on `line` (0-based) of the target."""
    offset = line - max(work.change.hunks[index].old_start - 1, 0)
    return HunkPlace(file=work.change.path, line=line + 1, offset=offset, anchor=", ".join(sorted(inside)))
