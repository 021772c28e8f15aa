"""Branches whose history was replaced since they were last seen: what was proven of them is void."""

from msgspec import structs

from bot import git
from bot.model import State
from bot.survey.found import Finding

#: What nobody can say more of.
SILENT = frozenset({State.BRANCH_MISSING, State.UNKNOWN})


def marked(store: git.Repo, one: Finding, last: str) -> Finding:
    """The finding, or that the branch was rewritten: its last seen head is not in its history."""
    head = one.sight.ref.head
    if not last or not head or last == head or one.state in SILENT or not is_gone(store, last, head):
        return one
    told = f"its head was {last[:12]} when last seen, and that is not in its history now; {one.state} today"
    return structs.replace(one, state=State.BRANCH_REWRITTEN, detail=f"{told}: {one.detail}", patched={})


def is_gone(store: git.Repo, last: str, head: str) -> bool:
    """Whether `last` is surely no ancestor; beyond a shallow boundary nothing is sure."""
    known = git.is_ancestor(store, last, head)
    if known is None:
        return not (store.path / "shallow").exists()
    return not known
