"""A git URL: a bare partial clone in the cache that is brought only what is asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from bot import git
from bot.model import Ref
from bot.upstream import stores, transfer
from bot.upstream.address import Address, parse
from bot.upstream.choosing import choose, named, remembered
from bot.upstream.kind import Notice
from bot.upstream.transfer import complaint, pull


@dataclass(frozen=True, kw_only=True)
class Remote:
    address: Address
    store: git.Repo
    notice: Notice
    has_history: bool = True

    @property
    def spec(self) -> str:
        return self.address.shown

    def refs(self) -> tuple[Ref, ...]:
        return self.listing()

    def listing(self, *options: str, names: Sequence[str] = ()) -> tuple[Ref, ...]:
        self.notice(f"asking {self.spec} for its refs")
        done = transfer.ask(self.store, self.address, *options, names=names)
        if done.code:
            raise transfer.unreachable(self.address, done)
        return parse_listing(done.out.decode("utf-8", "backslashreplace"))

    def find(self, branches: Sequence[str], patterns: Sequence[str]) -> tuple[Ref, ...]:
        refs = self.refs() if patterns else self.listing("--heads")
        return choose(refs, branches=branches, patterns=patterns)

    def recall(self, names: Sequence[str]) -> tuple[Ref, ...]:
        return remembered(self.listing("--heads"), names)

    def heads_now(self, fulls: Sequence[str]) -> dict[str, str | None]:
        names = [name for full in fulls for name in (full, f"{full}^{{}}")]
        # Git matches the ends of names.
        return {ref.full: ref.head for ref in self.listing(names=names) if ref.full in fulls}

    def fetch(self, refs: Sequence[Ref]) -> tuple[Ref, ...]:
        absent = self.absent(refs)
        if not absent:
            return tuple(refs)
        self.notice(f"fetching {len(absent)} of {len(refs)} heads from {self.spec}")
        with stores.locked(self.store.path, self.notice):
            brought = {ref.full: ref for ref in self.bring(self.absent(refs))}
        return tuple(brought.get(ref.full, ref) for ref in refs)

    def absent(self, refs: Sequence[Ref]) -> tuple[Ref, ...]:
        there = stores.commits(self.store, (ref.head for ref in refs if ref.head))
        wanted = (ref for ref in refs if not (ref.missing or ref.problem))
        return tuple(ref for ref in wanted if ref.head is None or there[ref.head] is None)

    def bring(self, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
        """One fetch for all; when that fails, halves, down to the one ref that is broken."""
        if not refs:
            return ()
        if all(ref.head for ref in refs):
            # By id and to a ref of that id: what was listed is what is judged, a branch that moves meanwhile
            # changes nothing, old heads stay, and no two refs can clash as `a` and `a/b` would.
            done = pull(self.store, self.address, [f"{ref.head}:refs/upstream/{ref.head}" for ref in refs])
            if not done.code:
                return tuple(map(self.confirm, refs))
            self.refs()  # raises when it is the whole upstream that is gone
        if len(refs) == 1:
            return (self.bring_by_name(refs[0]),)
        middle = len(refs) // 2
        return self.bring(refs[:middle]) + self.bring(refs[middle:])

    def confirm(self, ref: Ref) -> Ref:
        if stores.commits(self.store, [ref.head or ""])[ref.head or ""]:
            return ref
        return replace(ref, head=None, problem="it points to no commit")

    def bring_by_name(self, ref: Ref) -> Ref:
        own = f"refs/upstream/names/{stores.place(Path(), ref.full).name}"
        done = pull(self.store, self.address, [f"+{ref.full}:{own}"])
        if done.code:
            return replace(ref, head=None, problem=f"fetching it failed: {complaint(self.address, done)}")
        head = stores.commits(self.store, [own])[own]
        return replace(ref, head=head, problem="" if head else "it points to no commit")

    def bring_commit(self, commit: str) -> bool:
        if not stores.is_object_id(commit) or stores.has_commit(self.store, commit):
            return stores.has_commit(self.store, commit)
        with stores.locked(self.store.path, self.notice):
            done = pull(self.store, self.address, [f"{commit}:refs/upstream/{commit}"])
        if done.code:
            self.refs()  # raises when it is the whole upstream that is gone
        return stores.has_commit(self.store, commit)

    def bring_versions(self, commits: Sequence[str], paths: Sequence[str]) -> None:
        self.bring_blobs(git.files_of(self.store, commits, paths))

    def bring_files(self, commit: str, paths: Sequence[str]) -> None:
        files = git.list_files(self.store, commit, paths)
        self.bring_blobs(file.id for file in files if file.kind == "blob")

    def bring_blobs(self, ids: Iterable[str]) -> None:
        blobs = dict.fromkeys(ids)
        # The store's configuration names no promisor, so that this look-up fetches nothing one by one.
        absent = [oid for oid, entry in git.look_up(self.store, list(blobs)).items() if entry is None]
        if not absent:
            return
        with stores.locked(self.store.path, self.notice):
            done = pull(self.store, self.address, absent)
        if done.code:
            raise transfer.unreachable(self.address, done)


def parse_listing(listing: str) -> tuple[Ref, ...]:
    """Refs of `ls-remote`; an annotated tag has a second line, `<tag>^{}`, with what it leads to."""
    heads: dict[str, str] = {}
    for line in listing.split("\n"):
        oid, _, full = line.partition("\t")
        if full.startswith("refs/"):
            heads[full.removesuffix("^{}")] = oid
    return tuple(named(full, head) for full, head in heads.items())


def open_remote(spec: str, cache: Path, notice: Notice) -> Remote:
    address = parse(spec)
    identity = address.url if address.shown.startswith("local:") else address.shown
    store = stores.open_store(stores.place(cache, "remote", identity), notice)
    return Remote(address=address, store=store, notice=notice)
