"""Answers and refusals, in GitHub's words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DOCS = "https://docs.github.com/rest"
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
    "If you reach out to GitHub Support for help, please include the request ID."
)
SECONDARY_DOCS = f"{DOCS}/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits"
PRIMARY_DOCS = f"{DOCS}/using-the-rest-api/rate-limits-for-the-rest-api#about-primary-rate-limits"
NO_INTEGRATION = "Resource not accessible by integration"
NO_PERSONAL = "Resource not accessible by personal access token"
NO_RIGHTS = "Must have admin rights to Repository."


@dataclass(frozen=True, kw_only=True)
class Answer:
    """`body` is JSON; a list answers one page of it. `text` goes out as it is, with its `kind`."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    text: bytes | None = None
    kind: str = "application/json; charset=utf-8"


class RefusedError(Exception):
    """The request ends with this answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def refused(
    status: int, message: str, *, docs: str = DOCS, headers: Mapping[str, str] | None = None, **more: Any
) -> RefusedError:
    body = {"message": message, **more, "documentation_url": docs, "status": str(status)}
    return RefusedError(Answer(status=status, body=body, headers=headers or {}))


def missing(docs: str = DOCS) -> RefusedError:
    return refused(404, "Not Found", docs=docs)


def invalid(resource: str, code: str, field_: str = "", message: str = "") -> RefusedError:
    """422, with one error in GitHub's form."""
    error = {"resource": resource, "code": code, "field": field_, "message": message}
    kept = {key: value for key, value in error.items() if value}
    return refused(422, "Validation Failed", errors=[kept])


def malformed(what: str) -> RefusedError:
    """422, as GitHub answers what its description of the call does not allow."""
    return refused(422, f"Invalid request.\n\n{what}")


def limited(status: int, retry_after: int | None) -> RefusedError:
    """A secondary rate limit."""
    wait = {} if retry_after is None else {"retry-after": str(retry_after)}
    return refused(status, SECONDARY, docs=SECONDARY_DOCS, headers=wait)
