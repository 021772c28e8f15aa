"""The only file that knows PyGithub: one request out, one answer in; `connect` makes the Hub of it."""

import time
from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

from github.Requester import (
    HTTPRequestsConnectionClass,
    HTTPSRequestsConnectionClass,
    Requester,
    RequestsResponse,
)
from requests.exceptions import RequestException

from bot.errors import BotError
from bot.github.asking import Asker, Request
from bot.github.patience import Answer, Patience
from bot.github.port import Hub, Refusal
from bot.github.writing import Writer
from bot.model.hub import Why

ADDRESS = "https://api.github.com"
#: Without an answer for so long a connection is given up.
SECONDS = 30
#: GitHub wants a second between writes; a server on this machine does not.
BETWEEN_WRITES = 1.0
HERE = frozenset({"localhost", "127.0.0.1", "::1"})
HOPS = 3
MOVED = frozenset({301, 307, 308})

Token = str | Callable[[], str]


def connect(
    token: Token,
    address: str = ADDRESS,
    *,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Hub:
    """`token` may be a function: it is asked again when GitHub says that the token has run out."""
    whole = urlsplit(address.rstrip("/"))
    if whole.scheme not in {"http", "https"} or not whole.hostname:
        raise BotError(f"{address!r} is no address of an API", f"GitHub's is {ADDRESS}")
    return Writer(Asker(line=Wire(token, whole), patience=Patience(sleep=sleep, clock=clock)))


class Plain(HTTPRequestsConnectionClass):
    def getresponse(self) -> RequestsResponse:
        return follow(self, super().getresponse)


class Secure(HTTPSRequestsConnectionClass):
    def getresponse(self) -> RequestsResponse:
        return follow(self, super().getresponse)


def follow(connection: Plain | Secure, send: Callable[[], RequestsResponse]) -> RequestsResponse:
    """Go where a renamed repository is, with query, method and body: PyGithub's own way drops the query.

    Never to another host, which would see the token.
    """
    answer = send()
    for _ in range(HOPS):
        there = urlsplit(answer.headers.get("location", ""))
        same = (there.scheme, there.hostname) == (connection.protocol, connection.host)
        if answer.status not in MOVED or not same or port(there) != connection.port:
            break
        connection.url = there._replace(scheme="", netloc="").geturl()
        answer = send()
    return answer


def port(address: SplitResult) -> int:
    return address.port or (443 if address.scheme == "https" else 80)


def plain(token: str) -> str:
    """The token without the line end that comes with a file. Raises Refusal for what can be none."""
    bare = token.strip()
    if not (bare.isascii() and bare.isprintable()):
        raise Refusal(Why.UNAUTHORIZED, "this is no token of GitHub's", "a token is one plain word")
    return bare


class Wire:
    """One connection, which is kept. For one thread.

    PyGithub's own retries are off: they repeat a POST that may have been made, know no deadline, do not ask
    for a new token, and sleep where no test can stand still.
    """

    def __init__(self, token: Token, address: SplitResult) -> None:
        self._token = token
        self._held: str | None = plain(token) if isinstance(token, str) else None
        self._address = address
        self._requester = Requester(
            auth=None,
            base_url=address.geturl(),
            timeout=SECONDS,
            user_agent="upstream-bot",
            per_page=100,
            verify=True,
            retry=0,
            pool_size=None,
            seconds_between_requests=None,
            seconds_between_writes=None if address.hostname in HERE else BETWEEN_WRITES,
            lazy=True,
        )
        kind = Secure if address.scheme == "https" else Plain
        self._connection = kind(address.hostname or "", port(address), retry=0, timeout=SECONDS)

    def send(self, request: Request) -> Answer:
        if not self.is_here(request.path):
            return Answer(status=301, text='{"message": "the next page is on another host"}')
        try:
            status, headers, text = self._requester.requestJson(
                request.method,
                request.path,
                parameters=dict(request.query),
                headers=self.headers(),
                input=None if request.body is None else dict(request.body),
                cnx=self._connection,
            )
        except RequestException as error:
            return Answer(status=0, text=type(error).__name__)
        except RuntimeError:  # PyGithub's word for a move that it does not follow, either
            return Answer(status=301, text='{"message": "moved to another host"}')
        return Answer(status=status, text=text, headers={key: str(value) for key, value in headers.items()})

    def is_here(self, path: str) -> bool:
        there = urlsplit(path)
        return path.startswith("/") or (there.scheme, there.netloc) == self._address[:2]

    def headers(self) -> dict[str, str]:
        if self._held is None:
            self.renew()
        told = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        return told | ({"Authorization": f"Bearer {self._held}"} if self._held else {})

    def renew(self) -> bool:
        if isinstance(self._token, str):
            return False
        self._held = plain(self._token())
        return True
