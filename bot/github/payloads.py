"""The parts of GitHub's payloads that we read, and what of them may be null."""

from msgspec import Struct


class User(Struct):
    id: int
    login: str
    type: str = "User"


class Repo(Struct):
    id: int
    full_name: str
    default_branch: str | None = None


class End(Struct):
    """The branch of a fork that was deleted has a name still, and no repository."""

    ref: str
    sha: str
    repo: Repo | None = None


class Label(Struct):
    name: str


class Pull(Struct):
    number: int
    title: str
    user: User | None
    base: End
    head: End
    state: str
    created_at: str
    html_url: str = ""
    body: str | None = None
    merged: bool = False
    merged_at: str | None = None
    draft: bool = False
    locked: bool = False
    labels: list[Label] = []
    merge_commit_sha: str | None = None


class Comment(Struct):
    id: int
    user: User | None
    created_at: str
    updated_at: str
    body: str | None = None
    html_url: str = ""


class Reaction(Struct):
    id: int
    user: User | None
    content: str


class Person(Struct):
    name: str | None = None
    email: str | None = None


class Verification(Struct):
    verified: bool = False
    reason: str = ""


class Written(Struct):
    message: str
    author: Person | None = None
    committer: Person | None = None
    verification: Verification | None = None


class Taken(Struct):
    """GitHub answers `{}` in place of an account now and then."""

    id: int | None = None
    login: str = ""
    type: str = "User"


class Commit(Struct):
    sha: str
    commit: Written
    author: Taken | None = None


class File(Struct):
    filename: str
    status: str
    additions: int = 0
    deletions: int = 0
    previous_filename: str | None = None


class Comparison(Struct):
    files: list[File] = []


class App(Struct):
    slug: str | None = None


class Check(Struct):
    id: int
    name: str
    status: str
    head_sha: str
    conclusion: str | None = None
    external_id: str | None = None
    app: App | None = None
    html_url: str | None = None


class Checks(Struct):
    check_runs: list[Check]


class Note(Struct):
    path: str
    start_line: int
    end_line: int
    annotation_level: str | None = None
    title: str | None = None
    message: str | None = None


class Run(Struct):
    id: int
    event: str
    head_sha: str
    created_at: str
    name: str | None = None
    head_branch: str | None = None
    status: str | None = None
    conclusion: str | None = None
    run_attempt: int = 1
    html_url: str = ""


class Runs(Struct):
    workflow_runs: list[Run]


class Named(Struct):
    name: str


class Target(Struct):
    sha: str


class Ref(Struct):
    object: Target


class Role(Struct):
    """`permission` knows GitHub's four old words only; an organisation may make up its own role names."""

    permission: str
    role_name: str = ""
