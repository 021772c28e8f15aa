"""The patch linter: everything that is wrong with patch folders, found before git sees a patch."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.catalog import files, folder, mailpatch, manifest
from bot.catalog.diff import PatchProblem
from bot.catalog.flaw import Flaw
from bot.model import Manifest, PatchFile, Value

SCHEMA = "upstream-bot/lint/1"
VERSION = re.compile(r"v[1-9][0-9]*")
SIGNED = re.compile(r"^Signed-off-by: (.+)$", re.MULTILINE)


class Linted(Value, frozen=True, kw_only=True):
    """One patch: `problems` refuse it, `notes` are worth knowing. `version` is the newest, "" if unknown."""

    id: str
    version: str
    problems: tuple[Flaw, ...]
    notes: tuple[Flaw, ...]


class Report(Value, frozen=True, kw_only=True):
    """What `lint --json` prints."""

    schema: str
    patches: tuple[Linted, ...]


def lint(place: Path, wanted: Sequence[str] = ()) -> Report:
    """Lint the patches `wanted` of the directory `place`; if none is named all, and what lies beside them.

    Raises BotError for an unknown patch and for a directory that is not there.
    """
    named = [folder.find(place, name).name for name in wanted]
    rows = [lint_one(place / name) for name in named or folder.names(place)]
    if not named:
        rows += [without_manifest(path) for path in sorted(place.iterdir()) if forgotten(path)]
    return Report(schema=SCHEMA, patches=tuple(sorted(rows, key=lambda row: row.id)))


def forgotten(path: Path) -> bool:
    """Whether this is a folder with versions and no manifest, so that nothing reads it."""
    return path.is_dir() and not (path / files.MANIFEST).is_file() and any(version_folders(path))


def without_manifest(place: Path) -> Linted:
    hint = f"write {files.MANIFEST}, or remove the folder"
    flaw = Flaw(
        file=files.MANIFEST, line=1, why="there is no such file, so nothing reads this folder", hint=hint
    )
    return Linted(id=place.name, version="", problems=(flaw,), notes=())


def lint_one(place: Path) -> Linted:
    read, flaws = manifest.examine(place / files.MANIFEST)
    if read is None:
        loose = (flaw for file in loose_files(place) for flaw in files.content_flaws(place, file))
        return Linted(id=place.name, version="", problems=(*flaws, *loose), notes=())
    problems, notes = list(flaws), list[Flaw]()
    for version in read.versions:
        for file in version.files:
            examined = files.examine(place, read, version, file)
            problems += examined.flaws
            if examined.data is not None and not examined.flaws:
                problems += header_flaws(file, examined.data)
                notes += mail_notes(file, examined.data) if version is read.versions[-1] else ()
    problems += strays(place, read)
    return Linted(id=place.name, version=read.versions[-1].id, problems=tuple(problems), notes=tuple(notes))


def header_flaws(file: PatchFile, data: bytes) -> Iterator[Flaw]:
    """A mail from which no commit can be made."""
    try:
        mailpatch.header(data)
    except PatchProblem as problem:
        yield Flaw(file=file.path, line=problem.line, why=problem.why, hint=problem.hint)


def mail_notes(file: PatchFile, data: bytes) -> Iterator[Flaw]:
    """What the bot carries whole, and others may stumble over."""
    from email.utils import parseaddr

    if line := mailpatch.cut(data):
        why = "`git am` would end the message here; upstream-bot carries it whole"
        yield Flaw(file=file.path, line=line, why=why, hint="indent the line for people who use git am")
    try:
        header = mailpatch.header(data)
    except PatchProblem:
        return
    signers = [parseaddr(signer)[1] for signer in SIGNED.findall(header.body)]
    if parseaddr(header.author)[1] not in signers:
        why = "it has no Signed-off-by line of its author, which projects with a DCO check demand"
        yield Flaw(file=file.path, line=1, why=why, hint="make the commit with `git commit --signoff`")


def strays(place: Path, read: Manifest) -> Iterator[Flaw]:
    """Files of a version that the manifest does not name: nothing pins them, and nothing reads them."""
    named = {file.path for version in read.versions for file in version.files}
    for name in loose_files(place):
        if name not in named:
            why = f"{files.MANIFEST} does not name this file, so nothing pins or reads it"
            yield Flaw(file=name, line=1, why=why, hint="name it there with its SHA-256, or remove it")


def loose_files(place: Path) -> Iterator[str]:
    """Everything but folders that lies in the folders of versions, as paths below the patch's folder."""
    for inner in version_folders(place):
        for path in sorted(inner.rglob("*")):
            if path.is_symlink() or not path.is_dir():
                yield path.relative_to(place).as_posix()


def version_folders(place: Path) -> Iterator[Path]:
    """The folders of versions, links left out: the files behind one lie elsewhere."""
    for path in sorted(place.iterdir()):
        if VERSION.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            yield path
