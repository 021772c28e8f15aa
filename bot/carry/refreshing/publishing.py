"""A version put into its patch's folder: all of it or nothing, whenever we are stopped."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import structs

from bot import catalog
from bot.carry.refreshing import listing
from bot.carry.refreshing.successor import Successor
from bot.errors import BotError
from bot.model import Patch

MANIFEST = "patch.yml"
#: How the half-made files of a run that was killed are known.
HALF = ".upstream-bot-half-"


def publish(patch: Patch, made: Successor, folder: Path) -> None:
    """Write the files, then the manifest that names them: until then the folder is what it was.

    Raises BotError when anything in the folder has changed since the patch was read.
    """
    try:
        with locked(folder):
            text = read_unchanged(patch, folder)
            new = listing.insert(text, patch.manifest.versions, made.version)
            put_files(made, folder)
            replace(folder / MANIFEST, new.encode())
    except OSError as error:
        raise BotError(
            f"{made.version.id} cannot be written: {error.strerror}",
            "nothing was published; mend it and run again",
        ) from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for one writer, without a file for it, and remove what a killed one left."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for left in folder.glob(f"{HALF}*"):
            remove(left)
        yield
    except BlockingIOError:
        raise BotError(
            "another run writes a version of this patch", "wait for its end and run again"
        ) from None
    finally:
        os.close(handle)


def remove(left: Path) -> None:
    if left.is_dir() and not left.is_symlink():
        shutil.rmtree(left)
    else:
        left.unlink()


def read_unchanged(patch: Patch, folder: Path) -> str:
    now = catalog.load(folder.parent, folder.name)
    if structs.replace(now, folder=patch.folder) != patch:
        raise BotError(f"{patch.id} was changed by somebody else meanwhile", "look at it and run again")
    return (folder / MANIFEST).read_bytes().decode("utf-8")


def put_files(made: Successor, folder: Path) -> None:
    """Make the version's folder complete under another name, and give it its own in one step."""
    place = folder / made.version.id
    if is_there(made, folder):
        return
    if place.exists() or place.is_symlink():
        why = f"{place} is there, and {MANIFEST} does not name it"
        raise BotError(why, "look at what it holds and remove it, then run again")
    half = folder / f"{HALF}{secrets.token_hex(4)}"
    try:
        for path, data in made.contents.items():
            write(half / path, data)
        (half / made.version.id).rename(place)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def is_there(made: Successor, folder: Path) -> bool:
    """Whether a run that was killed before its last step left exactly these files."""
    found = {
        path.relative_to(folder).as_posix()
        for path in (folder / made.version.id).rglob("*")
        if path.is_file()
    }
    same = found == set(made.contents)
    return same and all((folder / path).read_bytes() == data for path, data in made.contents.items())


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace(path: Path, data: bytes) -> None:
    """Give a file another text in one step; its mode stays."""
    real = path.resolve()
    half = real.with_name(f"{HALF}{secrets.token_hex(4)}")
    try:
        write(half, data)
        half.chmod(real.stat().st_mode & 0o777)
        half.replace(real)
    finally:
        half.unlink(missing_ok=True)
