"""From a manifest's tests to units for the engine, and from outcomes back to rows."""

from collections.abc import Iterator, Mapping, Sequence

from bot.model import Kind as OutcomeKind
from bot.model import Launcher, Outcome, Test, TestRow, Value
from bot.proof import devices, engine


class Slot(Value, frozen=True, kw_only=True):
    """Where an outcome belongs."""

    test: str
    rank: int
    run: int


Cell = tuple[int, int, Test, tuple[int, ...]]
Side = Mapping[Slot, Outcome]


class Schedule(Value, frozen=True, kw_only=True):
    """Which tests run how often on one side; `device` is what the command line asked for."""

    tests: tuple[Test, ...]
    runs: int
    device: str = "auto"

    def cells(self) -> Iterator[Cell]:
        """Yield (unit number, run, test, ranks), run by run, so that repetitions are apart in time."""
        able = [test for test in self.tests if not devices.objection(test, self.device)]
        order = ((run, test, ranks) for run in range(self.runs) for test in able for ranks in groups(test))
        for number, (run, test, ranks) in enumerate(order):
            yield number, run, test, ranks

    def units(self) -> tuple[engine.Unit, ...]:
        """Lay out every run of every test that can run here."""
        return tuple(map(unit, self.cells()))

    def slots(self) -> dict[tuple[int, int], Slot]:
        """Map (unit number, rank) to where its outcome belongs."""
        return {
            (number, rank): Slot(test=test.id, rank=rank, run=run)
            for number, run, test, ranks in self.cells()
            for rank in ranks
        }

    def rows(self, tests: Sequence[Test], before: Side, after: Side) -> tuple[TestRow, ...]:
        """Build one row per (test, rank) of `tests`, with an outcome for every run on each side."""
        return tuple(
            TestRow(
                id=test.id,
                rank=rank,
                world=test.world,
                launcher=test.launcher,
                required=test.required,
                before=self.outcomes(test, rank, before),
                after=self.outcomes(test, rank, after),
            )
            for test in tests
            for rank in range(test.world)
        )

    def outcomes(self, test: Test, rank: int, side: Side) -> tuple[Outcome, ...]:
        """What came out of every run of one rank; what can't or didn't run says so."""
        reason = devices.objection(test, self.device)
        if reason:
            return (Outcome(outcome=OutcomeKind.NOT_RUN, reason=reason),) * self.runs
        lost = Outcome(outcome=OutcomeKind.MISSING, reason="no result came back")
        return tuple(side.get(Slot(test=test.id, rank=rank, run=run), lost) for run in range(self.runs))

    def everywhere(self, outcome: Outcome) -> dict[Slot, Outcome]:
        """The same outcome in every slot."""
        return dict.fromkeys(self.slots().values(), outcome)


def groups(test: Test) -> Iterator[tuple[int, ...]]:
    """Yield the ranks that make one unit together: fake ranks need no others."""
    if test.launcher is not Launcher.FAKE:
        yield tuple(range(test.world))
        return
    for rank in range(test.world):
        yield (rank,)


def unit(cell: Cell) -> engine.Unit:
    number, run, test, ranks = cell
    return engine.Unit(
        number=number,
        test=test.test,
        launcher=test.launcher,
        device=test.device,
        world=test.world,
        ranks=ranks,
        run=run,
        timeout=test.timeout,
    )
