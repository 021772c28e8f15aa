"""From an exception or a pytest report to an outcome: plain dictionaries with the contract's names."""

import traceback
from typing import Any

Outcome = dict[str, Any]
#: Characters of a message or reason; enough for any signature.
LONGEST = 4000


def make(kind: str, reason: str | None = None, **more: object) -> Outcome:
    """Build an outcome; texts are cut to a length that fits the channel."""
    made = {"outcome": kind, "reason": cut(reason)}
    return made | {key: cut(value) if isinstance(value, str) else value for key, value in more.items()}


def cut(text: str | None) -> str | None:
    if text is None:
        return None
    safe = text.encode("utf-8", "replace").decode()
    return safe if len(safe) <= LONGEST else safe[:LONGEST] + "…"


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
