"""What a decision rests on: rules that hold always, and what GitHub said when it was asked."""

from bot.model import Manifest, Value
from bot.model.hub import Account, Comment, Pull


class Rules(Value, frozen=True, kw_only=True):
    """`allow` are ids of accounts that may command; `operator_only`: else only the token's owner (`poll`).

    `carries`: there is a place that backports can be pushed to.
    """

    patches: tuple[Manifest, ...]
    allow: frozenset[int] = frozenset()
    operator_only: bool = False
    carries: bool = False


class Facts(Value, frozen=True, kw_only=True):
    """Filled step by step; what stands at its default was not asked for, or is not there.

    `me`: whose token this is, None for a workflow's own. `comment`: as GitHub has it now. `reactions`: ours
    on it. `denied`: why the permission could not be read. `earlier`: comments before it that hold commands,
    oldest first. `running`: one of them that asks for the same and is being worked on. `mirror`:
    `refs/pull/N/head`. `manifest`: the patch that this is about.
    """

    me: Account | None = None
    comment: Comment | None = None
    reactions: tuple[str, ...] = ()
    permission: str = ""
    denied: str = ""
    earlier: tuple[Comment, ...] = ()
    running: Comment | None = None
    pull: Pull | None = None
    mirror: str | None = None
    branches: tuple[str, ...] | None = None
    manifest: Manifest | None = None
