"""How a pull request stands, apart from its commits: open, draft, closed, merged, locked."""

from enum import StrEnum

from bot.model.hub import Pull
from bot.report import replies


class Stage(StrEnum):
    OPEN = "open"
    DRAFT = "draft"
    CLOSED = "closed"
    MERGED = "merged"


def stage(pull: Pull) -> Stage:
    if pull.merged:
        return Stage.MERGED
    if not pull.open:
        return Stage.CLOSED
    return Stage.DRAFT if pull.draft else Stage.OPEN


def lines(pull: Pull) -> tuple[str, ...]:
    """What a report must say of it, a sentence each; nothing for an open one that is ready and unlocked."""
    told = {
        Stage.OPEN: (),
        Stage.DRAFT: (replies.IS_DRAFT,),
        Stage.CLOSED: (replies.IS_CLOSED,),
        Stage.MERGED: (replies.IS_MERGED,),
    }[stage(pull)]
    return (*told, replies.IS_LOCKED) if pull.locked else told
