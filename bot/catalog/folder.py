"""The patches directory: its names, and each folder as a Patch that was read, checked and pinned."""

import hashlib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from bot.catalog import mailpatch, manifest, paths, rules
from bot.catalog.diff import PatchProblem
from bot.errors import BotError, nearest
from bot.model import FileChange, Manifest, Patch, PatchFile, Version

MANIFEST = "patch.yml"


def names(folder: Path) -> list[str]:
    """The patches that lie in `folder`, sorted. Raises BotError when there is no such folder."""
    try:
        return sorted(path.name for path in folder.iterdir() if (path / MANIFEST).is_file())
    except OSError as error:
        hint = "set --patches or UPSTREAM_BOT_PATCHES to the folder that holds the patches"
        raise BotError(f"no patches in {folder}: {error.strerror}", hint) from None


def load(folder: Path, name: str) -> Patch:
    """The patch `name`. Raises BotError for the first thing in its folder that is not as it must be."""
    known = names(folder)
    if name not in known:
        listed = nearest(name, known) or ", ".join(known) or f"none; is {folder} the right folder?"
        raise BotError(f"unknown patch {name!r}", f"known: {listed}")
    place = folder / name
    read = manifest.read(place / MANIFEST)
    contents = {file.path: pinned(place, file) for version in read.versions for file in version.files}
    newest = read.versions[-1]
    return Patch(
        manifest=read,
        folder=place,
        version=newest,
        variants={file.path: changes(place, file, contents[file.path], read) for file in newest.files},
        patch_sha256=patch_digest(newest),
        probes_sha256=tree_digest(place / "proofs"),
    )


def pinned(place: Path, file: PatchFile) -> bytes:
    """The bytes of a patch file, which are those that the manifest pins."""
    path = place / file.path
    if not path.resolve().is_relative_to(place.resolve()):
        raise BotError(f"{path} leads out of the patch's folder", "put the file itself there, not a link")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}", f"{MANIFEST} names it") from None
    actual = hashlib.sha256(data).hexdigest()
    if actual != file.sha256:
        raise BotError(
            f"{path} has SHA-256 {actual}, but {MANIFEST} pins {file.sha256}", mismatch_hint(data, file)
        )
    return data


def mismatch_hint(data: bytes, file: PatchFile) -> str:
    restored = hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()
    if restored == file.sha256:
        return (
            "it was checked out with changed line ends (CRLF): mark *.patch as -text and check it out again"
        )
    if b"\r\n" in data:
        return "it has CRLF line ends and other changes: a published version never changes, make the next one"
    return "a published version never changes: restore the file, or make the next version"


def changes(place: Path, file: PatchFile, data: bytes, read: Manifest) -> tuple[FileChange, ...]:
    path = place / file.path
    try:
        found = mailpatch.parse(data)
    except PatchProblem as problem:
        hint = "make the file with `git format-patch -1 --full-index`, and pin its SHA-256"
        raise BotError(f"{path} line {problem.line}: {problem.why}", hint) from None
    for change in found:
        if read.upstream.paths and not paths.within(change.path, read.upstream.paths):
            listed = ", ".join(read.upstream.paths)
            raise BotError(
                f"{path} changes {change.path}, which is not in upstream.paths", f"known: {listed}"
            )
        base = read.versions[-1].base.blobs.get(change.path, change.old_blob)
        if not file.branches and base != change.old_blob:
            why = f"{path} starts from blob {change.old_blob} of {change.path}, but {MANIFEST} says {base}"
            raise BotError(why, "correct base.blobs, or make the patch on that base")
    return found


def patch_digest(version: Version) -> str:
    """SHA-256 of the version's files in the form of `sha256sum`, sorted by path."""
    files = sorted(version.files, key=lambda file: file.path)
    return hashlib.sha256("".join(f"{file.sha256}  {file.path}\n" for file in files).encode()).hexdigest()


def tree_digest(root: Path) -> str:
    """SHA-256 over each file below `root` in order of its path: the path, a NUL, and the bytes."""
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in sources(root)):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def sources(root: Path) -> Iterable[Path]:
    """The regular files below `root` but what Python leaves behind when it runs them."""
    for path in root.rglob("*"):
        if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.relative_to(root).parts:
            yield path


def variant_for(patch: Patch, branch_name: str) -> PatchFile:
    """The patch file for a branch: the one the manifest names, else by its globs, else the default."""
    files = patch.version.files
    named = {branch.variant for branch in patch.manifest.branches if branch.name == branch_name} - {""}
    for file in files:
        if named.intersection(rules.variant_names(file)):
            return file
    for file in files:
        if any(fnmatchcase(branch_name, glob) for glob in file.branches):
            return file
    return next(file for file in files if not file.branches)
