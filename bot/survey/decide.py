"""The state of a patch on one target, from facts alone: a table of rules, first match wins (DESIGN 3)."""

from collections.abc import Callable
from enum import StrEnum

from bot.model import State, Value


class Merge(StrEnum):
    """What a three-way merge from the recorded base says."""

    NO_BASE = "no_base"
    CONFLICT = "conflict"
    UNCHANGED = "unchanged"
    SAME = "same"  # as the strict application
    OTHER = "other"  # clean, and something else than the strict application, or there is none


class Facts(Value, frozen=True, kw_only=True):
    """All that the decision rests on. Texts are clauses without a full stop; "" means that it is not so.

    `absent`: no anchor (or no file) is there; `moved`: where it is now. `has_cause`: whether the cause is in
    the target's history, None when that cannot be told; `cause` says it. `unclear`: which anchor cannot be
    used. `applies`: all hunks, strictly. `objection`: why its place is not confirmed. `landed`: all
    post-images sit in their anchors. `there` of `changes` changed lines are in place. `merge_fits`: the merge
    changes anchors only.
    """

    missing: bool = False
    problem: str = ""
    absent: str = ""
    moved: str = ""
    has_cause: bool | None = None
    cause: str = ""
    unclear: str = ""
    applies: bool = False
    reverses: bool = False
    objection: str = ""
    landed: bool = False
    there: int = 0
    changes: int = 0
    merge: Merge = Merge.NO_BASE
    merge_fits: bool = False
    offset: int | None = None
    where: str = "its place"
    failed: str = ""


def branch_missing(facts: Facts) -> str:
    return "the upstream has no branch of this name" if facts.missing else ""


def unknown(facts: Facts) -> str:
    if facts.problem:
        return facts.problem
    return f"{facts.absent}, and {facts.cause}" if facts.absent and facts.has_cause is None else ""


def not_affected_yet(facts: Facts) -> str:
    return f"{facts.absent}, and {facts.cause}" if facts.absent and facts.has_cause is False else ""


def not_affected_anymore(facts: Facts) -> str:
    gone = facts.absent and facts.has_cause and not facts.moved
    return f"{facts.absent}, though {facts.cause}" if gone else ""


def upstream_identical(facts: Facts) -> str:
    # Where the untouched text stands in the anchor as well, the fixed one beside it decides nothing.
    untouched = facts.applies and not facts.objection
    if facts.landed and not untouched and facts.merge in {Merge.UNCHANGED, Merge.NO_BASE}:
        return f"the change is already in {facts.where}"
    return ""


def ambiguous(facts: Facts) -> str:
    return facts.unclear or (misplaced(facts) if facts.applies else misled(facts))


def misplaced(facts: Facts) -> str:
    """Why an application that succeeded proves no place."""
    if facts.reverses:
        return "the patch can be applied and taken back: both texts are in the file"
    if facts.merge in {Merge.UNCHANGED, Merge.OTHER} and not facts.objection:
        return "the patch applies, but a three-way merge from its base gives another result"
    return facts.objection


def misled(facts: Facts) -> str:
    """Why a merge that succeeded proves no place."""
    if facts.merge is Merge.UNCHANGED and not facts.landed:
        return f"merging the patch changes nothing, though the change is not in {facts.where}"
    if facts.merge is Merge.OTHER and not facts.merge_fits:
        return f"a three-way merge puts the change outside {facts.where}"
    return ""


def upstream_partial(facts: Facts) -> str:
    if not facts.there:
        return ""
    verb = "is" if facts.there == 1 else "are"
    return f"{facts.there} of {facts.changes} changed lines {verb} already in {facts.where}"


def applies_exact(facts: Facts) -> str:
    if not facts.applies:
        return ""
    distance = abs(facts.offset or 0)
    lines = "line" if distance == 1 else "lines"
    if not facts.offset:
        return "applies at its own line"
    return f"applies {distance} {lines} {'higher' if facts.offset < 0 else 'lower'}"


def applies_merged(facts: Facts) -> str:
    clean = facts.merge is Merge.OTHER and facts.merge_fits
    return "applies only by a three-way merge from its base: the patch needs a refresh" if clean else ""


def conflicts(facts: Facts) -> str:
    if facts.absent:
        return f"{facts.absent}: {facts.moved}"
    return f"{facts.where} is there, but {facts.failed or 'the patch'} does not apply"


Rule = Callable[[Facts], str]
RULES: tuple[tuple[State, Rule], ...] = (
    (State.BRANCH_MISSING, branch_missing),
    (State.UNKNOWN, unknown),
    (State.NOT_AFFECTED_YET, not_affected_yet),
    (State.NOT_AFFECTED_ANYMORE, not_affected_anymore),
    (State.UPSTREAM_IDENTICAL, upstream_identical),
    (State.AMBIGUOUS, ambiguous),
    (State.UPSTREAM_PARTIAL, upstream_partial),
    (State.APPLIES_EXACT, applies_exact),
    (State.APPLIES_MERGED, applies_merged),
    (State.CONFLICTS, conflicts),
)


def decide(facts: Facts) -> tuple[State, str]:
    """The state and one plain clause that says why."""
    # The last rule always holds, so there is always a first that does.
    return next((state, detail) for state, rule in RULES if (detail := rule(facts)))
