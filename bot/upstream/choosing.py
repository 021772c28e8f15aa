"""Which refs are meant: globs and full names from people, names from manifests and memory."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from bot.errors import BotError, nearest
from bot.model import Ref

HEADS = "refs/heads/"


def choose(refs: Iterable[Ref], *, branches: Sequence[str], patterns: Sequence[str]) -> tuple[Ref, ...]:
    """The refs that people asked for: in the order asked, each once; every branch when nothing is asked.

    `branches` match below refs/heads/, `patterns` match full refs; `*` crosses `/`. Raises BotError for a
    full name that does not exist and for a glob that matches nothing.
    """
    known = {ref.full: ref for ref in refs}
    heads = {full.removeprefix(HEADS): ref for full, ref in known.items() if full.startswith(HEADS)}
    if not branches and not patterns:
        return tuple(heads.values())
    chosen: dict[str, Ref] = {}
    for asked in branches:
        chosen |= {ref.full: ref for ref in matching(heads, asked, "branch")}
    for asked in patterns:
        chosen |= {ref.full: ref for ref in matching(known, asked, "ref")}
    return tuple(chosen.values())


def matching(known: dict[str, Ref], asked: str, what: str) -> list[Ref]:
    if asked in known:
        return [known[asked]]
    if is_glob(asked):
        found = [ref for name, ref in known.items() if fnmatchcase(name, asked)]
        if found:
            return found
        raise BotError(f"no {what} matches {asked!r}", f"quote the pattern; there are {len(known)} to match")
    near = nearest(asked, list(known))
    raise BotError(
        f"there is no {what} {asked!r}", f"nearest: {near}" if near else f"none of {len(known)} is near"
    )


def is_glob(name: str) -> bool:
    """Whether this can only be a pattern: git allows none of these characters in a ref's name."""
    return any(char in name for char in "*?[")


def remembered(refs: Iterable[Ref], names: Iterable[str]) -> tuple[Ref, ...]:
    """Branches that a manifest or our memory names, each once; a `missing` ref where there is none."""
    known = {ref.full: ref for ref in refs}
    fulls = dict.fromkeys(HEADS + name for name in names)
    return tuple(
        known.get(full) or Ref(full=full, name=full.removeprefix(HEADS), missing=True) for full in fulls
    )


def named(full: str, head: str | None = None, problem: str = "") -> Ref:
    """A ref as people read it: branches by their short name, everything else in full."""
    return Ref(full=full, name=full.removeprefix(HEADS), head=head, problem=problem)
