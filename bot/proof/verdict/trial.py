"""One test of the manifest beside its outcomes, and what the manifest declares for each side."""

import re
from collections.abc import Iterator

from bot.catalog import ranks
from bot.model import Expected, Kind, Outcome, Test, TestRow, Value

IDLE = frozenset({Kind.SKIP, Kind.NOT_RUN})
FAILED = frozenset({Kind.FAIL, Kind.SETUP_ERROR, Kind.IMPORT_ERROR, Kind.SYMBOL_MISSING})
#: How a harness begins the reason of a `missing` test that pytest never collected.
NOT_COLLECTED = "not collected"
#: As many characters of a foreign message are searched with the manifest's pattern.
SEARCHED = 2_000


class Side(Value, frozen=True, kw_only=True):
    """The outcomes of one test on one rank and one side, with what the manifest declares for them."""

    where: str
    name: str
    outcomes: tuple[Outcome, ...]
    declared: Expected | None

    @property
    def idle(self) -> bool:
        return all(outcome.outcome in IDLE for outcome in self.outcomes)

    @property
    def passed(self) -> bool:
        return bool(self.outcomes) and all(outcome.outcome is Kind.PASS for outcome in self.outcomes)

    @property
    def as_declared(self) -> bool:
        return bool(self.outcomes) and all(matches(self.declared, outcome) for outcome in self.outcomes)


class Trial(Value, frozen=True, kw_only=True):
    """One test of the manifest and its sides: before and after for each row that carries its id."""

    test: Test
    ranks: tuple[int, ...]
    sides: tuple[Side, ...]

    def on(self, name: str) -> tuple[Side, ...]:
        return tuple(side for side in self.sides if side.name == name)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(outcome for side in self.sides for outcome in side.outcomes)

    @property
    def idle(self) -> bool:
        return bool(self.outcomes) and all(side.idle for side in self.sides)

    @property
    def collected(self) -> bool:
        return bool(self.sides) and not (self.outcomes and all(map(is_uncollected, self.outcomes)))

    @property
    def counted(self) -> bool:
        """A test that is not required counts only if it ran."""
        absent = IDLE | {Kind.MISSING}
        return self.test.required or any(outcome.outcome not in absent for outcome in self.outcomes)

    def gap(self, runs: int) -> str | None:
        """Which rank or run has no outcome, if any."""
        if self.ranks != tuple(range(self.test.world)):
            return f"{self.test.id}: outcomes of ranks {list(self.ranks)}, of a world of {self.test.world}"
        short = next((side for side in self.sides if len(side.outcomes) < runs), None)
        return f"{short.where}: {len(short.outcomes)} of {runs} outcomes" if short else None

    def proves(self, runs: int) -> bool:
        """Whether every rank fails as declared before and passes after; a declared pass is no failure."""
        before, after = self.on("before"), self.on("after")
        signs = FAILED | {Kind.TIMEOUT}
        failed = all(outcome.outcome in signs for side in before for outcome in side.outcomes)
        cured = failed and all(side.as_declared for side in before) and all(side.passed for side in after)
        return cured and not self.gap(runs)


def gather(test: Test, rows: tuple[TestRow, ...]) -> Trial:
    own = sorted((row for row in rows if row.id == test.id), key=lambda row: row.rank)
    return Trial(
        test=test,
        ranks=tuple(row.rank for row in own),
        sides=tuple(
            Side(
                where=f"{test.id} rank {row.rank} {name}",
                name=name,
                outcomes=outcomes,
                declared=declared_for(declared, row.rank, test.world),
            )
            for row in own
            for name, outcomes, declared in (
                ("before", row.before, test.before),
                ("after", row.after, test.after),
            )
        ),
    )


def declared_for(declared: tuple[Expected, ...], rank: int, world: int) -> Expected | None:
    return next((one for one in declared if rank in ranks.expand(one.ranks, world)), None)


def matches(declared: Expected | None, seen: Outcome) -> bool:
    """Whether the outcome and every declared part of its signature are there: type, message, function."""
    return (
        declared is not None
        and declared.outcome == seen.outcome
        and declared.exception in ("", seen.exception)
        and declared.function in ("", seen.function)
        and re.search(declared.match, (seen.message or "")[:SEARCHED]) is not None
    )


def is_uncollected(outcome: Outcome) -> bool:
    return outcome.outcome is Kind.MISSING and (outcome.reason or "").startswith(NOT_COLLECTED)


def label(outcome: Outcome) -> tuple[str, str | None, str | None]:
    return (outcome.outcome, outcome.exception, outcome.function)


def counted(*groups: tuple[Trial, ...]) -> Iterator[Trial]:
    return (trial for group in groups for trial in group if trial.counted)
