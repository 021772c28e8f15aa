"""The nouns of vetting: what upstream's process shows of a pull request, and what that makes of it."""

from enum import StrEnum

from msgspec import field

from bot.model.hub import ChangedFile, CheckRun, Comment, Commit, Pull, WorkflowRun
from bot.model.patch import Value, Vetting


class Stage(StrEnum):
    """Where a pull request stands in upstream's process; the numbers are its rows there."""

    UNKNOWN = "unknown"  # GitHub did not say what must be known
    DRAFT = "draft"  # 2: converted, or never marked as ready
    NEEDS_VETTING = "needs_vetting"  # 3
    VETTED_OLDER = "vetted_older"  # 3, and an earlier head was vetted
    ACCEPTED = "accepted"  # an approval of the head was accepted; the mirror is not there yet
    RUN_APPROVAL = "run_approval"  # no run, or runs that wait for a maintainer's button
    VETTED = "vetted"  # 4
    RUNNING = "running"  # 5, 8
    POLICY = "policy"  # 6: a rule about people, not a test
    QUEUED = "queued"  # 7
    QUEUED_LONG = "queued_long"  # 7, for longer than is normal
    TESTED = "tested"  # 9: green, and tests did run
    NO_EVIDENCE = "no_evidence"  # 9: green, and the tests were skipped
    FAILED = "failed"  # 9
    SUPERSEDED = "superseded"  # 10
    IN_REVIEW = "in_review"  # 11, 12
    APPROVED = "approved"  # 12
    MERGE_QUEUE = "merge_queue"  # 13
    MERGED = "merged"
    RELEASE_MISSING = "release_missing"  # 14: a release's label, and no pull request to it
    RELEASED = "released"  # 14
    SYNCING = "syncing"  # 15, 16: merged, and being copied to the other main branch
    STALE = "stale"  # 17
    CLOSED = "closed"


class Turn(StrEnum):
    """Who can do the next step."""

    CONTRIBUTOR = "contributor"
    VETTER = "vetter"
    UPSTREAM = "upstream"
    NOBODY = "nobody"


class Uncounted(StrEnum):
    """Why a comment that looks like an approval does not count."""

    OTHER_COMMAND = "other_command"  # `/ok-to-test` is another bot's
    NO_COMMIT = "no_commit"
    NOT_A_COMMIT = "not_a_commit"
    MORE_TEXT = "more_text"  # it must stand alone
    CODE = "code"
    QUOTED = "quoted"
    TWO_COMMITS = "two_commits"  # a link whose text and address differ
    OLDER_COMMIT = "older_commit"
    NO_REACTION = "no_reaction"  # not from a vetter, or not read yet
    UNSEEN_REACTION = "unseen_reaction"  # GitHub did not tell us the reactions


class Approval(Value, frozen=True, kw_only=True):
    """A comment that is, or looks like, the vetter's command; `uncounted` None: it counts for the head.

    `commit` is what was written, in lower case; `author` is foreign text.
    """

    comment: int
    author: str
    created: str
    commit: str
    uncounted: Uncounted | None


class Seen(Value, frozen=True, kw_only=True):
    """What the API showed at `now`. Of `reactions`: comment → whether the gatekeeper answered with 👍.

    `mirror` is the commit of the mirror ref, None where there is none. `checks` are those of the head,
    `older_checks` those of the mirror's commit where that is another one. `queued_merge`: the head is in the
    merge queue. `carried` are pull requests that carry this one elsewhere. `untold` names what GitHub did not
    tell; `me` is our account's id, 0 where the token cannot ask.
    """

    vetting: Vetting
    pull: Pull
    now: str
    mirror: str | None = None
    comments: tuple[Comment, ...] = ()
    reactions: dict[int, bool] = field(default_factory=dict)
    checks: tuple[CheckRun, ...] = ()
    older_checks: tuple[CheckRun, ...] = ()
    runs: tuple[WorkflowRun, ...] = ()
    queued_merge: bool = False
    carried: tuple[Pull, ...] = ()
    untold: tuple[str, ...] = ()
    me: int = 0


class Standing(Value, frozen=True, kw_only=True):
    """What `Seen` amounts to. `vetted_head`: the commit that was vetted last, None where none is known.

    `next` says what happens next and whose turn it is; `request` what a vetter is asked, or None. `detail`
    names checks, labels or branches: foreign text. `base` and `merge` are what would be built.
    """

    stage: Stage
    turn: Turn
    next: str
    request: str | None
    approvals: tuple[Approval, ...]
    head: str
    vetted_head: str | None
    base: str
    merge: str | None
    detail: tuple[str, ...] = ()
    waiting_hours: int = 0
    older: Stage | None = None
    untold: tuple[str, ...] = ()


class Area(StrEnum):
    """Paths that a vetter looks at first."""

    WORKFLOWS = "workflows"
    BUILD = "build"
    TESTS = "tests"
    OWNERS = "owners"
    LOCKS = "locks"
    SUBMODULES = "submodules"


class Likeness(StrEnum):
    """How the pull request's change relates to the patch's version that was proven."""

    SAME = "same"
    OTHER_WORDS = "other_words"  # a right cure in other words
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class Offer(Value, frozen=True, kw_only=True):
    """What one would be vetting. `unsigned`: commits without a sign-off by their author.

    `since` are the files that differ from `vetted_head`; None where nothing was vetted, or GitHub did not
    say. `hidden` names what GitHub did not tell.
    """

    files: tuple[ChangedFile, ...]
    touched: dict[Area, tuple[str, ...]]
    commits: tuple[Commit, ...]
    unsigned: tuple[str, ...]
    likeness: Likeness = Likeness.UNKNOWN
    vetted_head: str | None = None
    since: tuple[ChangedFile, ...] | None = None
    hidden: tuple[str, ...] = ()
