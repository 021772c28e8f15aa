"""The sources in a wheel, read with suspicion: nothing is unpacked to disk, and one bad entry refuses all."""

import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LARGEST_TREE = 64 * 2**20  # bytes; the bot itself stays small
MOST_FILES = 50_000
#: Left out, so that a release's tree is its sources, whatever Python and platform the wheel was built for:
#: native libraries, the installer's bookkeeping, and what goes beside the packages (scripts, headers).
NATIVE = (".so", ".pyd", ".dll", ".dylib", ".a", ".lib")
BESIDE = re.compile(r"^[^/]+\.(dist-info|data)/")
#: Except these: the packages themselves, for another library directory.
PACKAGES = re.compile(r"^[^/]+\.data/(purelib|platlib)/")


@dataclass(frozen=True, kw_only=True)
class Refused:
    """Why a wheel was not taken."""

    reason: str


def sources(wheel: Path) -> dict[str, bytes] | Refused:
    """Path → bytes of every source file of a wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            entries = archive.infolist()
            reason = next(objections(entries), "")
            if reason:
                return Refused(reason=f"the wheel is refused: {reason}")
            return {place(entry): archive.read(entry) for entry in entries if is_source(entry)}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, UnicodeError) as error:
        return Refused(reason=f"the wheel cannot be unpacked: {error}")


def is_source(entry: zipfile.ZipInfo) -> bool:
    path = place(entry)
    native = path.endswith(NATIVE) or ".so." in path
    return not (entry.is_dir() or native or BESIDE.match(path))


def place(entry: zipfile.ZipInfo) -> str:
    return PACKAGES.sub("", entry.filename)


def objections(entries: list[zipfile.ZipInfo]) -> Iterator[str]:
    wanted = [entry for entry in entries if is_source(entry)]
    if len(entries) > MOST_FILES:
        yield f"more than {MOST_FILES} files"
    # An entry never yields more than the size it declares, so this bounds what is read.
    if sum(entry.file_size for entry in wanted) > LARGEST_TREE:
        yield f"its sources are larger than {LARGEST_TREE >> 20} MiB"
    if len({place(entry) for entry in wanted}) < len(wanted):
        yield "a file is in it twice"
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            yield f"{entry.filename!r} is no plain file"
        if entry.flag_bits & 1:
            yield f"{entry.filename!r} is encrypted"
        if not is_safe(entry.orig_filename) or not is_safe(place(entry)):
            yield f"{entry.filename!r} is no path to unpack to"


def is_safe(path: str) -> bool:
    """A relative path that stays inside, on any file system, and is none of git's own."""
    parts = path.removesuffix("/").split("/")
    return all(is_safe_part(part) for part in parts) and not re.match(r"^[A-Za-z]:", path)


def is_safe_part(part: str) -> bool:
    # File systems and git's own checks ignore case, trailing dots and spaces, and some invisible characters.
    plain = "".join(char for char in part if char.isprintable()).rstrip(". ").casefold()
    return bool(plain) and part.isprintable() and "\\" not in part and plain not in {".git", "git~1"}
