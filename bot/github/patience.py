"""How long we bear with GitHub: which failures pass, how long each takes, and what the others are called."""

import email.utils
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from bot.github.port import Refusal
from bot.model import Value
from bot.model.hub import Why

T = TypeVar("T")

#: Seconds for all tries of one call together, waits and looks included.
DEADLINE = 900.0
#: Waits between tries after a failure of GitHub's or of the connection: about a minute in all.
BROKEN = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
#: Waits before looks for a write that may be lost; GitHub's lists may be 30 seconds old, so for longer.
LOOKS = (1.0, 4.0, 12.0, 28.0)
#: GitHub's rule: a minute at least where a secondary limit names no time, then longer each time.
#: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
MINUTE = 60.0
NAMED = {
    400: Why.INVALID, 401: Why.UNAUTHORIZED, 403: Why.FORBIDDEN, 404: Why.MISSING, 405: Why.FORBIDDEN,
    409: Why.INVALID, 410: Why.GONE, 413: Why.INVALID, 422: Why.INVALID, 451: Why.GONE,
}  # fmt: skip
HINTS = {
    Why.UNAUTHORIZED: "the token is missing, wrong or has run out",
    Why.FORBIDDEN: "the token has no right to this",
    Why.LIMITED: "wait for the limit's end, then run it again",
    Why.MISSING: "it is not there, or the token may not see it",
    Why.BROKEN: "try again later; https://www.githubstatus.com says what is wrong there",
    Why.UNREACHABLE: "check the connection and the API's address",
}


class Answer(Value, frozen=True, kw_only=True):
    """`status` is 0 where none came: the connection died, and `text` says how. Header names are small."""

    status: int
    text: str = ""
    headers: Mapping[str, str] = {}

    @property
    def fine(self) -> bool:
        return 200 <= self.status < 300  # noqa: PLR2004 (statuses)

    @property
    def doubtful(self) -> bool:
        """Whether a write may have happened all the same."""
        return self.status == 0 or self.status >= 500  # noqa: PLR2004 (a status)

    @property
    def message(self) -> str:
        try:
            return msgspec.json.decode(self.text, type=Told).sentence
        except msgspec.MsgspecError:
            return "" if self.status else self.text

    @property
    def limited(self) -> bool:
        said = self.message.lower()
        about = "rate limit" in said or "abuse detection" in said or "retry-after" in self.headers
        return self.status == 429 or (self.status == 403 and about)  # noqa: PLR2004 (statuses)


class Told(msgspec.Struct):
    """What a refusal says; its errors are values or plain words."""

    message: str = ""
    errors: list[object] | str = []

    @property
    def sentence(self) -> str:
        named = [self.errors] if isinstance(self.errors, str) else [detail(one) for one in self.errors]
        return ": ".join(part for part in (self.message, ", ".join(named)) if part)


def detail(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    return str(error.get("message") or " ".join(str(error[k]) for k in ("field", "code") if k in error))


@dataclass(kw_only=True)
class Tried:
    """How a call has gone so far."""

    broken: int = 0
    limited: int = 0
    renewed: bool = False


@dataclass(kw_only=True)
class Patience:
    """`until` is the end of the call that is being made; calls made inside it share it."""

    sleep: Callable[[float], None]
    clock: Callable[[], float]
    until: float | None = field(default=None, init=False)

    def insist(
        self,
        send: Callable[[], Answer],
        read: Callable[[Answer], T],
        *,
        renew: Callable[[], bool],
        look: Callable[[], T | None] | None = None,
    ) -> T:
        """What `read` makes of the fine answer. Raises Refusal.

        With `look` a write that may have happened is looked for before it is made again.
        """
        outer = self.until
        self.until = self.clock() + DEADLINE if outer is None else outer
        try:
            return self.persist(send, read, renew, look)
        finally:
            self.until = outer

    def persist(
        self,
        send: Callable[[], Answer],
        read: Callable[[Answer], T],
        renew: Callable[[], bool],
        look: Callable[[], T | None] | None,
    ) -> T:
        tried = Tried()
        while not (answer := send()).fine:
            if answer.status == 401 and not tried.renewed and renew():  # noqa: PLR2004 (a status)
                tried.renewed = True
                continue
            wait = pause(answer, tried)
            if look and answer.doubtful:
                if (found := self.find(answer, look)) is not None:
                    return found
            else:
                self.bide(answer, wait)
        return read(answer)

    def find(self, answer: Answer, look: Callable[[], T | None]) -> T | None:
        for wait in LOOKS:
            self.bide(answer, wait)
            if (found := look()) is not None:
                return found
        return None

    def bide(self, answer: Answer, seconds: float) -> None:
        if self.until is not None and self.clock() + seconds > self.until:
            raise refusal(answer)
        self.sleep(seconds)


def pause(answer: Answer, tried: Tried) -> float:
    """Seconds to wait before the next try. Raises Refusal where waiting does not help."""
    if answer.limited:
        tried.limited += 1
        return rest(answer, tried.limited)
    if answer.doubtful and tried.broken < len(BROKEN):
        tried.broken += 1
        return max(BROKEN[tried.broken - 1], named(answer) or 0.0)
    raise refusal(answer)


def rest(answer: Answer, time_limited: int) -> float:
    """What GitHub names, exactly; else a minute, two, four; the spent hour: until it ends."""
    if (wanted := named(answer)) is not None:
        return wanted
    reset = answer.headers.get("x-ratelimit-reset", "")
    backing_off = MINUTE * 2.0 ** (time_limited - 1)
    if answer.headers.get("x-ratelimit-remaining") != "0" or not is_number(reset):
        return backing_off
    least = backing_off if "secondary" in answer.message.lower() else 0.0
    return max(float(reset) - moment(answer) + 1.0, least, 1.0)


def named(answer: Answer) -> float | None:
    """The seconds that GitHub asks us to wait, if it says."""
    told = answer.headers.get("retry-after", "")
    return float(told) if is_number(told) else None


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def moment(answer: Answer) -> float:
    """When it was answered, by GitHub's clock: ours may be wrong."""
    try:
        return email.utils.parsedate_to_datetime(answer.headers.get("date", "")).timestamp()
    except ValueError:
        return time.time()


def refusal(answer: Answer) -> Refusal:
    why = name(answer)
    said = answer.message or f"status {answer.status}" if answer.status else f"no answer: {answer.message}"
    return Refusal(why, f"GitHub: {said}", HINTS.get(why, ""))


def name(answer: Answer) -> Why:
    if answer.status == 0:
        return Why.UNREACHABLE
    if answer.limited:
        return Why.LIMITED
    if answer.status == 403 and "locked" in answer.message.lower():  # noqa: PLR2004 (a status)
        return Why.LOCKED
    return NAMED.get(answer.status, Why.BROKEN)
