"""The commits that touch a patch's files, and which of them lost or gained something."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from bot import git
from bot.model import Blame

#: Commit → its parents, children before parents, merges included.
Graph = dict[str, tuple[str, ...]]
#: The pull request at the end of a squashed subject, or in that of a merge by the host.
NUMBER = re.compile(r"\(#([0-9]{1,9})\)\s*$|^Merge pull request #([0-9]{1,9})\b")
#: Whether two commits are known to have the same files.
Same = Callable[[str, str], bool]
#: People's own settings must not change what a log says.
PLAIN = ("-c", "log.showSignature=false", "-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.mailmap=false")


def touching(store: git.Repo, heads: Sequence[str], paths: Sequence[str], beyond: Sequence[str]) -> Graph:
    """The commits that touch `paths` in the heads' history, not `beyond`; none when git cannot walk.

    Full history with merges: a merge that takes one side whole changes nothing by git's usual reading,
    and is exactly where lines are lost.
    """
    options = ("--full-history", "--parents", "--topo-order", "--stdin", "--", *paths)
    return walked(store, options, (*heads, *(f"^{commit}" for commit in beyond))) or {}


def since(store: git.Repo, heads: Sequence[str], cause: str) -> Graph | None:
    """The commits of the heads that descend from `cause`, which is one of them; None when git cannot walk."""
    options = ("--ancestry-path", "--parents", "--topo-order", "--stdin")
    found = walked(store, options, (*heads, f"^{cause}"))
    return None if found is None else {**found, cause: ()}


def walked(store: git.Repo, options: Sequence[str], wanted: Sequence[str]) -> Graph | None:
    data = "".join(f"{line}\n" for line in wanted).encode()
    done = git.call(store, "--literal-pathspecs", "rev-list", *options, data=data)
    if done.code:
        return None
    lines = (line.split() for line in done.text.split("\n") if line)
    return {commit: tuple(parents) for commit, *parents in lines}


def newer(store: git.Repo, heads: Sequence[str], beyond: Sequence[str]) -> Graph:
    """All commits in the heads' history, not `beyond`; none when git cannot walk."""
    wanted = (*heads, *(f"^{commit}" for commit in beyond))
    return walked(store, ("--parents", "--topo-order", "--stdin"), wanted) or {}


def nearest(whole: Graph, known: Graph) -> dict[str, frozenset[str]]:
    """For each commit of a whole history, itself if it is in `known`, else the nearest ones that are."""
    found: dict[str, frozenset[str]] = {}
    for commit in reversed(whole):
        if commit in known:
            found[commit] = frozenset({commit})
            continue
        above = {found[parent] for parent in whole[commit] if parent in found}
        found[commit] = above.pop() if len(above) == 1 else frozenset().union(*above)
    return found


def below(graph: Graph, heads: Iterable[str]) -> Graph:
    """The part of a graph that is in the history of the heads, in the same order."""
    reached, found = set(heads), {}
    for commit, parents in graph.items():
        if commit in reached:
            reached.update(parents)
            found[commit] = parents
    return found


def loser(graph: Graph, had: Callable[[str], bool], same: Same) -> str | None:
    """The newest commit that has not what a parent of it had; None when nobody lost it.

    A merge is to blame only when no commit on its losing side is. Commits that are the `same` have the same
    files.
    """
    merges: list[str] = []
    for commit in losing(graph, had, same):
        kept = [had(parent) for parent in graph[commit]]
        if any(kept) and len(kept) == 1:
            return commit
        merges += [commit] if any(kept) else []
    return merges[0] if merges else None


def losing(graph: Graph, had: Callable[[str], bool], same: Same) -> Iterator[str]:
    """Every commit without it that is reached from the newest through commits without it, newest first.

    A merge that took one side whole has what it has from there: the other side did nothing to it.
    """
    parents = {parent for above in graph.values() for parent in above}
    reached = graph.keys() - parents
    for commit, above in graph.items():
        if commit in reached and not had(commit):
            alike = [parent for parent in above if same(parent, commit)]
            reached.update(alike if len(above) > 1 and alike else above)
            yield commit


def gainer(graph: Graph, had: Callable[[str], bool], commit: str) -> str | None:
    """The commit, at or below `commit` which has it, that brought it: no parent of it had it."""
    while commit in graph:
        above = [parent for parent in graph[commit] if had(parent)]
        if not above:
            return commit
        commit = above[0]
    return None


def named(store: git.Repo, commits: Sequence[str]) -> dict[str, Blame]:
    """Each commit with its date and the pull request in its subject; nobody's name."""
    if not commits:
        return {}
    form = ("-z", "--no-walk=unsorted", "--format=%H%x00%cs%x00%s", "--end-of-options")
    done = git.must(store, *PLAIN, "log", *form, *dict.fromkeys(commits))
    fields = done.out.decode("utf-8", "replace").split("\0")
    return {fields[at]: blame(*fields[at : at + 3]) for at in range(0, len(fields) - 2, 3)}


def blame(commit: str, date: str, subject: str) -> Blame:
    found = NUMBER.search(subject)
    return Blame(commit=commit, date=date, number=int(found[1] or found[2]) if found else None)
