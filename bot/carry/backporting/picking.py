"""The diff of a proposal, from where it left its base to its head, on another branch (`--from-pr`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot import git, upstream
from bot.carry import merging, proposals
from bot.carry.backporting.words import TRAILER, Words
from bot.carry.refreshing.message import Author
from bot.errors import BotError
from bot.model import Patch, Ref
from bot.upstream.choosing import HEADS

#: What no diff of somebody's is carried with: GitHub runs it, or git checks it out as something else.
FORBIDDEN = (".github/*", ".gitmodules")
PLAIN = frozenset({"100644", "100755", "000000"})
#: Commits of the largest proposal that is carried: with more, the place where it left its base is wrong.
MOST = 250


@dataclass(frozen=True, kw_only=True)
class PickCargo:
    """The change between the commits `fork` and `head`, and the commits that made it, oldest first.

    `base` is the branch that the pull request is for.
    """

    source: upstream.Upstream
    patch: Patch
    number: int
    base: str
    fork: str
    head: str
    commits: tuple[str, ...]

    def words(self, _target: str) -> Words:
        """Author and message of the first commit; of several, with all that the others say in their ends."""
        said = [read(self.source.store, commit) for commit in self.commits]
        first = said[0]
        others = dict.fromkeys(f"{one.author.name} <{one.author.email}>" for one in said[1:])
        own = f"{first.author.name} <{first.author.email}>"
        together = [f"Co-authored-by: {person}" for person in others if person != own]
        kept = [line for one in said[1:] for line in trailers(one.message)]
        picked = f"(cherry picked from commit {self.head})"
        return Words(author=first.author, message=first.message, trailers=(*kept, *together, picked))

    def tree(self, _target: str, head: str) -> str | None:
        merged = self.merge(head)
        if merged.problem:
            raise BotError(merged.problem)
        before = merging.tree_of(self.source.store, head)
        return None if merged.tree in {None, before} else merged.tree

    def conflicts(self, _target: str, head: str) -> list[str]:
        return list(self.merge(head).conflicts)

    def merge(self, head: str) -> git.Merged:
        """Merge as `git cherry-pick` does: git finds its base by commits that are made for it."""
        store = self.source.store
        trees = [merging.tree_of(store, commit) for commit in (self.fork, head)]
        base = merging.commit_tree(store, trees[0])
        ours = merging.commit_tree(store, trees[1], "-p", base)
        theirs = merging.commit_tree(store, self.cleared(), "-p", base)
        if trees[1] == trees[0]:
            return git.Merged(tree=self.cleared())
        return merging.merge(self.source, ours, theirs)

    def cleared(self) -> str:
        """The proposal's tree with every file as it was that is never carried."""
        store = self.source.store
        never = {path: old for path, old in self.left_out().items() if old}
        (tree,) = git.trees_with(store, [(merging.tree_of(store, self.head), never)])
        return tree

    def left_out(self) -> dict[str, str | None]:
        """The changed files that the manifest says are never carried, with what they were."""
        globs = self.patch.manifest.never_carry
        changed = git.changed_files(self.source.store, self.head, self.fork)
        return {path: old for path, old in changed.items() if any(fnmatchcase(path, one) for one in globs)}


def find(source: upstream.Upstream, patch: Patch, number: int, base: str) -> PickCargo:
    """The change of a pull request. Raises BotError for one that is not there, or is nothing to carry."""
    if (source.store.path / "shallow").is_file():
        hint = "fetch the whole history into the clone, or name the repository itself with --upstream"
        raise BotError("where the pull request began cannot be told: this clone's history is cut off", hint)
    branches = {ref.name: ref for ref in source.find((), ()) if ref.full.startswith(HEADS)}
    wanted = base or nearest_base(source, patch, number, list(branches))
    into, (proposal,) = proposals.find(source, wanted, [str(number)])
    if into.head is None or proposal.head is None:
        raise BotError(f"pull request {number} or its base cannot be had: {proposal.problem or into.problem}")
    return measured(source, patch, number, (into, proposal))


def measured(source: upstream.Upstream, patch: Patch, number: int, refs: tuple[Ref, Ref]) -> PickCargo:
    base, head = (ref.head or "" for ref in refs)
    forks = git.merge_bases(source.store, base, head)
    if not forks:
        raise BotError(f"the histories of pull request {number} and {refs[0].name} do not meet here")
    options = ("--no-merges", "--reverse", "--topo-order")
    commits = git.must(source.store, "rev-list", *options, head, f"^{base}").text.split()
    if not commits or len(commits) > MOST:
        hint = f"name the branch that it is for; {len(commits)} commits are not one change"
        raise BotError(f"pull request {number} has {len(commits)} commits that {refs[0].name} lacks", hint)
    made = PickCargo(
        source=source,
        patch=patch,
        number=number,
        base=refs[0].name,
        fork=forks[0],
        head=head,
        commits=tuple(commits),
    )
    refuse_odd(source.store, made)
    return made


def nearest_base(source: upstream.Upstream, patch: Patch, number: int, names: Sequence[str]) -> str:
    """The branch that lacks the fewest of its commits: of the manifest's, and those usual as a default."""
    ours = [branch.name for branch in patch.manifest.branches]
    likely = [name for name in dict.fromkeys([*ours, "main", "master", "dev"]) if name in names]
    counts = {name: lacking(source, name, number) for name in likely or names}
    if not counts:
        raise BotError("this upstream has no branch", "give another with --upstream")
    return min(counts, key=lambda name: counts[name])


def lacking(source: upstream.Upstream, name: str, number: int) -> int:
    base, (proposal,) = proposals.find(source, name, [str(number)])
    return git.count_commits(source.store, base.head or "", proposal.head or "")


def refuse_odd(store: git.Repo, made: PickCargo) -> None:
    """Raise BotError for a diff with workflows, links, submodules or files in place of them."""
    options = ("-r", "-z", "--raw", "--no-renames", "--end-of-options")
    out = git.must(store, "diff-tree", *options, made.fork, made.head).out
    fields = out.decode("utf-8", "surrogateescape").split("\0")[:-1]
    left = made.left_out()
    for record, path in zip(fields[::2], fields[1::2], strict=True):
        modes = set(record.lstrip(":").split(" ")[:2])
        if left.get(path):
            continue
        if path in left or any(fnmatchcase(path, glob) for glob in FORBIDDEN) or not modes <= PLAIN:
            why = f"pull request {made.number} changes {path!r}, which no bot carries"
            raise BotError(why, "carry it by hand")


def read(store: git.Repo, commit: str) -> Words:
    """Author and message of a commit as they are."""
    options = (
        "-1",
        "--no-show-signature",
        "--encoding=UTF-8",
        "--date=raw",
        "--format=%an%x00%ae%x00%ad%x00%B",
    )
    out = git.must(store, "log", *options, "--end-of-options", commit).out.decode("utf-8", "replace")
    name, email, date, message = out.split("\0", 3)
    return Words(author=Author(name=name, email=email, date=date), message=message)


def trailers(message: str) -> list[str]:
    """The lines of a message's last paragraph, where that holds nothing but trailers."""
    _, mark, last = message.rstrip("\n").rpartition("\n\n")
    lines = last.split("\n") if mark else []
    return lines if all(map(TRAILER.match, lines)) else []
