"""The nouns of a survey: refs of an upstream and what a patch is to each (DESIGN 3)."""

from enum import StrEnum

from msgspec import field

from bot.model.patch import Value


class State(StrEnum):
    PATCH_INVALID = "patch_invalid"
    BRANCH_MISSING = "branch_missing"
    BRANCH_REWRITTEN = "branch_rewritten"
    UNKNOWN = "unknown"
    NOT_AFFECTED_YET = "not_affected_yet"
    NOT_AFFECTED_ANYMORE = "not_affected_anymore"
    UPSTREAM_IDENTICAL = "upstream_identical"
    AMBIGUOUS = "ambiguous"
    UPSTREAM_PARTIAL = "upstream_partial"
    APPLIES_EXACT = "applies_exact"
    APPLIES_MERGED = "applies_merged"
    UPSTREAM_EQUIVALENT = "upstream_equivalent"
    CONFLICTS = "conflicts"
    CONFLICTS_UNPROBED = "conflicts_unprobed"


#: States in which the patch changes the target, so that a proof can have an "after".
PROVABLE = frozenset({State.APPLIES_EXACT, State.APPLIES_MERGED})
#: States in which there is nothing to cure.
NOTHING_TO_CURE = frozenset(
    {
        State.NOT_AFFECTED_YET,
        State.NOT_AFFECTED_ANYMORE,
        State.UPSTREAM_IDENTICAL,
        State.UPSTREAM_EQUIVALENT,
    }
)


class Ref(Value, frozen=True, kw_only=True):
    """A branch or other ref. `full` resolves without ambiguity; `name` is what people type and read.

    `head` is a commit id, or None while it has not been brought. `note` is worth telling ("yanked: …").
    `problem` says why it could not be brought; `missing` that the upstream has no such ref.
    """

    full: str
    name: str
    head: str | None = None
    note: str = ""
    problem: str = ""
    missing: bool = False


class HunkPlace(Value, frozen=True, kw_only=True):
    """Where a hunk landed: 1-based line in the target, offset in lines, the anchor around it ("" = none)."""

    file: str
    line: int
    offset: int
    anchor: str


class Blame(Value, frozen=True, kw_only=True):
    commit: str
    number: int | None = None
    date: str = ""


class Row(Value, frozen=True, kw_only=True):
    """The state of a patch on one ref, with the contract's names (DESIGN 5)."""

    ref: str
    name: str
    head: str | None
    state: State
    overlay: str = ""
    detail: str = ""
    offset: int | None = None
    blob: str | None = None
    patched_blob: str | None = None
    hunks: tuple[HunkPlace, ...] = ()
    blame: Blame | None = None


class Subject(Value, frozen=True, kw_only=True):
    """What is to be proven: a row of the survey with the two trees. Trees are git object ids of the store.

    `before_blobs` and `after_blobs` map each touched path to its blob on that side; `after_tree` is None
    where the patch changes nothing. `patched_blobs` are the patch's own (for a branch those after), from
    which controls are made.
    """

    kind: str
    name: str
    head: str | None
    base_commit: str | None
    row: Row
    before_tree: str | None = None
    after_tree: str | None = None
    before_blobs: dict[str, str] = field(default_factory=dict)
    after_blobs: dict[str, str] = field(default_factory=dict)
    patched_blobs: dict[str, str] = field(default_factory=dict)
