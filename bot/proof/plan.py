"""From a manifest's tests to units for the engine, and from outcomes back to rows."""

from collections.abc import Iterator, Mapping, Sequence

from bot.model import Device, Launcher, Outcome, Test, TestRow, Value
from bot.model import Kind as OutcomeKind
from bot.proof import engine

#: Launchers that the child harness has, and whether their ranks run beside each other.
TOGETHER = {Launcher.FAKE: False}


class Slot(Value, frozen=True, kw_only=True):
    """Where an outcome belongs."""

    test: str
    rank: int
    run: int


def cells(tests: Sequence[Test], runs: int) -> Iterator[tuple[int, int, Test, tuple[int, ...]]]:
    """Yield (unit number, run, test, ranks), run by run, so that repetitions are apart in time."""
    order = ((run, test, ranks) for run in range(runs) for test in tests for ranks in groups(test))
    for number, (run, test, ranks) in enumerate(order):
        yield number, run, test, ranks


def units(tests: Sequence[Test], runs: int) -> tuple[engine.Unit, ...]:
    """Lay out every run of every test that can run here."""
    return tuple(
        engine.Unit(
            number=number,
            test=test.test,
            launcher=test.launcher,
            world=test.world,
            ranks=ranks,
            run=run,
            timeout=test.timeout,
        )
        for number, run, test, ranks in cells(tests, runs)
    )


def slots(tests: Sequence[Test], runs: int) -> dict[tuple[int, int], Slot]:
    """Map (unit number, rank) to where its outcome belongs."""
    return {
        (number, rank): Slot(test=test.id, rank=rank, run=run)
        for number, run, test, ranks in cells(tests, runs)
        for rank in ranks
    }


def groups(test: Test) -> Iterator[tuple[int, ...]]:
    """Yield the ranks that make one unit together."""
    if cannot_run(test):
        return
    if TOGETHER[test.launcher]:
        yield tuple(range(test.world))
        return
    for rank in range(test.world):
        yield (rank,)


def cannot_run(test: Test) -> str:
    """Say why a test cannot run here, or nothing."""
    if test.device is Device.GPU:
        return "no CUDA device"
    if test.launcher not in TOGETHER:
        return f"no launcher {test.launcher} in this version"
    return ""


Side = Mapping[Slot, Outcome]


def rows(tests: Sequence[Test], runs: int, before: Side, after: Side) -> tuple[TestRow, ...]:
    """Build one row per (test, rank) with an outcome for every run on each side."""
    return tuple(
        TestRow(
            id=test.id,
            rank=rank,
            world=test.world,
            launcher=test.launcher,
            required=test.required,
            before=outcomes(test, rank, runs, before),
            after=outcomes(test, rank, runs, after),
        )
        for test in tests
        for rank in range(test.world)
    )


def outcomes(test: Test, rank: int, runs: int, side: Side) -> tuple[Outcome, ...]:
    reason = cannot_run(test)
    if reason:
        return (Outcome(outcome=OutcomeKind.NOT_RUN, reason=reason),) * runs
    lost = Outcome(outcome=OutcomeKind.MISSING, reason="no result came back")
    return tuple(side.get(Slot(test=test.id, rank=rank, run=run), lost) for run in range(runs))
