"""The next version of a patch: its id, files and base; what is not refreshed is carried over as it is."""

import hashlib
import re
from fnmatch import fnmatchcase

from msgspec import structs

from bot import catalog
from bot.catalog import rules
from bot.errors import BotError
from bot.model import Patch, PatchFile, Value, Version
from bot.model.patch import Base

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Successor(Value, frozen=True, kw_only=True):
    """A version that is not published yet; `contents` has the bytes of each of its files by path."""

    version: Version
    contents: dict[str, bytes]


class Choice(Value, frozen=True, kw_only=True):
    """Which file is refreshed, and what for; `fresh` is the name of a variant that is not there yet."""

    branch: str
    source: PatchFile
    fresh: str = ""

    @property
    def default(self) -> bool:
        """Whether the version's base is that of this file."""
        return not self.source.branches and not self.fresh


def choose(patch: Patch, branch: str, variant: str) -> Choice:
    """The named variant, else the branch's. Raises BotError for a name that cannot be."""
    taken = catalog.variant_for(patch, branch)
    if not variant:
        return Choice(branch=branch, source=taken)
    if not NAME.fullmatch(variant.removesuffix(".patch")):
        raise BotError(f"{variant!r} is no name of a variant", "use letters, digits, dots and dashes")
    named = [file for file in patch.version.files if variant in rules.variant_names(file)]
    if not named:
        return Choice(branch=branch, source=taken, fresh=variant.removesuffix(".patch"))
    if taken not in named and not named[0].branches:
        why = f"{branch} takes the variant {taken.path}, not the default {named[0].path}"
        raise BotError(why, "leave --variant out to refresh that one")
    return Choice(branch=branch, source=named[0])


def alone(patch: Patch, source: PatchFile) -> Patch:
    """The patch as if it had that one file, so that every branch is judged with it."""
    version = structs.replace(patch.version, files=(structs.replace(source, branches=()),))
    return structs.replace(patch, version=version, variants={source.path: patch.variants[source.path]})


def follow(patch: Patch, choice: Choice, data: bytes, base: Base) -> Successor:
    """The next version with `data`, made on `base`, in place of the chosen file or as a new variant."""
    number = f"v{int(patch.version.id[1:]) + 1}"
    files, contents = [], {}
    for file in patch.version.files:
        own = file is choice.source and not choice.fresh
        text = data if own else (patch.folder / file.path).read_bytes()
        path = f"{number}/{file.path.removeprefix(f'{patch.version.id}/')}"
        branches = reaching(patch, file, choice.branch) if own else file.branches
        files.append(PatchFile(path=path, sha256=digest(text), branches=branches))
        contents[path] = text
    if choice.fresh:
        path = f"{number}/{choice.fresh}.patch"
        # Before the other variants: the first whose globs match is the one that a branch takes.
        first = next((at for at, file in enumerate(files) if file.branches), len(files))
        files.insert(first, PatchFile(path=path, sha256=digest(data), branches=(choice.branch,)))
        contents[path] = data
    version = Version(id=number, base=base if choice.default else patch.version.base, files=tuple(files))
    return Successor(version=version, contents=contents)


def reaching(patch: Patch, file: PatchFile, branch: str) -> tuple[str, ...]:
    """The globs of a variant, with the branch when nothing sends it there yet."""
    if not file.branches or catalog.variant_for(patch, branch) is file:
        return file.branches
    if any(fnmatchcase(branch, glob) for glob in file.branches):
        return file.branches
    return (*file.branches, branch)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
