"""Which comments approve the head: the form is never enough, the gatekeeper must have answered."""

from collections.abc import Iterable

from bot.github.vetting import forms
from bot.model.hub import Account, Comment
from bot.model.vetting import Approval, Seen, Uncounted

#: The account that answers for upstream's gate. A person may call himself so, but is no `Bot`.
GATEKEEPERS = frozenset({"copy-pr-bot", "copy-pr-bot[bot]"})
#: What it writes below a pull request that nobody has vetted.
WAITS = "requires additional validation"


def is_gatekeeper(account: Account) -> bool:
    return account.kind == "Bot" and account.login.casefold() in GATEKEEPERS


def asks_for_vetting(comments: Iterable[Comment]) -> bool:
    """Whether the gatekeeper has said that somebody must vet."""
    return any(is_gatekeeper(one.author) and WAITS in one.body.casefold() for one in comments)


def read(seen: Seen) -> tuple[Approval, ...]:
    """Every comment that is or looks like an approval, oldest first; neither ours nor the gatekeeper's."""
    found = []
    for comment in seen.comments:
        form = None if is_machine(comment.author, seen.me) else forms.read(comment.body)
        if form:
            found.append(judge(comment, form, seen))
    return tuple(found)


def is_machine(account: Account, me: int) -> bool:
    return account.id == me or is_gatekeeper(account)


def judge(comment: Comment, form: forms.Form, seen: Seen) -> Approval:
    return Approval(
        comment=comment.id,
        author=comment.author.login,
        created=comment.created,
        commit=form.commit,
        uncounted=form.uncounted or doubt(comment, form.commit, seen),
    )


def doubt(comment: Comment, commit: str, seen: Seen) -> Uncounted | None:
    """Why a well-formed approval does not count for the head; None when it does."""
    if not seen.pull.head.commit.startswith(commit):
        return Uncounted.OLDER_COMMIT
    answered = seen.reactions.get(comment.id)
    if answered is None:
        return Uncounted.UNSEEN_REACTION
    return None if answered else Uncounted.NO_REACTION
