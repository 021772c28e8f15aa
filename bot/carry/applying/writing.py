"""Files replaced, all or none: never through a link, with their mode, and no old bytecode is used."""

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from bot.errors import BotError

SECOND = 10**9
#: A .pyc begins with a magic number, flags, and the time and size of its source.
HEADER = 16
HASHED, CHECKED = 0b01, 0b10


def objection(root: Path, path: str) -> str:
    """Why `path` below `root` is not touched: a link, or no plain file. A missing one has no objection."""
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        name = "/".join(parts[:depth])
        try:
            mode = (root / name).lstat().st_mode
        except FileNotFoundError:
            return ""
        except NotADirectoryError:
            return f"what should hold {name} is no directory"
        if stat.S_ISLNK(mode):
            return f"{name} is a symbolic link: what it points to may belong to others"
        if depth == len(parts) and not stat.S_ISREG(mode):
            return f"{name} is no plain file"
    return ""


def read(path: Path) -> bytes | None:
    """The bytes of a file; None when there is none. Raises BotError when it may not be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}", "look at its permissions") from None


def check_writable(keeper: Path, files: Sequence[Path]) -> None:
    """Raise BotError for what its owner does not want written: a file, its directory, or that of records."""
    for path in (keeper, *(place for file in files for place in (file.parent, file))):
        # Root may write everywhere; a mode without any right to write is a wish all the same.
        if not path.lstat().st_mode & 0o222 or not os.access(path, os.W_OK):
            raise BotError(
                f"{path} is read-only; nothing was written",
                "make it writable, or run as the user who may write there",
            )


def replace_all(root: Path, texts: Mapping[str, bytes]) -> None:
    """Give each of these files, which are all there, its new bytes; when one fails, none has them.

    Raises BotError for what the system refuses.
    """
    before = {path: (root / path).read_bytes() for path in texts}
    begun: list[str] = []
    with ExitStack() as undo:
        undo.callback(drop_halves, root, texts)
        undo.callback(lambda: put_back(root, {path: before[path] for path in reversed(begun)}))
        try:
            for path, text in texts.items():
                prepare(root / path, text)
            for path in texts:
                begun.append(path)
                half_of(root / path).replace(root / path)
                drop_unchecked(root / path)
        except OSError as error:
            raise BotError(
                f"{error.filename or root} cannot be written: {error.strerror}; every file is as it was",
                "free some space, or look at the permissions",
            ) from error
        undo.pop_all()


def put_back(root: Path, texts: Mapping[str, bytes]) -> None:
    for path, text in texts.items():
        if (root / path).read_bytes() != text:
            prepare(root / path, text)
            half_of(root / path).replace(root / path)
            drop_unchecked(root / path)


def drop_halves(root: Path, paths: Mapping[str, object]) -> None:
    """Remove what an interrupted run was about to put in place."""
    for path in paths:
        with suppress(OSError):  # what is no file was not put there by us
            half_of(root / path).unlink()


def half_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.upstream-bot-new")


def prepare(path: Path, text: bytes) -> None:
    """Write the new file beside the old one: caches hard-link what they install, and keep their bytes."""
    old, half = path.lstat(), half_of(path)
    half.unlink(missing_ok=True)
    handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(text)
        with suppress(PermissionError):  # only root may give files away
            os.fchown(handle, old.st_uid, old.st_gid)
        os.fchmod(handle, stat.S_IMODE(old.st_mode))
        file.flush()
        os.fsync(handle)
    moment = unused_time(path)
    os.utime(half, ns=(moment, moment))


def unused_time(path: Path) -> int:
    """Now, or the next second that neither the old file nor bytecode of it has: Python compares seconds."""
    used = {path.lstat().st_mtime_ns // SECOND & 0xFFFFFFFF}
    used |= {int.from_bytes(header[8:12], "little") for _, header in bytecode(path)}
    moment = time.time_ns()
    while moment // SECOND & 0xFFFFFFFF in used:
        moment += SECOND
    return moment


def drop_unchecked(path: Path) -> None:
    """Remove bytecode that Python would use without a look at the source."""
    for compiled, header in bytecode(path):
        flags = int.from_bytes(header[4:8], "little")
        if flags & HASHED and not flags & CHECKED:
            compiled.unlink()


def bytecode(path: Path) -> Iterator[tuple[Path, bytes]]:
    """Each .pyc of a source file, with its header."""
    folder = path.with_name("__pycache__")
    if folder.is_symlink() or not folder.is_dir():
        return
    for compiled in sorted(folder.iterdir()):
        if compiled.name.startswith(f"{path.stem}.") and compiled.suffix == ".pyc" and compiled.is_file():
            with compiled.open("rb") as file:
                yield compiled, file.read(HEADER)
