"""A repository on this machine: read through a scratch store of our own, and never written to."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot import git
from bot.errors import BotError
from bot.model import Ref
from bot.upstream import stores
from bot.upstream.choosing import HEADS, choose, named, remembered
from bot.upstream.kind import Notice

#: Their configuration must not make us run anything, and a partial clone must not fetch because we look.
CALM = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
OFFLINE = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}


@dataclass(frozen=True, kw_only=True)
class Local:
    spec: str
    store: git.Repo
    source: git.Repo
    has_history: bool = True

    def refs(self) -> tuple[Ref, ...]:
        return self.listing()

    def listing(self, *below: str) -> tuple[Ref, ...]:
        # Ids only: reading an object here could make a partial clone fetch it.
        command = ("for-each-ref", "--format=%(objectname) %(refname)", *below)
        done = git.call(self.source, *CALM, *command, env=OFFLINE)
        if done.code:
            raise BotError(f"the refs of {self.spec} cannot be read: {done.complaint}", "look at the clone")
        lines = done.out.decode("utf-8", "backslashreplace").split("\n")[:-1]
        pairs = [(oid, full) for oid, full in (line.split(" ", 1) for line in lines)]
        heads = stores.commits(self.store, (oid for oid, _ in pairs))
        return tuple(local_ref(full, heads[oid]) for oid, full in pairs)

    def find(self, branches: Sequence[str], patterns: Sequence[str]) -> tuple[Ref, ...]:
        refs = self.refs() if patterns else self.listing(HEADS)
        return choose(refs, branches=branches, patterns=patterns)

    def recall(self, names: Sequence[str]) -> tuple[Ref, ...]:
        return remembered(self.listing(HEADS), names)

    def heads_now(self, fulls: Sequence[str]) -> dict[str, str | None]:
        return {ref.full: ref.head for ref in self.listing(*fulls)}

    def fetch(self, refs: Sequence[Ref]) -> tuple[Ref, ...]:
        return tuple(refs)

    def bring_commit(self, commit: str) -> bool:
        return stores.has_commit(self.store, commit)

    def bring_versions(self, commits: Sequence[str], paths: Sequence[str]) -> None:
        """Nothing to do, as with `bring_files`."""

    def bring_files(self, commit: str, paths: Sequence[str]) -> None:
        """Nothing to do: what the clone has can be read, and what it lacks is not ours to bring there."""


def local_ref(full: str, head: str | None) -> Ref:
    return named(full, head, "" if head else "the clone has no commit there (shallow or partial, perhaps)")


def open_local(spec: str, cache: Path, notice: Notice) -> Local:
    source = repository(spec)
    object_format, common = layout(spec, source)
    store = stores.open_store(
        stores.place(cache, "local", str(common), object_format), notice, object_format=object_format
    )
    objects = object_directories(common / "objects")
    stores.keep(store.path, "objects/info/alternates", b"".join(map(alternates_line, objects)))
    shallow = common / "shallow"
    stores.keep(store.path, "shallow", shallow.read_bytes() if shallow.is_file() else None)
    return Local(spec=f"local:{directory_name(spec)}", store=store, source=source)


def repository(spec: str) -> git.Repo:
    """The git directory at exactly this path: looking further up would find repositories by accident."""
    path = Path(spec).absolute()
    if not path.is_dir():
        raise BotError(f"there is no directory {spec!r}", "give a local clone, a git URL or pypi:<name>")
    inner = path / ".git"
    return git.Repo(path=inner if inner.exists() else path)


def layout(spec: str, source: git.Repo) -> tuple[str, Path]:
    """The object format and the directory that all worktrees of a repository share."""
    answers = ("--show-object-format", "--path-format=absolute", "--git-common-dir")
    done = git.call(source, *CALM, "rev-parse", *answers, env=OFFLINE)
    if done.code:
        hint = "give the top directory of a clone, a git URL or pypi:<name>"
        raise BotError(f"{spec!r} is no git repository: {done.complaint}", hint)
    object_format, common = os.fsdecode(done.out).removesuffix("\n").split("\n", 1)
    return object_format, Path(common).resolve()


def directory_name(spec: str) -> str:
    path = Path(spec).resolve()
    return path.parent.name if path.name == ".git" else path.name


def object_directories(objects: Path) -> list[Path]:
    """The clone's objects, and those it borrows itself: git follows no relative alternates of alternates."""
    found = [objects]
    for directory in found:
        found += [other for other in borrowed(directory) if other not in found]
    return found


def borrowed(objects: Path) -> Iterator[Path]:
    listing = objects / "info" / "alternates"
    for line in listing.read_bytes().splitlines() if listing.is_file() else ():
        if line and line[:1] not in b'#"':
            yield (objects / os.fsdecode(line)).resolve()


def alternates_line(objects: Path) -> bytes:
    """One line of `objects/info/alternates`; a line break in the path needs git's quoting."""
    path = os.fsencode(objects)
    if b"\n" not in path:
        return path + b"\n"
    escaped = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"\n'
