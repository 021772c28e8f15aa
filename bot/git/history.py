"""Commits: ancestry, merge bases and merges, in the object store alone."""

from dataclasses import dataclass

from bot.errors import BotError
from bot.git.calling import Repo, call, must, storage_hint


def is_ancestor(repo: Repo, older: str, newer: str) -> bool | None:
    """Whether `older` is an ancestor of `newer`; None when the history here cannot tell."""
    code = call(repo, "merge-base", "--is-ancestor", "--end-of-options", older, newer).code
    return {0: True, 1: False}.get(code)


@dataclass(frozen=True, kw_only=True)
class Merged:
    """The tree of a clean merge; else the files that conflict, or why git could not merge at all."""

    tree: str | None = None
    conflicts: tuple[str, ...] = ()
    problem: str = ""


#: Git's own defaults: people's configuration must not change what a merge gives.
MERGING = (
    "-c", "merge.renames=true", "-c", "merge.directoryRenames=conflict", "-c", "merge.renormalize=false",
)  # fmt: skip


def merge_commits(repo: Repo, ours: str, theirs: str) -> Merged:
    """Merge two commits in the object store; the tree is written, and no commit is made."""
    options = ("--write-tree", "-z", "--name-only", "--no-messages", "--end-of-options")
    done = call(repo, *MERGING, "merge-tree", *options, ours, theirs)
    tree, *names = done.out.decode("utf-8", "surrogateescape").split("\0")
    if done.code == 0:
        return Merged(tree=tree)
    if done.code == 1 and any(names):
        return Merged(conflicts=tuple(filter(None, names)))
    if hint := storage_hint(done.complaint):
        raise BotError(f"git merge-tree failed: {done.complaint}", hint)
    return Merged(problem=f"git merge-tree failed: {done.complaint}")


def merge_bases(repo: Repo, *commits: str) -> list[str]:
    """The best common ancestors of all these commits; none where their histories here do not meet."""
    return call(repo, "merge-base", "--all", "--octopus", "--end-of-options", *commits).text.split()


def count_commits(repo: Repo, older: str, newer: str) -> int:
    """How many commits `newer` has that `older` has not."""
    return int(must(repo, "rev-list", "--count", "--end-of-options", f"{older}..{newer}").text)
