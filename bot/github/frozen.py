"""What a decision was made on, and whether it is still so before a later step."""

import hashlib

from bot.github.port import Hub, Refusal
from bot.model.hub import Comment, Pull, Why
from bot.model.plan import Frozen
from bot.report import replies


def digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def freeze(pull: Pull, comment: Comment) -> Frozen:
    """A head repository that is gone has no name and the id 0; the base's is always there."""
    head, base = pull.head.repository, pull.base.repository
    return Frozen(
        repo=base.name if base else "",
        repo_id=base.id if base else 0,
        number=pull.number,
        head_repo=head.name if head else "",
        head_repo_id=head.id if head else 0,
        head=pull.head.commit,
        base=pull.base.branch,
        base_commit=pull.base.commit,
        comment=comment.id,
        created=comment.created,
        body_sha256=digest(comment.body),
    )


def moved(frozen: Frozen, hub: Hub) -> str | None:
    """What differs now, in one sentence; None when the later step may go on. May raise Refusal.

    The base's commit may move: a report then says that it was made on an older base.
    """
    try:
        comment = hub.comment(frozen.repo, frozen.comment)
    except Refusal as refusal:
        if refusal.why not in {Why.MISSING, Why.GONE}:
            raise
        return replies.GONE
    if digest(comment.body) != frozen.body_sha256:
        return replies.EDITED
    pull = hub.pull(frozen.repo, frozen.number)
    heads = (pull.head.commit, hub.ref(frozen.repo, f"pull/{frozen.number}/head"))
    return differs(frozen, freeze(pull, comment), heads)


def differs(old: Frozen, new: Frozen, heads: tuple[str | None, ...]) -> str | None:
    """`heads`: what each of GitHub's accounts says of the head now."""
    if other := next((head for head in heads if head != old.head), None):
        return replies.moved(old.head, other)
    if None in heads:
        return replies.UNSETTLED
    if new.repo_id != old.repo_id:
        return replies.moved_repository("base")
    if new.head_repo_id != old.head_repo_id:
        return replies.moved_repository("head")
    return replies.moved_base(old.base, new.base) if new.base != old.base else None
