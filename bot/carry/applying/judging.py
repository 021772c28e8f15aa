"""What the patch is to the files as they lie there: the survey's own decision (DESIGN 3)."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from bot import catalog, git
from bot.carry.applying.place import Place
from bot.model import FileChange, HunkPlace, Patch, Ref, State, Value
from bot.survey import hunks
from bot.survey.finding import Finding, find
from bot.upstream import local, stores

#: The files of a tree: path → bytes, None where there is none.
Texts = Mapping[str, bytes | None]
#: Nobody in particular and no date of ours.
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in {"NAME": "upstream-bot", "EMAIL": "upstream-bot@localhost", "DATE": "@0 +0000"}.items()
}


class Change(Value, frozen=True, kw_only=True):
    """One hunk in one file: how many lines it adds and removes, at which line (1-based), in which anchor."""

    path: str
    added: int
    removed: int
    line: int
    anchor: str


def files(patch: Patch, place: Place) -> tuple[FileChange, ...]:
    """What the variant for this branch or release changes."""
    return patch.variants[catalog.variant_for(patch, place.name).path]


def judge(patch: Patch, place: Place, texts: Texts) -> Finding:
    """The state of the patch on these texts, which become a commit in a scratch store of our own."""
    with tempfile.TemporaryDirectory(prefix="upstream-bot-apply-") as scratch:
        store = open_store(place, Path(scratch))
        head = commit(store, place, texts, Path(scratch, "index"))
        ref = Ref(full=f"refs/heads/{place.name}", name=place.name, head=head)
        return find(store, patch, [ref], has_history=bool(place.head))[0]


def open_store(place: Place, scratch: Path) -> git.Repo:
    """A store that borrows the checkout's objects, which have the history and perhaps the patch's base."""
    if place.checkout:
        return local.open_local(str(place.checkout), scratch, quiet).store
    return stores.open_store(stores.place(scratch, "unpacked"), quiet)


def quiet(_text: str) -> None:
    """Nothing here takes long."""


def commit(store: git.Repo, place: Place, texts: Texts, index: Path) -> str:
    """A commit of the texts on top of the checked-out one, so that ancestry can be asked."""
    env = {"GIT_INDEX_FILE": str(index), **IDENTITY}
    there = {path: git.write_blob(store, text) for path, text in texts.items() if text is not None}
    listing = "".join(f"100644 {blob}\t{path}\0" for path, blob in there.items())
    git.must(store, "update-index", "-z", "--index-info", data=listing.encode(), env=env)
    tree = git.must(store, "write-tree", env=env).text
    parents = ("-p", place.head) if place.head else ()
    return git.must(store, "commit-tree", "-m", "the files as they lie there", *parents, tree, env=env).text


def changes(patch: Patch, place: Place, spots: tuple[HunkPlace, ...]) -> tuple[Change, ...]:
    """The hunks with the places that the survey found for them."""
    pairs = [(change.path, hunk) for change in files(patch, place) for hunk in change.hunks]
    return tuple(
        Change(
            path=path,
            added=sum(mark == b"+" for mark, _ in hunks.marked(hunk)),
            removed=sum(mark == b"-" for mark, _ in hunks.marked(hunk)),
            line=spot.line + hunks.old_touched(hunk)[0],
            anchor=spot.anchor,
        )
        for (path, hunk), spot in zip(pairs, spots, strict=True)
    )


def explain(place: Place, state: State, texts: Texts) -> str:
    """What may be behind a state, told from the files themselves; empty when nothing is."""
    for path, text in texts.items():
        if text is None and place.checkout and path in place.origin:
            return f"{path} is committed but not there: deleted, or left out by a sparse checkout"
        if state is State.CONFLICTS and text and b"\r\n" in text:
            return f"the lines of {path} end in CR LF, those of the patch in LF"
    if state is State.UNKNOWN and not place.checkout and not place.name:
        return "which release is it? say it with --branch, as in --branch pypi/1.2.3"
    if all(text is None for text in texts.values()):
        first = next(iter(texts))
        return f"is {place.root} the directory that {first.partition('/')[0]} lies in?"
    return ""
