"""Where branches come from: a git URL, a local repository, or the releases on a package index."""

from collections.abc import Callable
from pathlib import Path

from bot.errors import BotError
from bot.upstream import local, pypi, remote
from bot.upstream.choosing import choose, remembered
from bot.upstream.kind import Notice, Upstream

__all__ = ["Notice", "Upstream", "choose", "open_upstream", "remembered"]

Kind = tuple[Callable[[str], bool], Callable[[str, Path, Notice], Upstream]]

#: One row per kind: (recognises, opens). The first that recognises a spec opens it.
KINDS: tuple[Kind, ...] = (
    (pypi.recognises, pypi.open_index),
    (remote.recognises, remote.open_remote),
    (local.recognises, local.open_local),
)


def open_upstream(spec: str, *, cache: Path, notice: Notice) -> Upstream:
    """Open an upstream without asking the network; `notice` is called with a sentence before long steps.

    Raises BotError for a spec that is nothing we can read, and for a cache that cannot be written.
    """
    if spec.startswith("-") or not spec.strip() or any(ord(char) < ord(" ") for char in spec):
        raise BotError(f"{spec!r} is no upstream", "give a git URL, a path (./-name) or pypi:<name>")
    opens = next(opens for recognises, opens in KINDS if recognises(spec))
    return opens(spec, cache, notice)
