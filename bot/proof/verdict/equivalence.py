"""Cured already in other words: all probes pass on a branch that the patch does not fit (DESIGN 3)."""

from bot.model import Kind, Manifest, Outcome, State, TargetEvidence, Test, TestRow
from bot.proof.verdict.trial import gather

#: States of the text that a run of the probes without the patch can tell more of.
PROBEABLE = frozenset({State.AMBIGUOUS, State.UPSTREAM_PARTIAL, State.CONFLICTS})


def is_cured(manifest: Manifest, target: TargetEvidence) -> bool:
    """Whether every required test was seen to pass before, on every rank and in every run."""
    required = [test for test in (*manifest.probes, *manifest.keep) if test.required]
    probes = [test for test in manifest.probes if test.required]
    return bool(probes) and all(passes(test, (*target.probes, *target.keep)) for test in required)


def passes(test: Test, rows: tuple[TestRow, ...]) -> bool:
    before = gather(test, rows).on("before")
    return len(before) == test.world and all(side.passed for side in before)


def told(manifest: Manifest, target: TargetEvidence) -> str:
    """What the probes showed without the patch; "" when they were not run."""
    outcomes = [one for row in target.probes if row.required for one in row.before]
    if not outcomes or all(one.outcome is Kind.NOT_RUN for one in outcomes):
        return ""
    if is_cured(manifest, target):
        return "all required probes and keep-tests pass without the patch: it is cured in other words"
    failed = sum(one.outcome is Kind.FAIL for one in outcomes)
    if failed:
        return f"without the patch {failed} of {len(outcomes)} outcomes of its probes are failures"
    return f"the probes tell nothing: {first_other(outcomes)}"


def first_other(outcomes: list[Outcome]) -> str:
    return next((f"{one.outcome}" for one in outcomes if one.outcome is not Kind.PASS), "a keep-test fails")
