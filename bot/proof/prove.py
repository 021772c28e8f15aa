"""Prove subjects: what has not changed comes from the cache, the rest runs before and after."""

import sys
from collections.abc import Callable, Sequence

import msgspec

from bot.model import PROVABLE, Outcome, Subject, TargetEvidence, Test, TestRow, Verdict
from bot.model import Kind as OutcomeKind
from bot.proof import cache, plan, rounds, scratch, verdict
from bot.proof.rounds import Ask, Found, Progress

#: Makes sure that the store has the files of these subjects.
Bring = Callable[[Sequence[Subject]], None]


def prove(
    ask: Ask, subjects: Sequence[Subject], progress: Progress, bring: Bring
) -> tuple[TargetEvidence, ...]:
    """Judge every subject, in order. Raises BotError when no proof can be run at all.

    `bring` is called with those that must be run, before their trees are laid out.
    """
    known = {} if ask.fresh else recall(ask, subjects)
    todo = [subject for subject in subjects if subject.name not in known and needs_run(ask, subject)]
    if todo:
        bring(todo)
    found = run(ask, todo, progress) if todo else {}
    for subject in todo:
        target = judge(ask, subject, found)
        cache.write(ask.cache, key_of(ask, subject), target)
        known[subject.name] = target
    return tuple(known.get(subject.name) or judge(ask, subject, {}) for subject in subjects)


def run(ask: Ask, subjects: Sequence[Subject], progress: Progress) -> Found:
    """Run the tests, where this machine can; outcomes by side and slot."""
    if sys.platform != "linux":
        return idle(ask, subjects, f"proofs need Linux, this is {sys.platform}")
    with scratch.directory() as place:
        return rounds.run(ask, subjects, place, progress)


def idle(ask: Ask, subjects: Sequence[Subject], reason: str) -> Found:
    """Say of every test that it was not run."""
    outcome = Outcome(outcome=OutcomeKind.NOT_RUN, reason=reason)
    slots = plan.slots(ask.tests, ask.runs).values()
    return {
        (subject.name, after): dict.fromkeys(slots, outcome)
        for subject in subjects
        for after in (False, True)
    }


def needs_run(ask: Ask, subject: Subject) -> bool:
    """Whether there is anything to run: both sides, or the before side when it was asked for."""
    if not ask.patch.manifest.probes or subject.before_tree is None:
        return False
    return subject.row.state in PROVABLE or ask.force


def recall(ask: Ask, subjects: Sequence[Subject]) -> dict[str, TargetEvidence]:
    """Return the subjects whose outcomes are in the cache, judged anew, under today's name and head."""
    found = {}
    for subject in subjects:
        stored = cache.read(ask.cache, key_of(ask, subject)) if needs_run(ask, subject) else None
        if stored is not None:
            rows = {
                name: getattr(stored, name) for name in ("probes", "keep", "hazards", "checks", "controls")
            }
            found[subject.name] = conclude(ask, msgspec.structs.replace(bare(subject), cached=True, **rows))
    return found


def key_of(ask: Ask, subject: Subject) -> str:
    return cache.key(ask.patch, subject, ask.environment, {"runs": ask.runs, "state": subject.row.state})


def judge(ask: Ask, subject: Subject, found: Found) -> TargetEvidence:
    """Build the evidence of one subject from its outcomes."""
    if not any(name == subject.name for name, _ in found):
        return conclude(ask, bare(subject))
    before = found.get((subject.name, False), {})
    after = found[subject.name, True] if (subject.name, True) in found else unpatched(ask)

    def rows(tests: tuple[Test, ...]) -> tuple[TestRow, ...]:
        return plan.rows(tests, ask.runs, before, after)

    manifest = ask.patch.manifest
    with_rows = msgspec.structs.replace(
        bare(subject), probes=rows(manifest.probes), keep=rows(manifest.keep), hazards=rows(manifest.hazards)
    )
    return conclude(ask, with_rows)


def unpatched(ask: Ask) -> plan.Side:
    outcome = Outcome(outcome=OutcomeKind.NOT_RUN, reason="the patch changes nothing here")
    return dict.fromkeys(plan.slots(ask.tests, ask.runs).values(), outcome)


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
    """Set the verdict and its reason from the outcomes."""
    judgement = verdict.judge(ask.patch.manifest, target, ask.runs)
    return msgspec.structs.replace(target, verdict=judgement.verdict, reason=judgement.reason)
