"""Lay trees out from the object store: only the asked paths, under random names, outside any repository."""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from bot import git
from bot.errors import BotError

#: Compiled Python would run in place of the source beside it.
STALE = (".pyc", ".pyo")
REGULAR = ("100644", "100755")


def lay(store: git.Repo, tree: str, paths: Sequence[str], scratch: Path) -> Path:
    """Write the regular files of `tree` below `paths` into a new directory and return it. Raises BotError."""
    entries = [entry for entry in git.list_files(store, tree, paths) if wanted(entry)]
    data = git.contents(store, (entry.id for entry in entries))
    root = scratch / secrets.token_hex(8)
    try:
        write(root, {entry.path: data[entry.id] for entry in entries})
    except OSError as error:
        raise BotError(
            f"a tree could not be laid out: {error.strerror}", "set TMPDIR to a place with room"
        ) from None
    return root


def wanted(entry: git.TreeEntry) -> bool:
    """Whether the entry is a source file with a harmless path; symlinks and submodules stay out."""
    path = PurePosixPath(entry.path)
    harmless = not path.is_absolute() and ".." not in path.parts
    return entry.mode in REGULAR and harmless and path.suffix not in STALE


def write(root: Path, files: Mapping[str, bytes]) -> None:
    for folder in {root / PurePosixPath(path).parent for path in files}:
        folder.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        (root / path).write_bytes(data)
