"""Rules about the side after the patch, its hazards and its controls."""

from bot.proof.checks import judging
from bot.proof.verdict.case import Record, state_line
from bot.proof.verdict.trial import Side, counted
from bot.proof.verdict.words import QUOTED, listed, seen, wanted


def broken_after(record: Record) -> str | None:
    trials = (trial for trial in counted(record.keep) if not trial.idle)
    sides = (side for trial in trials for side in trial.on("after") if not side.passed)
    tests = [f"keep-test {side.where}: {seen(side.outcomes[0])}" for side in sides]
    rows = record.case.checks
    new = [f"check {row.id}: {finding[:QUOTED]}" for row in rows for finding in judging.new(row)]
    return listed(tests + new) if record.provable else None


def uncured(record: Record) -> list[Side]:
    return [side for trial in record.active for side in trial.on("after") if not side.passed]


def nothing_cured(record: Record) -> str | None:
    failing = uncured(record)
    total = sum(len(trial.on("after")) for trial in record.active)
    if not failing or len(failing) < total:
        return None
    return f"no probe passes after; {failing[0].where}: {seen(failing[0].outcomes[0])}"


def some_uncured(record: Record) -> str | None:
    failing = [f"{side.where}: {seen(side.outcomes[0])}" for side in uncured(record)]
    declared = {check.id: check for check in record.manifest.checks}
    rows = [row for row in record.case.checks if row.id in declared]
    found = [
        f"check {row.id} still finds {one!r}"
        for row in rows
        for one in judging.staying(declared[row.id], row)
    ]
    named = listed(failing + found)
    return named and f"does not pass: {named}"


def undeclared_hazard(record: Record) -> str | None:
    for trial in counted(record.hazards):
        gap = trial.gap(record.runs)
        if gap:
            return f"hazard {gap}"
        odd = next((side for side in trial.sides if not trial.idle and not side.as_declared), None)
        if odd:
            return f"hazard {odd.where}: declared {wanted(odd.declared)}, seen {seen(odd.outcomes[0])}"
    return None


def could_not_run(record: Record) -> str | None:
    if not record.provable:
        return state_line(record.case)
    trials = (*record.probes, *record.keep, *record.hazards)
    idle = [trial for trial in trials if trial.idle and (trial.test.required or not record.active)]
    parts = [f"{trial.test.id}: {seen(trial.outcomes[0])}" for trial in idle]
    rows = {row.id: row for row in record.case.checks}
    checks = [judging.idle(one, rows.get(one.id)) for one in record.manifest.checks]
    return listed(parts + [f"check {one}" for one in checks if one])


def weak_control(record: Record) -> str | None:
    weak = [f"{row.kind} {row.what[:QUOTED]!r} did not hold" for row in record.case.controls if not row.held]
    return listed(weak) if record.provable else None


def no_control(record: Record) -> str | None:
    asked = record.manifest.controls
    kinds = {"sham": asked.sham, "ablation": asked.ablation, "mutant": asked.mutants}
    run = {row.kind for row in record.case.controls} if record.case.controls_run else set()
    lacking = [kind for kind, on in kinds.items() if on and kind not in run]
    if not record.provable or (run and not lacking):
        return None
    return f"controls not run: {listed(lacking) or 'the manifest asks for none'}"


def all_proven(record: Record) -> str | None:
    if not record.active or not all(trial.proves(record.runs) for trial in record.active):
        return None
    return (
        f"every required probe fails before with its signature and passes after, in all of {record.runs} runs"
    )
