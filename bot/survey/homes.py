"""The new home of an anchor that has left its file: another file of the tree that defines it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot import git
from bot.errors import BotError
from bot.model import Value
from bot.survey import anchors

SOURCE = ".py"


class Home(Value, frozen=True, kw_only=True):
    """A file that defines a symbol: `exact`, or in another scope (a function that became a method)."""

    path: str
    exact: bool


#: The homes of each symbol.
Homes = Mapping[str, tuple[Home, ...]]


class Unknown(Value, frozen=True, kw_only=True):
    """The tree cannot be searched here."""

    why: str


class Search:
    """Looks for symbols in the files of many commits; each blob is read once."""

    def __init__(self, store: git.Repo, symbols: Sequence[str]) -> None:
        self.store = store
        self.symbols = tuple(symbols)
        self.defined: dict[str, dict[str, bool]] = {}

    def find(self, wanted: Sequence[tuple[str, str]]) -> list[Homes | Unknown]:
        """The files that define each symbol at each commit, among those that differ from one that had them.

        `wanted` are pairs of (commit, one that had them); without the latter all files are looked at.
        """
        try:
            files = candidates(self.store, wanted)
            self.read(blob for one in files for blob in one.values())
        except BotError as error:
            if len(wanted) > 1:  # one target's missing object is no other target's
                return [found for pair in wanted for found in self.find([pair])]
            went = f"where {' and '.join(self.symbols)} went cannot be told"
            return [Unknown(why=f"{went}: {error.message}")]
        return [self.homes(one) for one in files]

    def homes(self, files: Mapping[str, str]) -> Homes:
        return {
            symbol: tuple(
                Home(path=path, exact=self.defined[blob][symbol])
                for path, blob in sorted(files.items())
                if symbol in self.defined[blob]
            )
            for symbol in self.symbols
        }

    def read(self, blobs: Iterable[str]) -> None:
        wanted = [blob for blob in dict.fromkeys(blobs) if blob not in self.defined]
        for blob, text in git.contents(self.store, wanted).items():
            self.defined[blob] = dict(definitions(text, self.symbols))


def definitions(text: bytes, symbols: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The symbols that a text defines, and whether at their own place or in some other scope."""
    for symbol in symbols:
        name = symbol.rpartition(".")[2]
        if name.encode() in text and anchors.defining_lines(text, name):
            yield symbol, bool(anchors.find(text, symbol).spans)


def candidates(store: git.Repo, wanted: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Python files by path that can be the new home: what was not there before as it is now."""
    specs = {commit: f"{commit}^{{tree}}" for pair in wanted for commit in pair if commit}
    entries = git.look_up(store, list(specs.values()))
    trees = {commit: entry.id for commit, spec in specs.items() if (entry := entries[spec])}
    pairs = [(trees[kept], trees[commit]) for commit, kept in wanted if kept in trees and commit in trees]
    distinct = list(dict.fromkeys(pairs))
    changed = dict(zip(distinct, git.changed_between(store, distinct, [f"*{SOURCE}"]), strict=True))
    return [
        changed[trees[kept], trees[commit]] if kept in trees and commit in trees else whole(store, commit)
        for commit, kept in wanted
    ]


def whole(store: git.Repo, commit: str) -> dict[str, str]:
    files = (one for one in git.list_files(store, commit) if one.kind == "blob")
    return {one.path: one.id for one in files if one.path.endswith(SOURCE)}


def said(found: Homes) -> str:
    """A clause that names the new homes; "" when no symbol has one."""
    return " and ".join(clause(symbol, places) for symbol, places in found.items() if places)


def clause(symbol: str, places: Sequence[Home]) -> str:
    exact = [place.path for place in places if place.exact]
    if exact:
        return f"{symbol} is in {' and '.join(exact)} now"
    elsewhere = " and ".join(place.path for place in places)
    return f"{symbol.rpartition('.')[2]} is defined in another scope of {elsewhere} now"
