"""What a change of state means, and whether somebody must look."""

import pytest

from bot.carry import watching
from bot.carry.watching import Kind
from bot.model import Row, State


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (State.APPLIES_EXACT, State.UPSTREAM_IDENTICAL, Kind.FIXED),
        (State.CONFLICTS, State.UPSTREAM_EQUIVALENT, Kind.FIXED),
        (State.APPLIES_EXACT, State.NOT_AFFECTED_ANYMORE, Kind.FIXED),
        (State.UPSTREAM_IDENTICAL, State.APPLIES_EXACT, Kind.LOST),
        (State.UPSTREAM_EQUIVALENT, State.CONFLICTS, Kind.LOST),
        (State.APPLIES_EXACT, State.CONFLICTS, Kind.BROKEN),
        (State.APPLIES_MERGED, State.UNKNOWN, Kind.BROKEN),
        (State.APPLIES_MERGED, State.APPLIES_EXACT, Kind.CHANGED),
        (State.NOT_AFFECTED_YET, State.APPLIES_EXACT, Kind.CHANGED),
        (State.CONFLICTS, State.AMBIGUOUS, Kind.CHANGED),
    ],
)
def test_a_change_of_state_has_one_meaning(before: State, after: State, kind: Kind) -> None:
    assert watching.turn(before, after) is kind


@pytest.mark.parametrize(
    ("kind", "state", "action"),
    [
        (Kind.LOST, State.APPLIES_EXACT, True),
        (Kind.BROKEN, State.CONFLICTS, True),
        (Kind.GONE, State.BRANCH_MISSING, True),
        (Kind.REWRITTEN, State.BRANCH_REWRITTEN, True),
        (Kind.MOVED, State.APPLIES_EXACT, False),
        (Kind.FIXED, State.UPSTREAM_IDENTICAL, False),
        (Kind.NEW, State.APPLIES_EXACT, True),
        (Kind.NEW, State.NOT_AFFECTED_YET, False),
        (Kind.CHANGED, State.APPLIES_EXACT, True),
    ],
)
def test_what_needs_somebody(kind: Kind, state: State, action: bool) -> None:
    row = Row(ref="refs/heads/a", name="a", head=None, state=state)
    assert watching.needs_action(kind, row) is action
