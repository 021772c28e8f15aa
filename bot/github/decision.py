"""What the gate can say beside a Plan."""

from bot.model import Value


class Refused(Value, frozen=True, kw_only=True):
    """`reply` is Markdown for the conversation, without its mark; empty: only the run's summary says it."""

    reason: str
    reply: str = ""
    reaction: str = "-1"


class Nothing(Value, frozen=True, kw_only=True):
    """Not for us, or not again: no reply and no reaction."""

    reason: str
