"""Lay trees out from the object store: only the asked paths, under random names, outside any repository."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from bot import git
from bot.errors import BotError

#: Compiled Python would run in place of the source beside it.
STALE = (".pyc", ".pyo")
#: Where Python keeps what it compiled.
COMPILED = "__pycache__"
REGULAR = ("100644", "100755")


def lay(store: git.Repo, tree: str, paths: Sequence[str], scratch: Path) -> tuple[Path, dict[str, str]]:
    """Write the regular files of `tree` below `paths` into a new directory; return it and each file's blob.

    Raises BotError when there is no room.
    """
    entries = {entry.path: entry.id for entry in git.list_files(store, tree, paths) if wanted(entry)}
    data = git.contents(store, entries.values())
    root = write(scratch / secrets.token_hex(8), {path: data[blob] for path, blob in entries.items()})
    return root, entries


def wanted(entry: git.TreeEntry) -> bool:
    """Whether the entry is a source file with a harmless path; symlinks and submodules stay out."""
    path = PurePosixPath(entry.path)
    harmless = not path.is_absolute() and ".." not in path.parts
    return entry.mode in REGULAR and harmless and path.suffix not in STALE


def write(root: Path, files: Mapping[str, bytes]) -> Path:
    """Write files by relative path below a new directory, and return it. Raises BotError."""
    try:
        for folder in {root / PurePosixPath(path).parent for path in files}:
            folder.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (root / path).write_bytes(data)
    except OSError as error:
        hint = "set TMPDIR to a place with room"
        raise BotError(f"a tree could not be laid out: {error.strerror}", hint) from None
    return root


def link_neighbours(own: Path, root: Path, paths: Iterable[str]) -> None:
    """Let the files of `own` find beside them what lies beside them in the whole tree, as links.

    A module that looks for its neighbours (`Path(__file__).parent`) must not see them missing.
    """
    for folder in dict.fromkeys(folder for path in paths for folder in PurePosixPath(path).parents):
        for neighbour in (root / folder).iterdir():
            mine = own / folder / neighbour.name
            if neighbour.name != COMPILED and not mine.exists():
                mine.symlink_to(neighbour)


def unchanged(root: Path, files: Mapping[str, str]) -> bool:
    """Whether every file is still the blob that was laid out."""
    for path, blob in files.items():
        try:
            data = (root / path).read_bytes()
        except OSError:
            return False
        if git.object_id("blob", data, len(blob)) != blob:
            return False
    return True
