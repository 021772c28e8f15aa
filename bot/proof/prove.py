"""Prove subjects: what has not changed comes from the cache, the rest runs before and after."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from bot.model import (
    CheckRow,
    ControlRow,
    Manifest,
    Outcome,
    State,
    Subject,
    TargetEvidence,
    Test,
    TestRow,
    Value,
    Verdict,
)
from bot.model import Kind as OutcomeKind
from bot.proof import cache, checks, controls, history, plan, rounds, scratch, verdict
from bot.proof.cache import Stored
from bot.proof.isolation import Level
from bot.proof.rounds import Ask, Progress, Round
from bot.proof.sides import AFTER, BEFORE, Side
from bot.proof.verdict import equivalence

#: What evidence holds of outcomes.
ROWS = ("probes", "keep", "hazards", "checks", "controls")
#: Makes sure that the store has the files of these subjects.
Bring = Callable[[Sequence[Subject]], None]


class Proven(Value, frozen=True, kw_only=True):
    """Every subject judged, in order, and the weakest isolation under which an outcome came about."""

    targets: tuple[TargetEvidence, ...]
    isolation: Level


def prove(ask: Ask, subjects: Sequence[Subject], progress: Progress, bring: Bring) -> Proven:
    """Judge every subject. Raises BotError when no proof can be run at all.

    `bring` is called with those that must be run, before their trees are laid out.
    """
    known = {} if ask.fresh else recall(ask, subjects)
    todo = [subject for subject in subjects if subject.name not in known and needs_run(ask, subject)]
    if todo:
        bring(todo)
        known |= run(ask, todo, progress)
    levels = {stored.isolation for stored in known.values()} or {Level.NONE}
    return Proven(
        targets=tuple(
            known[one.name].target if one.name in known else conclude(ask, bare(one)) for one in subjects
        ),
        isolation=Level.NONE if Level.NONE in levels else Level.NAMESPACE,
    )


def run(ask: Ask, subjects: Sequence[Subject], progress: Progress) -> dict[str, Stored]:
    """Run tests and checks, where this machine can, and store what came out."""
    if sys.platform != "linux":
        reason = f"proofs need Linux, this is {sys.platform}"
        return {one.name: Stored(target=idle(ask, one, reason), isolation=Level.NONE) for one in subjects}
    with scratch.directory() as place:
        done = rounds.run(ask, subjects, place, progress)
        progress(0, 0, "running the checks")
        checked = checks.run(check_order(ask, subjects, place))
    stored = {}
    for subject in subjects:
        rows = checked.get(subject.name, ())
        target = judge(ask, subject, Ran(sides=done.sides[subject.name], done=done, checks=rows))
        stored[subject.name] = remember(ask, subject, Stored(target=target, isolation=done.isolation))
    return stored


def remember(ask: Ask, subject: Subject, now: Stored) -> Stored:
    """Store what came out, beside what an earlier run of the same saw otherwise."""
    key = key_of(ask, subject)
    earlier = cache.read(ask.cache, key)
    if earlier is not None:
        both = conclude(ask, history.joined(earlier.target, now.target))
        now = Stored(target=both, isolation=now.isolation)
    cache.write(ask.cache, key, now)
    return now


def check_order(ask: Ask, subjects: Sequence[Subject], place: Path) -> checks.CheckOrder:
    return checks.CheckOrder(
        checks=ask.patch.manifest.checks,
        environment=ask.environment,
        store=ask.store,
        subjects=tuple(subjects),
        cache=ask.cache,
        scratch=place,
        fresh=ask.fresh,
    )


def needs_run(ask: Ask, subject: Subject) -> bool:
    """Whether there is anything to run: both sides, or only before where that tells more or was asked."""
    if not ask.patch.manifest.probes or subject.before_tree is None:
        return False
    return subject.after_tree is not None or ask.force or is_probed(subject.kind, subject.row.state)


def is_probed(kind: str, state: State) -> bool:
    """Whether a branch that the patch does not fit may be cured already in other words."""
    return kind == "branch" and state in verdict.PROBEABLE


def recall(ask: Ask, subjects: Sequence[Subject]) -> dict[str, Stored]:
    """Return the subjects whose outcomes are in the cache, judged anew, under today's name and head."""
    found = {}
    for subject in subjects:
        stored = cache.read(ask.cache, key_of(ask, subject)) if needs_run(ask, subject) else None
        if stored is not None:
            rows = {name: getattr(stored.target, name) for name in ROWS}
            target = conclude(ask, msgspec.structs.replace(bare(subject), cached=True, **rows))
            found[subject.name] = Stored(target=target, isolation=stored.isolation)
    return found


