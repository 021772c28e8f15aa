"""Requests as values, and the patient asking that every call goes through."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar
from urllib.parse import quote

import msgspec

from bot.github.patience import Answer, Patience, moment
from bot.github.port import Refusal
from bot.model import Value
from bot.model.hub import Why

T = TypeVar("T")

MOST = "100"
NEXT = re.compile(r'<([^>]+)>;\s*rel="next"')


class Request(Value, frozen=True, kw_only=True):
    """`path` is quoted already, or a whole address that GitHub gave."""

    method: str
    path: str
    query: Mapping[str, str] = {}
    body: Mapping[str, object] | None = None


class Line(Protocol):
    """One try each time: what came back, or that nothing did."""

    def send(self, request: Request) -> Answer: ...
    def renew(self) -> bool:
        """Whether there is another token now."""


def path(*parts: object) -> str:
    """A path of quoted parts, in which slashes stay. Raises Refusal for one that would lead elsewhere."""
    steps = "/".join(str(part) for part in parts).split("/")
    if any(step in {"", ".", ".."} for step in steps):
        raise Refusal(Why.INVALID, f"{'/'.join(steps)!r} names nothing on GitHub", "check the name")
    return "/" + "/".join(quote(step, safe="") for step in steps)


def of(repo: str, *parts: object) -> str:
    if repo.count("/") != 1:
        raise Refusal(Why.INVALID, f"{repo!r} is no repository", "write it as owner/name")
    return path("repos", repo, *parts)


@dataclass(kw_only=True)
class Asker:
    """`newest` is the greatest number of a comment that was seen: what we make next is greater.
    `heard` is when GitHub spoke last, by its own clock.
    """

    line: Line
    patience: Patience
    newest: int = field(default=0, init=False)
    heard: float = field(default=0.0, init=False)

    def ask(self, request: Request, kind: type[T], look: Callable[[], T | None] | None = None) -> T:
        """The answer as a value. `look` finds what a write made that was not answered. May raise Refusal."""
        return self.insist(lambda: self.send(request), lambda answer: decode(answer, kind), look)

    def send(self, request: Request) -> Answer:
        answer = self.line.send(request)
        if answer.status:
            self.heard = moment(answer)
        return answer

    def insist(
        self,
        send: Callable[[], Answer],
        read: Callable[[Answer], T],
        look: Callable[[], T | None] | None = None,
    ) -> T:
        return self.patience.insist(send, read, renew=self.line.renew, look=look)

    def get(self, where: str, kind: type[T], **query: str) -> T:
        return self.ask(Request(method="GET", path=where, query=filled(query)), kind)

    def pages(self, where: str, kind: type[T], **query: str) -> tuple[T, ...]:
        """Every page, each as a value."""
        request = Request(method="GET", path=where, query=filled(query) | {"per_page": MOST})
        found: list[T] = []
        while True:
            page, following = self.insist(
                lambda asked=request: self.send(asked),  # type: ignore[misc]
                lambda answer: (decode(answer, kind), NEXT.search(answer.headers.get("link", ""))),
            )
            found.append(page)
            if following is None:
                return tuple(found)
            request = Request(method="GET", path=following[1])

    def every(self, where: str, kind: type[list[T]], **query: str) -> list[T]:
        return [one for page in self.pages(where, kind, **query) for one in page]

    def erase(self, where: str) -> None:
        """Delete; that it is gone after a try without an answer is what was wanted."""
        doubt = False

        def send() -> Answer:
            nonlocal doubt
            answer = self.send(Request(method="DELETE", path=where))
            gone = doubt and answer.status == 404  # noqa: PLR2004 (a status)
            doubt = doubt or answer.doubtful
            return Answer(status=204) if gone else answer

        self.insist(send, lambda _: None)


def filled(query: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in query.items() if value}


def decode(answer: Answer, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(answer.text, type=kind)
    except msgspec.MsgspecError as error:
        raise Refusal(
            Why.BROKEN, f"GitHub answered what it does not send: {error}", "is this the API's address?"
        ) from None
