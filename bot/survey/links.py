"""Symbolic links whose target reads like the patch's file: a text does not tell what it is in a tree."""

from collections.abc import Iterable

from bot import git
from bot.survey import look

#: Bytes that a link's target cannot have: Linux makes none of PATH_MAX. Only shorter files are asked for.
LONGEST = 4096
LINK = b"120000"


def problems(store: git.Repo, seen: Iterable[look.Sight], readings: look.Readings) -> dict[str, str]:
    """What is wrong with each target, by its full name, of which a file that can be judged is a link."""
    asked = {
        spec: (one.ref.full, made.path)
        for one in seen
        if one.whole
        for spec, made in zip(one.specs, readings[one.key], strict=True)
        if made.size is not None and made.size < LONGEST
    }
    modes = git.modes_of(store, list(asked))
    return {
        full: f"{path} is a symbolic link there, whose target reads like the file"
        for spec, (full, path) in asked.items()
        if modes.get(spec) == LINK
    }
