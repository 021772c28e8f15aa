"""The patch put into files that people have: a tree or an installed package, and taken back (DESIGN 5)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.carry.applying import backward, forward
from bot.carry.applying.installed import default_python, interpreter, open_installed
from bot.carry.applying.outcome import RED, Deed, Outcome
from bot.carry.applying.place import Place
from bot.carry.applying.trees import open_tree
from bot.model import Patch
from bot.proof import locks

__all__ = [
    "RED",
    "Deed",
    "Outcome",
    "Place",
    "apply",
    "check_apply",
    "check_reverse",
    "default_python",
    "interpreter",
    "open_installed",
    "open_tree",
    "reverse",
]

check_apply = forward.check
check_reverse = backward.check


def apply(patch: Patch, place: Place) -> Outcome:
    """Put the patch in, or say why not. Raises BotError for what the system refuses."""
    with held(place.root):
        return forward.apply(patch, place)


def reverse(patch: Patch, place: Place) -> Outcome:
    """Take the patch back, or say why not. Raises BotError for what the system refuses."""
    with held(place.root):
        return backward.reverse(patch, place)


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Hold the lock on a directory, which leaves no file there and ends with its process."""
    lock = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        locks.take(lock, wait)
        yield
    finally:
        os.close(lock)


def wait(_text: str) -> None:
    """The other run needs less than a second."""
