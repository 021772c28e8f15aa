"""One patch file of a version: its bytes, which the manifest pins, and what they change."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.catalog import diff, mailpatch, paths
from bot.catalog.flaw import Flaw
from bot.model import FileChange, Manifest, PatchFile, Version

MANIFEST = "patch.yml"
#: Bytes of the largest patch file that is read.
LIMIT = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Examined:
    """`data` is None where the file cannot be read; `changes` are those that are right."""

    data: bytes | None = None
    changes: tuple[FileChange, ...] = ()
    flaws: tuple[Flaw, ...] = ()


def examine(place: Path, read: Manifest, version: Version, file: PatchFile) -> Examined:
    """Everything that is wrong with a patch file of the folder `place`, and what it changes."""
    data = fetch(place, file.path)
    if isinstance(data, Flaw):
        return Examined(flaws=(data,))
    content = mailpatch.examine(data)
    flaws = [
        *pin_flaws(file, data),
        *(told(file.path, problem) for problem in content.problems),
        *place_flaws(read, version, file, content),
    ]
    return Examined(data=data, changes=tuple(content.changes.values()), flaws=tuple(flaws))


def pinned(place: Path, file: PatchFile) -> tuple[Flaw, ...]:
    """What is wrong with the bytes of a file whose content no longer matters."""
    data = fetch(place, file.path)
    return (data,) if isinstance(data, Flaw) else tuple(pin_flaws(file, data))


def content_flaws(place: Path, name: str) -> tuple[Flaw, ...]:
    """What is wrong with a patch file in itself, where no manifest says more of it."""
    data = fetch(place, name)
    if isinstance(data, Flaw):
        return (data,)
    return tuple(told(name, problem) for problem in mailpatch.examine(data).problems)


def told(name: str, problem: diff.PatchProblem) -> Flaw:
    return Flaw(file=name, line=problem.line, why=problem.why, hint=problem.hint)


def fetch(place: Path, name: str) -> bytes | Flaw:
    path = place / name
    try:
        if not path.resolve().is_relative_to(place.resolve()):
            hint = "put the file itself there, not a link"
            return Flaw(file=name, line=1, why="it leads out of the patch's folder", hint=hint)
        if path.exists() and not path.is_file():
            return Flaw(file=name, line=1, why="it is no file", hint=f"{MANIFEST} names it")
        with path.open("rb") as stream:
            data = stream.read(LIMIT + 1)
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the name; links in a circle
        why = f"it cannot be read: {getattr(error, 'strerror', '') or error}"
        return Flaw(file=name, line=1, why=why, hint=f"{MANIFEST} names it")
    if len(data) > LIMIT:
        why = f"it is larger than {LIMIT // 1024} KiB"
        return Flaw(file=name, line=1, why=why, hint="a patch is a few lines of a few files")
    return data


def pin_flaws(file: PatchFile, data: bytes) -> Iterator[Flaw]:
    actual = hashlib.sha256(data).hexdigest()
    if actual != file.sha256:
        why = f"its SHA-256 is {actual}, but {MANIFEST} pins {file.sha256}"
        yield Flaw(file=file.path, line=1, why=why, hint=mismatch_hint(data, file))


def mismatch_hint(data: bytes, file: PatchFile) -> str:
    restored = hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()
    if restored == file.sha256:
        return (
            "it was checked out with changed line ends (CRLF): mark *.patch as -text and check it out again"
        )
    if b"\r\n" in data:
        return "it has CRLF line ends and other changes: a published version never changes, make the next one"
    return "a published version never changes: restore the file, or make the next version"


def place_flaws(read: Manifest, version: Version, file: PatchFile, content: diff.Content) -> Iterator[Flaw]:
    """Changes of files that are not the manifest's, or that start from another text than it says."""
    blobs = version.base.blobs
    for path, change in content.changes.items():
        line = content.lines[path]
        if read.upstream.paths and not paths.within(path, read.upstream.paths):
            why, hint = f"{path} is not in upstream.paths", f"known: {', '.join(read.upstream.paths)}"
        elif file.branches or not blobs or blobs.get(path) == change.old_blob:
            continue
        elif path not in blobs:
            why, hint = f"{path} is not in base.blobs", f"known: {', '.join(blobs)}"
        else:
            why = f"it starts from blob {change.old_blob} of {path}, but {MANIFEST} says {blobs[path]}"
            hint = "correct base.blobs, or make the patch on that base"
        yield Flaw(file=file.path, line=line, why=why, hint=hint)
