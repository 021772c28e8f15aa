"""What was decided on an event, frozen: it goes from gate to run to publish, compared before each step."""

from enum import StrEnum

from bot.model.patch import Value

PLAN_SCHEMA = "upstream-bot/plan/1"


class Verb(StrEnum):
    """The commands of DESIGN 7."""

    TEST = "test"
    APPLY = "apply"
    BACKPORT = "backport"
    RETRY = "retry"
    REBASE = "rebase"
    STATUS = "status"
    HELP = "help"


class Wish(Value, frozen=True, kw_only=True):
    """One command that was read: its arguments are checked for form only. `line` counts from 1."""

    verb: Verb
    words: tuple[str, ...] = ()
    line: int = 0


class Misread(Value, frozen=True, kw_only=True):
    """A line that begins as a command and is none: why, and what was perhaps meant. `text` is foreign."""

    text: str
    reason: str
    near: str = ""
    line: int = 0


class Frozen(Value, frozen=True, kw_only=True):
    """What a decision was made on. If any of it differs later, the later step stops and says so."""

    repo: str
    repo_id: int
    number: int
    head_repo: str
    head_repo_id: int
    head: str
    base: str
    base_commit: str
    comment: int
    created: str
    body_sha256: str


class Plan(Value, frozen=True, kw_only=True):
    """`asker` may command; `attempt` counts deliveries or re-runs from 1; `patch` is the patch's id;
    `refused` are lines, or branches, of the same comment that are not carried out.

    The newer of two plans has the later `frozen.created`, then the larger comment id.
    """

    schema: str
    patch: str
    frozen: Frozen
    asker: str
    asker_id: int
    wishes: tuple[Wish, ...]
    attempt: int = 1
    refused: tuple[Misread, ...] = ()
