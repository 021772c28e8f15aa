"""The decision table, row by row and in its order."""

import pytest

from bot.model import State
from bot.survey.decide import RULES, Facts, Merge, decide

ABSENT = "f is not in a.py"
EXACT = Facts(applies=True, merge=Merge.SAME, changes=2, offset=0, where="f")
TABLE = [
    (Facts(missing=True), State.BRANCH_MISSING, "the upstream has no branch of this name"),
    (Facts(problem="timed out"), State.UNKNOWN, "timed out"),
    (Facts(absent=ABSENT, cause="nobody knows"), State.UNKNOWN, f"{ABSENT}, and nobody knows"),
    (
        Facts(absent=ABSENT, has_cause=False, cause="c is not here"),
        State.NOT_AFFECTED_YET,
        f"{ABSENT}, and c is not here",
    ),
    (
        Facts(absent=ABSENT, has_cause=True, cause="c is here"),
        State.NOT_AFFECTED_ANYMORE,
        f"{ABSENT}, though c is here",
    ),
    (
        Facts(landed=True, merge=Merge.UNCHANGED, where="f"),
        State.UPSTREAM_IDENTICAL,
        "the change is already in f",
    ),
    (
        Facts(landed=True, merge=Merge.NO_BASE, where="f"),
        State.UPSTREAM_IDENTICAL,
        "the change is already in f",
    ),
    (Facts(unclear="f is defined 2 times"), State.AMBIGUOUS, "f is defined 2 times"),
    (
        Facts(merge=Merge.UNCHANGED, where="f"),
        State.AMBIGUOUS,
        "merging the patch changes nothing, though the change is not in f",
    ),
    (
        Facts(merge=Merge.OTHER, where="f"),
        State.AMBIGUOUS,
        "a three-way merge puts the change outside f",
    ),
    (
        Facts(there=1, changes=2, where="f", merge=Merge.CONFLICT),
        State.UPSTREAM_PARTIAL,
        "1 of 2 changed lines is already in f",
    ),
    (
        Facts(there=2, changes=3, where="f", merge=Merge.OTHER, merge_fits=True),
        State.UPSTREAM_PARTIAL,
        "2 of 3 changed lines are already in f",
    ),
    (EXACT, State.APPLIES_EXACT, "applies at its own line"),
    (
        Facts(merge=Merge.OTHER, merge_fits=True),
        State.APPLIES_MERGED,
        "applies only by a three-way merge from its base: the patch needs a refresh",
    ),
    (
        Facts(merge=Merge.CONFLICT, where="f", failed="hunk 1 of a.py"),
        State.CONFLICTS,
        "f is there, but hunk 1 of a.py does not apply",
    ),
]
AMBIGUOUS = {
    "both directions succeed (P11)": Facts(applies=True, reverses=True, merge=Merge.SAME),
    "the place is not confirmed (P6)": Facts(applies=True, objection="elsewhere", merge=Merge.SAME),
    "the merge differs": Facts(applies=True, merge=Merge.OTHER, merge_fits=True),
    "the merge changes nothing": Facts(applies=True, merge=Merge.UNCHANGED),
    "both texts stand in the anchor (P11)": Facts(
        applies=True, reverses=True, landed=True, merge=Merge.NO_BASE
    ),
}


@pytest.mark.parametrize(("facts", "state", "detail"), TABLE, ids=lambda value: str(value)[:40])
def test_each_row_of_the_table(facts: Facts, state: State, detail: str) -> None:
    assert decide(facts) == (state, detail)


@pytest.mark.parametrize("situation", AMBIGUOUS)
def test_an_application_that_succeeds_is_ambiguous_when(situation: str) -> None:
    assert decide(AMBIGUOUS[situation])[0] is State.AMBIGUOUS


@pytest.mark.parametrize(
    ("offset", "said"),
    [
        (-161, "applies 161 lines higher"),
        (-1, "applies 1 line higher"),
        (3, "applies 3 lines lower"),
        (None, "applies at its own line"),
    ],
)
def test_the_offset_is_told_in_words(offset: int | None, said: str) -> None:
    assert decide(Facts(applies=True, offset=offset))[1] == said


@pytest.mark.parametrize("merge", [Merge.NO_BASE, Merge.CONFLICT, Merge.SAME])
def test_without_an_objection_a_missing_or_failing_merge_stops_no_exact_application(merge: Merge) -> None:
    assert decide(Facts(applies=True, merge=merge))[0] is State.APPLIES_EXACT


def test_the_first_rule_that_holds_wins() -> None:
    everything = Facts(
        missing=True, problem="p", absent=ABSENT, unclear="u", applies=True, landed=True, there=1
    )
    assert decide(everything)[0] is State.BRANCH_MISSING
    assert [state for state, _ in RULES] == [state for state in State if state in dict(RULES)]
