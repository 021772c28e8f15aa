"""What a manifest must keep beside its types, one rule a function."""

import re
from collections.abc import Iterator
from itertools import pairwise

from bot.catalog import paths
from bot.catalog.expectations import test_problems
from bot.catalog.keys import Problem
from bot.errors import nearest
from bot.model import Environment, Manifest, PatchFile, Version


def problems(manifest: Manifest, folder: str) -> Iterator[Problem]:
    """Every broken rule; `folder` is the name of the folder that the manifest lies in."""
    if manifest.id != folder:
        yield Problem(
            key="id", why=f"{manifest.id!r} lies in the folder {folder!r}", hint="rename one of them"
        )
    yield from version_problems(manifest)
    yield from place_problems(manifest)
    yield from branch_problems(manifest)
    yield from environment_problems(manifest)
    yield from test_problems(manifest)


def version_problems(manifest: Manifest) -> Iterator[Problem]:
    for at, (older, newer) in enumerate(pairwise(manifest.versions), start=1):
        if int(newer.id[1:]) <= int(older.id[1:]):
            why = f"{newer.id} stands after {older.id}"
            yield Problem(key=f"versions[{at}].id", why=why, hint="each version once, the newest last")
    for at, version in enumerate(manifest.versions):
        yield from file_problems(version, f"versions[{at}]")


def file_problems(version: Version, key: str) -> Iterator[Problem]:
    for path in version.base.blobs:
        if why := paths.objection(path):
            yield Problem(key=f"{key}.base.blobs.{path}", why=why)
    seen: set[str] = set()
    for at, file in enumerate(version.files):
        if why := paths.objection(file.path):
            yield Problem(key=f"{key}.files[{at}].path", why=why, hint="a path below the patch's folder")
        if file.path in seen:
            yield Problem(key=f"{key}.files[{at}].path", why=f"{file.path} is there twice")
        seen.add(file.path)
    if sum(not file.branches for file in version.files) != 1:
        hint = "exactly one file, for the branches that no other file names, has no `branches`"
        yield Problem(key=f"{key}.files", why="not one file is the default", hint=hint)


def place_problems(manifest: Manifest) -> Iterator[Problem]:
    for at, path in enumerate(manifest.upstream.paths):
        if why := paths.objection(path.rstrip("/")):
            yield Problem(key=f"upstream.paths[{at}]", why=why)
    for at, anchor in enumerate(manifest.anchors):
        key, known = f"anchors[{at}].file", manifest.upstream.paths
        if why := paths.objection(anchor.file):
            yield Problem(key=key, why=why)
        elif known and not paths.within(anchor.file, known):
            hint = f"known: {nearest(anchor.file, list(known)) or ', '.join(known)}"
            yield Problem(key=key, why=f"{anchor.file} is not in upstream.paths", hint=hint)


def branch_problems(manifest: Manifest) -> Iterator[Problem]:
    files = manifest.versions[-1].files
    known = [name for file in files for name in variant_names(file)]
    seen: set[str] = set()
    for at, branch in enumerate(manifest.branches):
        if branch.name in seen:
            yield Problem(key=f"branches[{at}].name", why=f"{branch.name} is there twice")
        seen.add(branch.name)
        if branch.variant and branch.variant not in known:
            hint = f"known: {nearest(branch.variant, known) or ', '.join(known)}"
            yield Problem(key=f"branches[{at}].variant", why=f"no variant {branch.variant!r}", hint=hint)


def variant_names(file: PatchFile) -> tuple[str, str]:
    """The names a manifest may call a patch file by: its path, and its file name without the ending."""
    return file.path, re.sub(r"\.[^.]*$", "", file.path.rpartition("/")[2])


def is_specifier(text: str) -> bool:
    """Whether this is a version specifier (PEP 440); the usual one needs no parser."""
    if text == Environment().python:
        return True
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return False
    return True


def environment_problems(manifest: Manifest) -> Iterator[Problem]:
    if not is_specifier(manifest.environment.python):
        why = f"{manifest.environment.python!r} is no version specifier"
        yield Problem(key="environment.python", why=why, hint='write one such as ">=3.11"')
    for at, path in enumerate(manifest.environment.checkout):
        if why := paths.objection(path.rstrip("/")):
            yield Problem(key=f"environment.checkout[{at}]", why=why)
