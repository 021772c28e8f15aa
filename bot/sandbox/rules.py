"""Who may do what: rights of tokens by kind, and permissions of people."""

from typing import NoReturn

from bot.sandbox import answers, standing
from bot.sandbox.asking import Asked
from bot.sandbox.records import Kind, Pull, Repository, Token

BODY = 65_536
ANNOTATIONS = 50
CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")
#: Kinds that act for an App, not for a person.
INTEGRATIONS = (Kind.APP, Kind.ACTIONS)


def check_token(asked: Asked, areas: tuple[str, ...], *, write: bool) -> None:
    """Refuse what the token's kind, rights or scopes do not cover; any one of `areas` is enough."""
    token = asked.token
    if token is None:
        if write:
            raise answers.refused(401, "Requires authentication")
        return
    if token.kind is Kind.JWT and not asked.path.startswith("/app"):
        refuse_kind(token)
    if token.kind is Kind.CLASSIC:
        if write and areas and not token.scopes & {"repo", "public_repo"}:
            raise answers.missing()
        return
    if areas and not covered(token, areas, write=write):
        refuse_kind(token)


def covered(token: Token, areas: tuple[str, ...], *, write: bool) -> bool:
    """Metadata is always readable."""
    enough = ("write",) if write else ("read", "write")
    return (not write and "metadata" in areas) or any(token.rights.get(area) in enough for area in areas)


def refuse_kind(token: Token) -> NoReturn:
    """403, as GitHub answers a token whose kind or rights do not reach."""
    personal = token.kind is Kind.FINE
    raise answers.refused(403, answers.NO_PERSONAL if personal else answers.NO_INTEGRATION)


def reaches(token: Token, repo: Repository) -> bool:
    return token.repositories is None or repo.id in token.repositories


def check_reach(asked: Asked, repo: Repository, *, write: bool) -> None:
    """Refuse a write outside the repositories that the token was made for."""
    if write and asked.token and not reaches(asked.token, repo):
        refuse_kind(asked.token)


def acts_for_app(asked: Asked) -> bool:
    return asked.token is not None and asked.token.kind in INTEGRATIONS


def need(asked: Asked, repo: Repository, level: str, message: str = answers.NO_RIGHTS) -> None:
    """Refuse a person below that permission; an App was judged by its rights already."""
    if not acts_for_app(asked) and not standing.may(repo, asked.me, level):
        raise answers.refused(403, message)


def need_unlocked(asked: Asked, repo: Repository, pull: Pull, what: str) -> None:
    """Refuse on a locked conversation all but those who may write."""
    free = standing.may(repo, asked.me, "write") or acts_for_app(asked)
    if pull.locked and not free:
        raise answers.refused(403, f"Unable to create {what} because issue is locked.")


def check_body(text: str, resource: str) -> None:
    """Refuse what is empty or too long; GitHub counts characters."""
    if not text.strip():
        raise answers.invalid(resource, "missing_field", "body")
    check_length(text, resource)


def check_length(text: str, resource: str) -> None:
    if len(text) > BODY:
        message = f"Body is too long (maximum is {BODY} characters)"
        raise answers.invalid(resource, "unprocessable", "data", message)
