"""What a sticky report is made from."""

from bot.model import Evidence, Value
from bot.model.hub import Pull
from bot.model.vetting import Offer, Standing
from bot.report.context import Context


class Finished(Value, frozen=True, kw_only=True):
    """Evidence, and what it is about: the head, the base's head and GitHub's trial merge when it was ordered.

    `created` and `comment` are the time and the id of the command, by which runs are ordered.
    """

    evidence: Evidence
    head: str
    base: str
    merge: str = ""
    created: str
    comment: int


class Facts(Value, frozen=True, kw_only=True):
    """`upstream` is what a reader gives to `--upstream`; `base` the base branch's head now, "" if unknown.

    `tested` is there only when a run has just ended; what earlier runs said is taken from our own comment.
    """

    patch: str
    upstream: str
    pull: Pull
    standing: Standing
    now: str
    offer: Offer | None = None
    tested: Finished | None = None
    base: str = ""
    context: Context = Context()
