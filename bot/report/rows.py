"""Test rows made short for reading: runs counted, equal ranks joined, equal targets joined."""

from collections import Counter
from collections.abc import Callable, Iterable

from bot.model import Kind, Outcome, TargetEvidence, TestRow, Value

TIMES = "\N{MULTIPLICATION SIGN}"
#: Outcomes that say that nothing ran.
IDLE = frozenset({Kind.SKIP, Kind.NOT_RUN, Kind.MISSING})

Rows = Callable[[TargetEvidence], Iterable[TestRow]]


class Line(Value, frozen=True, kw_only=True):
    """One change of one test on some ranks, runs counted: `NameError x3 → pass x3`. All foreign text."""

    test: str
    ranks: str
    change: str
    passes: bool


def short(outcome: Outcome) -> str:
    """A failure's exception, else the outcome's own word."""
    if outcome.outcome is Kind.FAIL and outcome.exception:
        return outcome.exception
    more = f"signal {outcome.signal}" if outcome.signal else outcome.exception
    if outcome.outcome in {Kind.SKIP, Kind.NOT_RUN}:
        more = outcome.reason
    return f"{outcome.outcome} ({more})" if more else str(outcome.outcome)


def tally(outcomes: Iterable[Outcome]) -> str:
    counts = Counter(map(short, outcomes))
    return ", ".join(f"{word} {TIMES}{count}" for word, count in counts.items()) or "no outcome"


def span(ranks: Iterable[int]) -> str:
    """`rank 0`, `ranks 1 to 3`, `ranks 0, 2`."""
    each = sorted(set(ranks))
    if len(each) == 1:
        return f"rank {each[0]}"
    if len(each) > 2 and each == list(range(each[0], each[-1] + 1)):  # noqa: PLR2004 (two are told apart)
        return f"ranks {each[0]} to {each[-1]}"
    return f"ranks {', '.join(map(str, each))}"


def lines(rows: Iterable[TestRow]) -> tuple[Line, ...]:
    """One line for each test and change, the ranks that share it joined."""
    groups: dict[tuple[str, str, bool], list[int]] = {}
    for row in rows:
        change = f"{tally(row.before)} → {tally(row.after)}"
        groups.setdefault((row.id, change, passes(row)), []).append(row.rank)
    return tuple(
        Line(test=test, ranks=span(ranks), change=change, passes=good)
        for (test, change, good), ranks in groups.items()
    )


def passes(row: TestRow) -> bool:
    return bool(row.after) and all(outcome.outcome is Kind.PASS for outcome in row.after)


def passing(rows: Iterable[TestRow]) -> tuple[int, int]:
    """How many tests pass after on every rank, and how many there are."""
    good: dict[str, bool] = {}
    for row in rows:
        good[row.id] = good.get(row.id, True) and passes(row)
    return sum(good.values()), len(good)


def by_target(targets: Iterable[TargetEvidence], rows: Rows) -> dict[Line, list[str]]:
    """The lines of all targets, each with the names of the targets that show it."""
    found: dict[Line, list[str]] = {}
    for target in targets:
        for line in lines(rows(target)):
            found.setdefault(line, []).append(target.name)
    return found


def all_rows(target: TargetEvidence) -> tuple[TestRow, ...]:
    return (*target.probes, *target.keep, *target.hazards)


def seconds(target: TargetEvidence) -> float:
    """Seconds that all outcomes of a target took, added up."""
    return sum(one.seconds for row in all_rows(target) for one in (*row.before, *row.after))


def left_out(rows: Iterable[TestRow]) -> dict[tuple[str, str], list[int]]:
    """(test, why) → ranks, for rows with an outcome that says that nothing ran."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        idle = (one for one in (*row.before, *row.after) if one.outcome in IDLE)
        one = next(idle, None)
        if one:
            why = f"{one.outcome}: {one.reason}" if one.reason else f"{one.outcome}, no reason given"
            found.setdefault((row.id, why), []).append(row.rank)
    return found
