"""What GitHub holds, as frozen values; one file only sees raw payloads. Times are UTC, ISO 8601."""

from enum import StrEnum

from bot.model.patch import Value


class Account(Value, frozen=True, kw_only=True):
    """`kind` is GitHub's word: `User`, `Bot` or `Organization`."""

    id: int
    login: str
    kind: str = "User"


class Repository(Value, frozen=True, kw_only=True):
    """`name` is `owner/name`; a repository that moved has another name and the same id."""

    id: int
    name: str
    default_branch: str = ""


class Side(Value, frozen=True, kw_only=True):
    """One end of a pull request; `repository` is None when the fork was deleted."""

    branch: str
    commit: str
    repository: Repository | None


class Pull(Value, frozen=True, kw_only=True):
    """`merge_commit` is GitHub's trial merge, or the real one after the merge; None where there is none."""

    number: int
    title: str
    body: str
    author: Account
    base: Side
    head: Side
    open: bool
    merged: bool
    draft: bool
    locked: bool
    labels: tuple[str, ...]
    merge_commit: str | None
    created: str
    url: str


class Draft(Value, frozen=True, kw_only=True):
    """A pull request to open; `head` is `owner:branch` or a branch of the same repository."""

    head: str
    base: str
    title: str
    body: str
    draft: bool = True


class Comment(Value, frozen=True, kw_only=True):
    """A comment on the conversation of a pull request."""

    id: int
    author: Account
    body: str
    created: str
    updated: str
    url: str = ""


class Reaction(Value, frozen=True, kw_only=True):
    """`content` is the API's word: +1, -1, laugh, confused, heart, hooray, rocket, eyes."""

    id: int
    author: Account
    content: str


class Commit(Value, frozen=True, kw_only=True):
    """`author` and `committer` are `Name <address>`; `account` is who GitHub takes the author for."""

    id: str
    message: str
    author: str
    committer: str
    account: Account | None
    verified: bool
    verification: str


class ChangedFile(Value, frozen=True, kw_only=True):
    """`status` is the API's word: added, removed, modified, renamed, copied, changed, unchanged."""

    path: str
    status: str
    additions: int
    deletions: int
    previous: str = ""


class CheckRun(Value, frozen=True, kw_only=True):
    """`conclusion` is empty until `status` is completed; `app` is the App's slug."""

    id: int
    name: str
    status: str
    conclusion: str
    app: str
    commit: str
    url: str


class WorkflowRun(Value, frozen=True, kw_only=True):
    """`status` may be `waiting` (an environment's approval) or `action_required` by its conclusion."""

    id: int
    name: str
    event: str
    branch: str
    commit: str
    status: str
    conclusion: str
    attempt: int
    created: str
    url: str


class Annotation(Value, frozen=True, kw_only=True):
    """`level` is notice, warning or failure; lines count from 1."""

    path: str
    first_line: int
    last_line: int
    level: str
    title: str
    message: str


class Why(StrEnum):
    """Why GitHub refused, told apart as far as its answers allow."""

    UNAUTHORIZED = "unauthorized"  # 401: no token, or one that has run out
    FORBIDDEN = "forbidden"  # 403 that is about rights
    LIMITED = "limited"  # 403 or 429 that is about rates, and patience ran out
    MISSING = "missing"  # 404: not there, or not to be seen with these rights
    GONE = "gone"  # 410
    INVALID = "invalid"  # 422: GitHub's own rules
    LOCKED = "locked"  # 403 on a locked conversation
    BROKEN = "broken"  # 5xx to the end
    UNREACHABLE = "unreachable"  # no answer in time
