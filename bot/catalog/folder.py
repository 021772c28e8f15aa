"""The patches directory: its names, and each folder as a Patch that was read, checked and pinned."""

import hashlib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from bot.catalog import files, manifest, rules
from bot.catalog.flaw import Flaw, FlawError
from bot.errors import BotError, nearest
from bot.model import Manifest, Patch, PatchFile, Value, Version

MANIFEST = files.MANIFEST


class Refused(Value, frozen=True, kw_only=True):
    """A patch that the linter refuses: nothing of it is used, and `flaws` (at least one) say why."""

    manifest: Manifest
    folder: Path
    version: Version
    flaws: tuple[Flaw, ...]

    @property
    def reason(self) -> str:
        """One line that tells the first flaw and counts the others."""
        more = f" (and {len(self.flaws) - 1} more)" if len(self.flaws) > 1 else ""
        return f"{self.flaws[0].sentence}{more}"


def names(folder: Path) -> list[str]:
    """The patches that lie in `folder`, sorted. Raises BotError when there is no such folder."""
    try:
        return sorted(path.name for path in folder.iterdir() if (path / MANIFEST).is_file())
    except OSError as error:
        hint = "set --patches or UPSTREAM_BOT_PATCHES to the folder that holds the patches"
        raise BotError(f"no patches in {folder}: {error.strerror}", hint) from None


def load(folder: Path, name: str) -> Patch:
    """The patch `name`. Raises BotError for the first thing in its folder that is not as it must be."""
    match judge(folder, name):
        case Refused() as refused:
            raise FlawError(folder / name, refused.flaws[0])
        case patch:
            return patch


def judge(folder: Path, name: str) -> Patch | Refused:
    """The patch `name`, or why it is `patch_invalid` (DESIGN 3): bytes that are not pinned, or a refusal.

    Raises BotError for an unknown patch, and for a manifest that cannot be read: then nobody knows what it is
    a patch of.
    """
    place = find(folder, name)
    read = manifest.read(place / MANIFEST)
    *older, newest = read.versions
    examined = {file.path: files.examine(place, read, newest, file) for file in newest.files}
    flaws = [flaw for version in older for file in version.files for flaw in files.pinned(place, file)]
    flaws += [flaw for one in examined.values() for flaw in one.flaws]
    if flaws:
        return Refused(manifest=read, folder=place, version=newest, flaws=tuple(flaws))
    return Patch(
        manifest=read,
        folder=place,
        version=newest,
        variants={path: one.changes for path, one in examined.items()},
        patch_sha256=patch_digest(newest),
        probes_sha256=tree_digest(place / "proofs"),
    )


def find(folder: Path, name: str) -> Path:
    """The folder of the patch `name`. Raises BotError for a name that is not there."""
    known = names(folder)
    if name not in known:
        listed = nearest(name, known) or ", ".join(known) or f"none; is {folder} the right folder?"
        raise BotError(f"unknown patch {name!r}", f"known: {listed}")
    return folder / name


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
    known = patch.version.files
    named = {branch.variant for branch in patch.manifest.branches if branch.name == branch_name} - {""}
    for file in known:
        if named.intersection(rules.variant_names(file)):
            return file
    for file in known:
        if any(fnmatchcase(branch_name, glob) for glob in file.branches):
            return file
    return next(file for file in known if not file.branches)
