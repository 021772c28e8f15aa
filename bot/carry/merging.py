"""The merge of a proposal with its base, made by git in a scratch repository that knows no other.

In a store that borrows from a clone git would touch the clone's files whenever it writes what is there.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot import git, upstream
from bot.errors import BotError

#: Paths that one look-up is asked for, so that no argument list grows too long.
BATCH = 500
#: The commits of the scratch repository are thrown away.
NOBODY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in {"NAME": "-", "EMAIL": "-", "DATE": "1000000000 +0000"}.items()
}


def merge(source: upstream.Upstream, base: str, head: str) -> git.Merged:
    """Merge two commits that are in the store: what it needs is brought, and its tree is written there."""
    try:
        return merge_there(source, base, head)
    except BotError as error:
        if error.hint:  # the disk or the network: no other target would fare better
            raise
        return git.Merged(problem=error.message)


def merge_there(source: upstream.Upstream, base: str, head: str) -> git.Merged:
    forks = git.merge_bases(source.store, base, head)
    if not forks:
        return git.Merged(problem="its history and that of the base do not meet here")
    for older, newer in ((base, head), (head, base)):
        if older in forks:
            return git.Merged(tree=tree_of(source.store, newer))
    return merge_forked(source, forks, base, head)


def tree_of(store: git.Repo, commit: str) -> str:
    return git.must(store, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}").text


def merge_forked(source: upstream.Upstream, forks: Sequence[str], base: str, head: str) -> git.Merged:
    """Merge with the files that the proposal changes; if that fails, with all that could be renamed."""
    lines = (*older(source.store, forks), tuple(forks), (base, head))
    commits, merged = [one for line in lines for one in line], git.Merged(problem="it was not merged")
    paths: set[str] = set()
    for sides in ((*forks, head), (base,)):
        pairs = [(old, new) for old in (*forks, *lines[0]) for new in sides if old != new]
        paths.update(path for pair in pairs for path in git.changed_files(source.store, *pair))
        bring(source, commits, sorted(paths))
        merged = merge_apart(source.store, lines, sorted(paths))
        if not merged.problem:
            break
    return merged


def older(store: git.Repo, commits: Sequence[str]) -> list[tuple[str, ...]]:
    """The common ancestors of several commits, and theirs, oldest first: git merges those on its way."""
    found: list[tuple[str, ...]] = []
    while len(commits) > 1 and (commits := git.merge_bases(store, *commits)):
        found.insert(0, tuple(commits))
    return found


def bring(source: upstream.Upstream, commits: Sequence[str], paths: Sequence[str]) -> None:
    for some in batches(paths):
        for commit in commits:
            source.bring_files(commit, some)


def batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    return (paths[start : start + BATCH] for start in range(0, len(paths), BATCH))


def merge_apart(store: git.Repo, lines: Sequence[Sequence[str]], paths: Sequence[str]) -> git.Merged:
    """Merge the two commits of the last line; each line has the one before it as common ancestors.

    Git then knows all trees, and the files at `paths`; it fails when it needs another.
    """
    commits = [one for line in lines for one in line]
    with tempfile.TemporaryDirectory(prefix="upstream-bot-merge-") as folder:
        apart = git.Repo(path=Path(folder))
        object_format = "sha1" if len(commits[0]) == git.SHA1_DIGITS else "sha256"
        git.must(apart, "init", "--bare", "--quiet", "--template=", f"--object-format={object_format}")
        git.copy_objects(store, apart, [*trees(store, commits), *files(store, commits, paths)])
        made: list[str] = []
        for line in lines:
            parents = [word for parent in made for word in ("-p", parent)]
            made = [commit_tree(apart, tree_of(store, one), *parents) for one in line]
        merged = git.merge_commits(apart, *made)
        if merged.tree:
            take(store, apart, merged.tree)
    return merged


def trees(store: git.Repo, commits: Sequence[str]) -> list[str]:
    options = ("--no-walk", "--objects", "--no-object-names", "--filter=blob:none", "--end-of-options")
    return git.must(store, "rev-list", *options, *commits).text.split()


def files(store: git.Repo, commits: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The files at `paths` in any of the commits, as far as the store has them."""
    listed = (git.list_files(store, commit, some) for commit in commits for some in batches(paths))
    ids = dict.fromkeys(entry.id for entries in listed for entry in entries if entry.kind == "blob")
    return [oid for oid, entry in git.look_up(store, list(ids)).items() if entry]


def commit_tree(apart: git.Repo, tree: str, *parents: str) -> str:
    return git.must(apart, "commit-tree", *parents, tree, env=NOBODY).text


def take(store: git.Repo, apart: git.Repo, tree: str) -> None:
    """Write to the store what it lacks of a merged tree."""
    options = ("--objects", "--no-object-names", "--missing=allow-any", "--end-of-options")
    ids = git.must(apart, "rev-list", *options, tree).text.split()
    new = [oid for oid, entry in git.look_up(store, ids).items() if entry is None]
    kinds = {oid: entry.kind for oid, entry in git.look_up(apart, new).items() if entry}
    data = git.contents(apart, new)
    for kind in ("blob", "tree"):
        git.write_objects(store, kind, [data[oid] for oid in new if kinds[oid] == kind], len(tree))
