"""Where branches come from: a git URL, a local repository, or the releases on a package index."""

from collections.abc import Callable
from pathlib import Path

from bot.errors import BotError
from bot.upstream.address import is_address
from bot.upstream.choosing import choose, remembered
from bot.upstream.kind import Notice, Upstream

__all__ = ["Notice", "Upstream", "choose", "open_upstream", "remembered"]

Opener = Callable[[str, Path, Notice], Upstream]


def package_index() -> Opener:
    from bot.upstream import pypi

    return pypi.open_index


def by_address() -> Opener:
    from bot.upstream import remote

    return remote.open_remote


def on_disk() -> Opener:
    from bot.upstream import local

    return local.open_local


#: One row per kind: (recognises a spec, what opens it). The first that recognises one opens it; only that
#: kind is imported.
KINDS: tuple[tuple[Callable[[str], bool], Callable[[], Opener]], ...] = (
    (lambda spec: spec.startswith("pypi:"), package_index),
    (is_address, by_address),
    (lambda _spec: True, on_disk),
)


def open_upstream(spec: str, *, cache: Path, notice: Notice) -> Upstream:
    """Open an upstream without asking the network; `notice` is called with a sentence before long steps.

    Raises BotError for a spec that is nothing we can read, and for a cache that cannot be written.
    """
    if spec.startswith("-") or not spec.strip() or any(ord(char) < ord(" ") for char in spec):
        raise BotError(f"{spec!r} is no upstream", "give a git URL, a path (./-name) or pypi:<name>")
    opener = next(opener for recognises, opener in KINDS if recognises(spec))
    return opener()(spec, cache, notice)
