"""How a verdict's reason names what was declared and what was seen."""

from bot.model import Expected, Outcome

#: As many characters of a foreign message are quoted, and so many findings of one kind named.
QUOTED, NAMED = 160, 6


def seen(outcome: Outcome) -> str:
    """`fail NameError: name 'arg' is not defined (in make_weakref)`."""
    what = " ".join(filter(None, (outcome.outcome, outcome.exception)))
    said = " ".join((outcome.message or outcome.reason or "").split())[:QUOTED]
    return what + (f": {said}" if said else "") + (f" (in {outcome.function})" if outcome.function else "")


def wanted(declared: Expected | None) -> str:
    if declared is None:
        return "nothing declared for this rank"
    what = " ".join(filter(None, (declared.outcome, declared.exception)))
    pattern = f" matching {declared.match!r}" if declared.match else ""
    return what + pattern + (f" (in {declared.function})" if declared.function else "")


def listed(parts: list[str]) -> str | None:
    """None when there is nothing to list; at most six are named."""
    more = f", and {len(parts) - 6} more" if len(parts) > 6 else ""  # noqa: PLR2004 (the sentence says it)
    return ", ".join(parts[:6]) + more if parts else None
