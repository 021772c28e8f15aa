"""Whether a control held: a sham flips nothing, and every other one is noticed by some test."""

from collections.abc import Callable, Sequence

from bot.model import ControlRow, Kind, Manifest, Test, TestRow
from bot.proof.controls.control import Control
from bot.proof.verdict.trial import declared_for, matches

#: What shows that a test went red; a test that was not run, or is lost, has noticed nothing.
RED = frozenset(
    {
        Kind.FAIL,
        Kind.SETUP_ERROR,
        Kind.IMPORT_ERROR,
        Kind.SYMBOL_MISSING,
        Kind.FAULT_NOT_FIRED,
        Kind.TIMEOUT,
        Kind.CRASH,
        Kind.OOM,
    }
)
Rows = Sequence[TestRow]


def hold(control: Control, manifest: Manifest, probes: Rows, keep: Rows) -> ControlRow:
    """Judge one control by the `after` of each row; what is in `before` is not looked at."""
    if control.kind == "sham":
        return sham(control, manifest, probes, keep)
    rows = [*probes, *keep]
    named = [name for test in required(manifest) for name in places(test, rows, is_red)]
    return told(control, named, held=bool(named))


def sham(control: Control, manifest: Manifest, probes: Rows, keep: Rows) -> ControlRow:
    """A sham holds when all is as before; a test that cannot run on this machine is not asked."""
    rows, named, shown = [*probes, *keep], list[str](), False
    for test in required(manifest):
        own = [one.outcome for row in rows if row.id == test.id for one in row.after]
        if own and all(one is Kind.NOT_RUN for one in own):
            continue
        probe = test in manifest.probes
        shown = shown or probe
        named += places(test, rows, flips_probe(test) if probe else flips_keep)
    return told(control, named, held=shown and not named)


def required(manifest: Manifest) -> list[Test]:
    return [test for test in (*manifest.probes, *manifest.keep) if test.required]


def is_red(row: TestRow | None) -> bool:
    return row is not None and any(one.outcome in RED for one in row.after)


def flips_keep(row: TestRow | None) -> bool:
    return row is None or not row.after or any(one.outcome is not Kind.PASS for one in row.after)


def flips_probe(test: Test) -> Callable[[TestRow | None], bool]:
    def flips(row: TestRow | None) -> bool:
        if row is None or not row.after:
            return True
        declared = declared_for(test.before, row.rank, test.world)
        return not all(matches(declared, one) for one in row.after)

    return flips


def places(test: Test, rows: Rows, seen: Callable[[TestRow | None], bool]) -> list[str]:
    """The test's id if it was seen on every rank, else the id with each rank on which it was seen."""
    by_rank = {row.rank: row for row in rows if row.id == test.id}
    found = [rank for rank in range(test.world) if seen(by_rank.get(rank))]
    if len(found) == test.world:
        return [test.id]
    return [f"{test.id} rank {rank}" for rank in found]


def told(control: Control, named: Sequence[str], *, held: bool) -> ControlRow:
    return ControlRow(kind=control.kind, what=control.what, held=held, noticed_by=tuple(sorted(named)))
