"""Events: a webhook's payload becomes one small value; whatever is not for us is Ignored, with the reason."""

import hashlib
import hmac
from pathlib import Path

import msgspec
from msgspec import Struct

from bot.errors import BotError
from bot.model import Value
from bot.model.hub import Account, Comment, Repository
from bot.report import replies

#: GitHub sends no larger payload.
LARGEST = 25 * 1024 * 1024
#: What may change a head, a base, or what a report says of a pull request.
CHANGES = frozenset(
    "opened reopened synchronize edited closed converted_to_draft ready_for_review locked unlocked labeled"
    " unlabeled".split()
)
BOT_LOGIN = "[bot]"


class NewComment(Value, frozen=True, kw_only=True):
    """A comment that a person has just made on a pull request. `attempt` counts runs of the same event."""

    repo: str
    repo_id: int
    number: int
    comment: Comment
    sender: Account
    is_pull: bool = True
    attempt: int = 1


class PullChanged(Value, frozen=True, kw_only=True):
    repo: str
    repo_id: int
    number: int
    action: str
    sender: Account


class Ignored(Value, frozen=True, kw_only=True):
    reason: str


Event = NewComment | PullChanged | Ignored


class Person(Struct, frozen=True):
    id: int
    login: str
    type: str = "User"

    @property
    def account(self) -> Account:
        return Account(id=self.id, login=self.login, kind=self.type)


class Place(Struct, frozen=True):
    id: int
    full_name: str


class Said(Struct, frozen=True):
    id: int
    user: Person
    body: str | None
    created_at: str
    updated_at: str
    html_url: str = ""
    performed_via_github_app: dict[str, object] | None = None


class Thread(Struct, frozen=True):
    number: int
    pull_request: dict[str, object] | None = None


class CommentPayload(Struct, frozen=True):
    action: str
    comment: Said
    issue: Thread
    repository: Place
    sender: Person


class PullPayload(Struct, frozen=True):
    action: str
    pull_request: Thread
    repository: Place
    sender: Person


def read(path: Path, name: str = "", *, repo: str = "", attempt: int = 1) -> Event:
    """The event in a file such as GITHUB_EVENT_PATH names. Raises BotError for what is no JSON object.

    `name` is GITHUB_EVENT_NAME, or empty: then the payload tells. `repo` is whom we serve, empty for any.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise BotError(f"cannot read the event {path}: {error.strerror}", "give --event a file") from None
    return parse(data, name, repo=repo, attempt=attempt)


def parse(data: bytes, name: str = "", *, repo: str = "", attempt: int = 1) -> Event:
    fields = outline(data)
    match name or infer(fields):
        case "issue_comment":
            return commented(data, repo, attempt)
        case "pull_request" | "pull_request_target":
            return changed(data, repo)
        case "pull_request_review" | "pull_request_review_comment":
            return Ignored(reason=replies.REVIEW)
        case other:
            return Ignored(reason=replies.other_event(other))


def outline(data: bytes) -> dict[str, msgspec.Raw]:
    hint = "GITHUB_EVENT_PATH names the file that GitHub wrote"
    if len(data) > LARGEST:
        raise BotError(f"the event is larger than {LARGEST // 1024 // 1024} MiB", hint)
    try:
        return msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BotError(f"the event is no JSON object: {error}", hint) from None


def infer(fields: dict[str, msgspec.Raw]) -> str:
    """The event's name by what only it holds."""
    if "review" in fields:
        return "pull_request_review"
    if "comment" in fields and "pull_request" in fields:
        return "pull_request_review_comment"
    if "comment" in fields and "issue" in fields:
        return "issue_comment"
    return "pull_request" if "pull_request" in fields and "action" in fields else ""


def commented(data: bytes, repo: str, attempt: int) -> NewComment | Ignored:
    try:
        told = msgspec.json.decode(data, type=CommentPayload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Ignored(reason=replies.MALFORMED)
    place = Repository(id=told.repository.id, name=told.repository.full_name)
    if reason := not_for_us(told, repo):
        return Ignored(reason=reason)
    return comment_on(place, told.issue.number, noun(told.comment), attempt=attempt)


def not_for_us(told: CommentPayload, repo: str) -> str:
    reasons = (
        (told.action != "created", replies.comment_action(told.action)),
        (told.issue.pull_request is None, replies.PLAIN_ISSUE),
        (told.comment.performed_via_github_app is not None, replies.BY_A_BOT),
        (told.sender.id != told.comment.user.id, replies.OTHER_SENDER),
        (bool(repo) and repo.lower() != told.repository.full_name.lower(), replies.OTHER_REPOSITORY),
    )
    return next((reason for met, reason in reasons if met), "")


def noun(said: Said) -> Comment:
    return Comment(
        id=said.id,
        author=said.user.account,
        body=said.body or "",
        created=said.created_at,
        updated=said.updated_at,
        url=said.html_url,
    )


def comment_on(place: Repository, number: int, comment: Comment, *, attempt: int = 1) -> NewComment | Ignored:
    """The event of a comment on a pull request, as `poll` finds it or a webhook brings it."""
    if is_bot(comment.author):
        return Ignored(reason=replies.BY_A_BOT)
    return NewComment(
        repo=place.name,
        repo_id=place.id,
        number=number,
        comment=comment,
        sender=comment.author,
        attempt=attempt,
    )


def is_bot(account: Account) -> bool:
    return account.kind != "User" or account.login.lower().endswith(BOT_LOGIN)


def changed(data: bytes, repo: str) -> PullChanged | Ignored:
    try:
        told = msgspec.json.decode(data, type=PullPayload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Ignored(reason=replies.MALFORMED)
    if repo and repo.lower() != told.repository.full_name.lower():
        return Ignored(reason=replies.OTHER_REPOSITORY)
    if told.action not in CHANGES:
        return Ignored(reason=replies.pull_action(told.action))
    return PullChanged(
        repo=told.repository.full_name,
        repo_id=told.repository.id,
        number=told.pull_request.number,
        action=told.action,
        sender=told.sender.account,
    )


def is_signed(data: bytes, secret: str, signature: str) -> bool:
    """Whether `X-Hub-Signature-256` is GitHub's for these bytes; compared in constant time."""
    wanted = f"sha256={hmac.new(secret.encode(), data, hashlib.sha256).hexdigest()}"
    return bool(secret) and hmac.compare_digest(wanted.encode(), signature.encode("utf-8", "replace"))
