"""Who may command (DESIGN 7): who may write now, and ids on the allow-list; under `poll` the operator."""

from bot.github.decision import Nothing, Refused
from bot.github.facts import Facts, Rules
from bot.model.hub import Comment
from bot.report import replies

WRITERS = frozenset({"admin", "maintain", "write"})


def judge(comment: Comment, facts: Facts, rules: Rules) -> Refused | Nothing | None:
    """A stranger is answered once within the hour; under `poll` not at all."""
    if comment.author.id in rules.allow:
        return None
    if rules.operator_only:
        operator = facts.me is not None and facts.me.id == comment.author.id
        return None if operator else Nothing(reason=replies.NOT_OPERATOR)
    if facts.permission in WRITERS:
        return None
    reason = (
        replies.right_unknown(comment.author, facts.denied)
        if facts.denied
        else replies.lacks_right(comment.author, facts.permission)
    )
    if any(one.author.id == comment.author.id for one in facts.earlier):
        return Nothing(reason=f"{reason}; {replies.AGAIN}")
    return Refused(reason=reason, reply=replies.refused(reason))
