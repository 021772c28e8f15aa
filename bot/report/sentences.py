"""Every sentence the bot says about verdicts, states and isolation, in one place."""

from collections import Counter
from collections.abc import Iterable

from bot.model import State, Verdict

#: One mark per verdict; whatever is not named here is red.
MARKS = {
    Verdict.PROVEN: "✅",
    Verdict.NOT_APPLICABLE: "\N{HEAVY MINUS SIGN}",
    Verdict.NOT_RUN: "⚪",
    Verdict.CURED_UNCONTROLLED: "🟡",
}
RED = "❌"

VERDICTS = {
    Verdict.NOT_APPLICABLE: "there is nothing to cure here, so nothing was run",
    Verdict.NO_TESTS: "the patch has no probe, or a required one was never collected: nothing is proven",
    Verdict.BASE_BROKEN: "a keep-test already fails without the patch: the base is broken, not the patch",
    Verdict.INCONCLUSIVE: "a crash, a timeout or missing results: neither cured nor not cured was seen",
    Verdict.FLAKY: "the same test came out differently from run to run; it is never retried to green",
    Verdict.WRONG_FAILURE: "a probe fails before, but not in the declared way: that is not this defect",
    Verdict.DEFECT_NOT_REPRODUCED: "a probe does not fail before: the defect was not seen here",
    Verdict.REGRESSION: "with the patch a keep-test or a check breaks that did not break before",
    Verdict.NOT_CURED: "the defect was seen, and no probe passes with the patch",
    Verdict.PARTLY_CURED: "the defect was seen, and some ranks or probes still fail with the patch",
    Verdict.HAZARD_CHANGED: "cured, but a hazard beside the defect behaves otherwise than declared",
    Verdict.NOT_RUN: "something that is required could not run here: neither green nor red",
    Verdict.WEAK_TESTS: "cured, but a control failed: these tests would miss a wrong patch",
    Verdict.CURED_UNCONTROLLED: "cured in every run, but the controls of the tests themselves were not run",
    Verdict.PROVEN: "every required probe fails before in the declared way and passes after, in all runs; "
    "keep-tests pass on both sides, hazards are as declared, all controls hold",
}

STATES = {
    State.PATCH_INVALID: "the patch itself is refused by its linter",
    State.BRANCH_MISSING: "the upstream has no such branch",
    State.BRANCH_REWRITTEN: "the branch was rewritten since it was last seen: older proof is void",
    State.UNKNOWN: "it could not be found out",
    State.NOT_AFFECTED_YET: "the defect has not come to this branch",
    State.NOT_AFFECTED_ANYMORE: "the code that had the defect is gone from this branch",
    State.UPSTREAM_IDENTICAL: "the branch already has exactly this cure",
    State.AMBIGUOUS: "the patch fits in more than one way or place",
    State.UPSTREAM_PARTIAL: "the branch already has a part of this cure",
    State.APPLIES_EXACT: "the patch fits, line for line, in the right function",
    State.APPLIES_MERGED: "the patch fits by a clean three-way merge only: it needs a refresh",
    State.UPSTREAM_EQUIVALENT: "the branch is cured already, in other words",
    State.CONFLICTS: "the patch does not fit this branch",
    State.CONFLICTS_UNPROBED: "the patch does not fit this branch, and no probe was tried there",
}

ISOLATION = {
    "none": "The code under test ran as the same user as the bot: the verdict can be recomputed from the "
    "outcomes, but nothing defends the outcomes themselves against that code.",
    "user": "The code under test ran as another user than the bot.",
    "namespace": "The code under test ran in a namespace of its own.",
    "job": "The code under test ran in a job of its own, without a token.",
}
UNKNOWN_ISOLATION = "The evidence does not say in known words how the code under test was kept apart."

NOTHING_LEFT_OUT = "Nothing: every declared test and control ran on every target."
NO_OBJECTION = "None was declared in the patch, and none was found."
NO_CONTROLS = "the controls (sham, ablation, mutants) did not run"
NO_GPU = "GPU: this evidence names no run on one."
NO_REAL_RANKS = "Real ranks: every rank was simulated in one process; none had a process of its own."
NO_OUTCOMES = "No test ran on any target."
NOTHING_PROVEN = "Nothing is proven by this evidence. What was seen:"
CUT = "Left out here: too long for one comment. The evidence file has it all."


def of_state(state: State, name: str) -> str:
    """The sentence of a state for a target of this name: a release is no branch."""
    told = STATES[state]
    return told.replace("branch", "release") if name.startswith("pypi/") else told


def mark(verdict: Verdict) -> str:
    return MARKS.get(verdict, RED)


def overall(verdicts: Iterable[Verdict]) -> str:
    """The mark of a whole report: red wins, then what could not run, then proven."""
    seen = {mark(verdict) for verdict in verdicts}
    order = (
        RED,
        MARKS[Verdict.NOT_RUN],
        MARKS[Verdict.CURED_UNCONTROLLED],
        MARKS[Verdict.PROVEN],
        MARKS[Verdict.NOT_APPLICABLE],
    )
    return next((one for one in order if one in seen), MARKS[Verdict.NOT_RUN])


def summary(verdicts: Iterable[Verdict]) -> str:
    """`2 proven, 1 not_applicable`, in the order of first appearance."""
    counts = Counter(verdicts)
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "no target was judged"
