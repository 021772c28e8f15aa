"""From an exception or a pytest report to an outcome: plain dictionaries with the contract's names."""

import traceback
from typing import Any

Outcome = dict[str, Any]
#: Characters of a message or reason; enough for any signature.
LONGEST = 4000
#: What a test's process may say of itself; timeout, crash and oom are for its supervisor to say.
KINDS = frozenset(
    {
        "pass", "fail", "setup_error", "import_error", "symbol_missing", "skip", "xfail", "xpass",
        "missing", "fault_not_fired", "not_run",
    }
)  # fmt: skip
#: Hits, or seconds, beyond belief.
MANY = 1 << 31


def make(kind: str, reason: str | None = None, **more: object) -> Outcome:
    """Build an outcome; texts are cut to a length that fits the channel."""
    made = {"outcome": kind, "reason": cut(reason)}
    return made | {key: cut(value) if isinstance(value, str) else value for key, value in more.items()}


def cut(text: str | None) -> str | None:
    if text is None:
        return None
    safe = text[: LONGEST + 1].encode("utf-8", "replace").decode()
    return safe if len(safe) <= LONGEST else safe[:LONGEST] + "…"


def checked(said: Outcome) -> Outcome:
    """The outcome with nothing but what an outcome holds; `missing` where it is none: anybody may write."""
    kind, hits, seconds = said.get("outcome"), said.get("fault_hits"), said.get("seconds", 0.0)
    texts = {name: said.get(name) for name in ("reason", "exception", "message", "function")}
    sound = (
        isinstance(kind, str)
        and kind in KINDS
        and all(isinstance(text, str | None) for text in texts.values())
        and (hits is None or (type(hits) is int and 0 <= hits < MANY))
        and (isinstance(seconds, int | float) and 0 <= seconds < MANY)
    )
    if not sound:
        return make("missing", "the process sent what is no outcome")
    return make(str(kind), **texts, fault_hits=hits, seconds=float(seconds))


def of_exception(kind: str, error: BaseException, reason: str | None = None) -> Outcome:
    """Build an outcome with the signature of `error`: type, message, and the function it was raised in."""
    frames = list(traceback.walk_tb(error.__traceback__))
    function = frames[-1][0].f_code.co_name if frames else None
    return make(kind, reason, exception=type(error).__name__, message=message_of(error), function=function)


def message_of(error: BaseException) -> str:
    """Ask the exception for its message; upstream code may have broken even that."""
    try:
        return str(error)
    except BaseException as broken:  # noqa: BLE001 (whatever a hostile __str__ raises, the outcome must travel)
        return f"<no message: {type(broken).__name__}>"
