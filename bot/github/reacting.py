"""Our reactions on a command: 👀 when it was read, 🚀 when its run begins, at the end 👍, 👎 or 😕."""

from bot.github.desk import Desk
from bot.github.gate import FINAL
from bot.github.port import Refusal
from bot.model.hub import Why

SEEN, BEGUN, GOOD, BAD, CONFUSED = "eyes", "rocket", "+1", "-1", "confused"
#: Refusals without which the conversation goes on: a reaction only tells what is said elsewhere, too.
SPARED = frozenset({Why.FORBIDDEN, Why.LOCKED, Why.MISSING, Why.GONE, Why.INVALID})


def react(desk: Desk, comment: int, content: str) -> bool:
    """Whether GitHub took it. Safe to repeat."""
    try:
        desk.hub.react(desk.repo, comment, content)
    except Refusal as refusal:
        if refusal.why not in SPARED:
            raise
        return False
    return True


def end(desk: Desk, comment: int, content: str) -> None:
    """The last one, and no other end beside it."""
    if not react(desk, comment, content):
        return
    for one in desk.hub.reactions(desk.repo, comment):
        if desk.is_ours(one.author) and one.content in FINAL - {content}:
            desk.hub.unreact(desk.repo, comment, one.id)
