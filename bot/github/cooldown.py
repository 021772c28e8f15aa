"""Commands said again: what the conversation itself tells, without any memory of ours."""

from datetime import timedelta

from bot.github import grammar
from bot.github.decision import Nothing, Refused
from bot.github.facts import Facts
from bot.github.instants import instant
from bot.model.hub import Comment
from bot.model.plan import Wish
from bot.report import replies

WINDOW = timedelta(minutes=1)
#: Comments with commands by one person within the window, before this one.
MOST = 5


def judge(comment: Comment, facts: Facts) -> Refused | Nothing | None:
    """Of the same commands within a minute the first is carried out, the second answered, no other heard."""
    recent = [one for one in facts.earlier if one.author.id == comment.author.id and near(one, comment)]
    same = [one for one in recent if asked(one) == asked(comment)]
    if len(same) > 1 or len(recent) > MOST:
        return Nothing(reason=replies.IGNORED_REPEAT)
    if same or facts.running:
        told = replies.running(facts.running or same[0])
        return Refused(reason=told, reply=replies.refused(told), reaction="confused")
    if len(recent) == MOST:
        return Refused(reason=replies.TOO_FAST, reply=replies.refused(replies.TOO_FAST), reaction="confused")
    return None


def near(earlier: Comment, comment: Comment) -> bool:
    return instant(comment.created) - instant(earlier.created) <= WINDOW


def asked(comment: Comment) -> frozenset[tuple[object, ...]]:
    """What a comment asks for, whatever the order and the lines."""
    return frozenset(
        (one.verb, *one.words) if isinstance(one, Wish) else (one.text,) for one in grammar.read(comment.body)
    )
