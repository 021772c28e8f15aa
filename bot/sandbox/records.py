"""What the sandbox remembers of each thing: records that change under the world's one lock."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot import git
from bot.model.hub import Account, Annotation
from bot.sandbox.backing import Changed, Logged


class Kind(StrEnum):
    """Kinds of tokens; GitHub's rules differ by them."""

    CLASSIC = "classic"  # a person's, with scopes
    FINE = "fine"  # a person's, with rights on chosen repositories
    APP = "app"  # an App's installation
    ACTIONS = "actions"  # a workflow's own
    JWT = "jwt"  # an App itself: it may only ask for installation tokens


#: What a workflow's token may, unless its workflow says otherwise.
ACTIONS_RIGHTS = {
    "issues": "write", "pull_requests": "write", "checks": "write",
    "contents": "write", "actions": "read", "metadata": "read",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Token:
    """`rights` (area → read or write) bind all but classic tokens, `scopes` these.

    None: no end, all repositories.
    """

    value: str
    owner: Account
    kind: Kind = Kind.CLASSIC
    scopes: frozenset[str] = frozenset({"repo"})
    rights: dict[str, str] = field(default_factory=dict)
    repositories: frozenset[int] | None = None
    expires: float | None = None
    app: str = ""


@dataclass(kw_only=True)
class Label:
    id: int
    name: str
    color: str = "ededed"
    description: str = ""


@dataclass(kw_only=True)
class Repository:
    """`rights`: account id → permission. A deleted one keeps its record for the pulls that name it."""

    id: int
    owner: Account
    name: str
    git: git.Repo
    created: float
    private: bool = False
    default_branch: str = "main"
    parent: int | None = None
    issues: bool = True
    deleted: bool = False
    rights: dict[int, str] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    pulls: "dict[int, Pull]" = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"


@dataclass(kw_only=True)
class Pull:
    """`judged` is the (base, head) of trial merge, files and commits; `thinking`: answers without it."""

    id: int
    number: int
    repo: int
    title: str
    body: str
    author: Account
    base: str
    head_repo: int
    head_branch: str
    created: float
    updated: float
    base_commit: str = ""
    head: str = ""
    open: bool = True
    merged: bool = False
    draft: bool = False
    locked: bool = False
    closed: float | None = None
    merged_at: float | None = None
    merger: Account | None = None
    labels: list[str] = field(default_factory=list)
    reviewers: list[Account] = field(default_factory=list)
    merge_commit: str | None = None
    mergeable: bool | None = None
    judged: tuple[str, str] = ("", "")
    files: list[Changed] = field(default_factory=list)
    commits: list[Logged] = field(default_factory=list)
    thinking: int = 0


@dataclass(frozen=True, kw_only=True)
class Version:
    """A text as it was from `tick` on, which was at `moment`; None: deleted."""

    tick: int
    moment: float
    text: str | None


@dataclass(kw_only=True)
class Comment:
    """Every version is kept, so that a stale list can be told."""

    id: int
    repo: int
    number: int
    author: Account
    created: float
    versions: list[Version]
    app: str = ""

    @property
    def body(self) -> str | None:
        return self.versions[-1].text

    @property
    def updated(self) -> float:
        return self.versions[-1].moment


@dataclass(kw_only=True)
class Reaction:
    """One by an account on a comment; `removed` is None while it stands."""

    id: int
    comment: int
    author: Account
    content: str
    created: Version
    removed: Version | None = None


@dataclass(kw_only=True)
class Check:
    id: int
    repo: int
    commit: str
    name: str
    app: str
    started: float
    status: str = "queued"
    conclusion: str | None = None
    completed: float | None = None
    external: str = ""
    details: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[Annotation] = field(default_factory=list)


@dataclass(kw_only=True)
class Run:
    """A workflow's run."""

    id: int
    repo: int
    name: str
    event: str
    branch: str
    commit: str
    created: float
    status: str = "completed"
    conclusion: str | None = "success"
    attempt: int = 1
    path: str = ".github/workflows/ci.yml"


@dataclass(kw_only=True)
class Review:
    id: int
    author: Account
    state: str
    body: str
    commit: str
    submitted: float