def key_of(ask: Ask, subject: Subject) -> str:
    how: dict[str, object] = {
        "runs": ask.runs,
        "controls": ask.controls and ask.patch.manifest.controls,
        "limits": ask.limits,
        "device": ask.device,
        "state": subject.row.state,
    }
    return cache.key(ask.patch, subject, ask.environment, how)


class Ran(Value, frozen=True, kw_only=True):
    """What came out for one subject."""

    sides: tuple[Side, ...]
    done: Round
    checks: tuple[CheckRow, ...]


def judge(ask: Ask, subject: Subject, ran: Ran) -> TargetEvidence:
    """Build the evidence of one subject from its outcomes."""
    found = {side.label: ran.done.of(side) for side in ran.sides}
    nothing = Outcome(outcome=OutcomeKind.NOT_RUN, reason="the patch changes nothing here")
    after = found[AFTER] if AFTER in found else ask.schedule.everywhere(nothing)
    target = with_rows(ask, bare(subject), found[BEFORE], after)
    held = tuple(
        control_row(ask, side, side.control, found[side.label]) for side in ran.sides if side.control
    )
    return conclude(ask, msgspec.structs.replace(target, controls=held, checks=ran.checks))


def control_row(ask: Ask, side: Side, control: controls.Control, found: plan.Side) -> ControlRow:
    """Judge a control by the tests that ran on it."""
    manifest = ask.patch.manifest
    once = plan.Schedule(tests=manifest.probes + manifest.keep, runs=1, device=ask.device)
    left_out = Outcome(outcome=OutcomeKind.NOT_RUN, reason="left out of controls")
    unasked = [
        slot for slot in once.slots().values() if slot.test not in {test.id for test in side.schedule.tests}
    ]
    seen = {**dict.fromkeys(unasked, left_out), **found}
    probes, keep = (once.rows(tests, {}, seen) for tests in (manifest.probes, manifest.keep))
    return controls.hold(control, manifest, probes, keep)


def with_rows(ask: Ask, target: TargetEvidence, before: plan.Side, after: plan.Side) -> TargetEvidence:
    def rows(tests: tuple[Test, ...]) -> tuple[TestRow, ...]:
        return ask.schedule.rows(tests, before, after)

    manifest = ask.patch.manifest
    return msgspec.structs.replace(
        target, probes=rows(manifest.probes), keep=rows(manifest.keep), hazards=rows(manifest.hazards)
    )


def idle(ask: Ask, subject: Subject, reason: str) -> TargetEvidence:
    """Say of every test that it was not run."""
    side = ask.schedule.everywhere(Outcome(outcome=OutcomeKind.NOT_RUN, reason=reason))
    return conclude(ask, with_rows(ask, bare(subject), side, side))


def bare(subject: Subject) -> TargetEvidence:
    """Return the evidence of a subject of which nothing was run; its reason is the survey's."""
    row = subject.row
    return TargetEvidence(
        kind=subject.kind,
        name=subject.name,
        head=subject.head,
        base_commit=subject.base_commit,
        before_tree=subject.before_tree,
        after_tree=subject.after_tree,
        state=row.state,
        verdict=Verdict.NOT_RUN,
        reason=row.detail,
        cached=False,
    )


def conclude(ask: Ask, target: TargetEvidence) -> TargetEvidence:
    """Set the verdict and its reason from the outcomes; a cure in other words wins over the text's state."""
    if is_probed(target.kind, target.state):
        target = probed(ask.patch.manifest, target)
    judgement = verdict.judge(ask.patch.manifest, target, ask.runs)
    return msgspec.structs.replace(target, verdict=judgement.verdict, reason=judgement.reason)


def probed(manifest: Manifest, target: TargetEvidence) -> TargetEvidence:
    """The target with what its probes showed before."""
    told = equivalence.told(manifest, target)
    if equivalence.is_cured(manifest, target):
        return msgspec.structs.replace(target, state=State.UPSTREAM_EQUIVALENT, reason=told)
    return msgspec.structs.replace(target, reason=f"{target.reason}; {told}") if told else target
