"""Rules about whether anything can be said at all, and about the side before the patch."""

from collections import Counter

from bot.model import NOTHING_TO_CURE, CheckRow, Kind, Outcome
from bot.proof.checks import judging
from bot.proof.verdict.case import Record, state_line
from bot.proof.verdict.trial import FAILED, Side, Trial, counted, label, matches
from bot.proof.verdict.words import listed, seen, wanted

BROKEN = frozenset({Kind.CRASH, Kind.TIMEOUT, Kind.OOM, Kind.MISSING})
UNHARMED = frozenset({Kind.PASS, Kind.XFAIL, Kind.XPASS, Kind.FAULT_NOT_FIRED})
#: What breaks the base when a keep-test shows it before; an import error is judged with the probes' own.
BASE_BROKEN = (FAILED | UNHARMED) - {Kind.PASS, Kind.IMPORT_ERROR}


def nothing_to_cure(record: Record) -> str | None:
    idle = record.case.state in NOTHING_TO_CURE and not record.provable
    return state_line(record.case) if idle else None


def never_collected(record: Record) -> str | None:
    if not record.provable:
        return None
    if not record.probes:
        return "the patch has no probes"
    lost = [trial.test.id for trial in record.probes if not trial.collected]
    required = [trial.test.id for trial in record.probes if trial.test.required and not trial.collected]
    named = listed(lost if len(lost) == len(record.probes) else required)
    return named and f"never collected: {named}"


def broken_base(record: Record) -> str | None:
    required = [side for trial in record.probes if trial.test.required for side in trial.on("before")]
    everywhere = all(one.outcome is Kind.IMPORT_ERROR for side in required for one in side.outcomes)
    # An import error that no probe declares is told as a wrong failure, not blamed on the keep-tests.
    told_later = bool(required) and everywhere and not any(side.as_declared for side in required)
    bad = BASE_BROKEN if told_later else BASE_BROKEN | {Kind.IMPORT_ERROR}
    sides = (side for trial in counted(record.keep) for side in trial.on("before"))
    hits = ((side, one) for side in sides for one in side.outcomes if one.outcome in bad)
    return next((f"keep-test {side.where}: {seen(one)}" for side, one in hits), None)


def doubt(record: Record) -> str | None:
    found = (gap_or_break(record, trial) for trial in counted(record.probes, record.keep))
    return next(filter(None, found), None)


def gap_or_break(record: Record, trial: Trial) -> str | None:
    for side in trial.sides:
        for one in side.outcomes:
            if one.outcome in BROKEN and not is_declared_hang(record, trial, side, one):
                baseline = "baseline " if side.name == "before" and one.outcome is Kind.TIMEOUT else ""
                return f"{baseline}{one.outcome}: {side.where}: {seen(one)}"
    idle = [side.where for side in trial.sides if side.outcomes and side.idle]
    if idle and len(idle) < len(trial.sides):
        return f"{idle[0]} did not run while another rank or side of it did"
    return trial.gap(record.runs)


def is_declared_hang(record: Record, trial: Trial, side: Side, one: Outcome) -> bool:
    """A hang is a signature only where it is declared and a keep-test had as long and passed."""
    fit = one.outcome is Kind.TIMEOUT and side.name == "before" and matches(side.declared, one)
    long = (keep for keep in record.keep if keep.test.timeout >= trial.test.timeout)
    passed = any(keep.sides and all(side.passed for side in keep.on("before")) for keep in long)
    return fit and passed and trial in record.probes


def mixed(record: Record) -> str | None:
    trials = counted(record.probes, record.keep, record.hazards)
    for side in (side for trial in trials for side in trial.sides):
        counts = Counter(map(label, side.outcomes))
        if len(counts) > 1:
            total = len(side.outcomes)
            told = (f"{n} of {total} {' '.join(filter(None, what[:2]))}" for what, n in counts.items())
            return f"{side.where}: {', '.join(told)}"
    return None


def wrong_signature(record: Record) -> str | None:
    sides = (side for trial in record.active for side in trial.on("before"))
    wrong = (
        (side, one)
        for side in sides
        for one in side.outcomes
        if one.outcome in FAILED and not matches(side.declared, one)
    )
    told = (f"{side.where}: expected {wanted(side.declared)}, seen {seen(one)}" for side, one in wrong)
    return next(told, None)


def no_defect(record: Record) -> str | None:
    sides = (side for trial in record.active for side in trial.on("before"))
    hits = ((side, one) for side in sides for one in side.outcomes if one.outcome in UNHARMED)
    told = next((f"{side.where}: {seen(one)}" for side, one in hits), None)
    return told or listed([f"check {row.id} does not find {one!r} before" for row, one in unseen(record)])


def unseen(record: Record) -> list[tuple[CheckRow, str]]:
    declared = {check.id: check for check in record.manifest.checks}
    rows = [row for row in record.case.checks if row.id in declared]
    return [(row, one) for row in rows for one in judging.unseen(declared[row.id], row)]
