"""What an earlier run of the very same thing saw is not erased by a later one that saw something else."""

import msgspec

from bot.model import Outcome, TargetEvidence, TestRow

TESTS = ("probes", "keep", "hazards")


def joined(earlier: TargetEvidence, later: TargetEvidence) -> TargetEvidence:
    """The later evidence; when a row came out otherwise before, all rows hold both runs."""
    pairs = {name: paired(getattr(earlier, name), getattr(later, name)) for name in TESTS}
    if not any(differs(old, new) for each in pairs.values() for old, new in each):
        return later
    rows = {name: tuple(join(old, new) for old, new in each) for name, each in pairs.items()}
    return msgspec.structs.replace(later, **rows)


def paired(earlier: tuple[TestRow, ...], later: tuple[TestRow, ...]) -> list[tuple[TestRow, TestRow]]:
    known = {(row.id, row.rank): row for row in earlier}
    return [(known.get((row.id, row.rank), row), row) for row in later]


def differs(old: TestRow, new: TestRow) -> bool:
    return seen(old.before) != seen(new.before) or seen(old.after) != seen(new.after)


def join(old: TestRow, new: TestRow) -> TestRow:
    return msgspec.structs.replace(new, before=old.before + new.before, after=old.after + new.after)


def seen(outcomes: tuple[Outcome, ...]) -> set[tuple[str, str | None]]:
    """What two runs must have in common to be the same: the kind and the exception."""
    return {(one.outcome, one.exception) for one in outcomes}
