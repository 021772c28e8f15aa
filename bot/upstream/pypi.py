"""Releases on a package index: each becomes a commit and a branch `pypi/<version>` in the cache."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from bot import git
from bot.errors import BotError
from bot.model import Ref
from bot.upstream import pipconfig, stores
from bot.upstream.choosing import HEADS, choose, is_glob, remembered
from bot.upstream.kind import Notice

if TYPE_CHECKING:
    from bot.upstream.index import Release

PREFIX = "pypi/"
#: The last listing, for the notes of releases that are asked for by name when the index need not be asked.
LISTING = "listing.json"


@dataclass(frozen=True, kw_only=True)
class Index:
    name: str
    config: pipconfig.Config
    store: git.Repo
    notice: Notice
    has_history: bool = False

    @property
    def spec(self) -> str:
        return f"pypi:{self.name}"

    @cached_property
    def releases(self) -> dict[str, "Release"]:
        """What the index lists, by full ref and oldest first: asked once for each opened upstream."""
        from bot.upstream import index

        self.notice(f"asking the package index for the releases of {self.name}")
        return {f"{HEADS}{PREFIX}{one.version}": one for one in index.releases(self.config, self.name)}

    def refs(self) -> tuple[Ref, ...]:
        heads = self.heads()
        listed = tuple(
            Ref(
                full=full,
                name=full.removeprefix(HEADS),
                head=heads.get(full),
                note=release.note,
                problem="" if release.wheel else "the release has no wheel",
            )
            for full, release in self.releases.items()
        )
        without_heads = tuple(replace(ref, head=None) for ref in listed)
        stores.keep(self.store.path, LISTING, msgspec.json.encode(without_heads))
        return listed

    def find(self, branches: Sequence[str], patterns: Sequence[str]) -> tuple[Ref, ...]:
        names = [name if name.startswith(PREFIX) else PREFIX + name for name in branches]
        asked = [*(HEADS + name for name in names), *patterns]
        return choose(self.known(asked) or self.refs(), branches=names, patterns=patterns)

    def recall(self, names: Sequence[str]) -> tuple[Ref, ...]:
        return remembered(self.known([HEADS + name for name in names]) or self.refs(), names)

    def known(self, asked: Sequence[str]) -> tuple[Ref, ...]:
        """The refs that were brought before, when all that is asked is among them by its full name."""
        heads = self.heads()
        if any(is_glob(full) or full not in heads for full in asked):
            return ()
        notes = {ref.full: ref.note for ref in self.last_listing()}
        return tuple(
            Ref(full=full, name=full.removeprefix(HEADS), head=heads[full], note=notes.get(full, ""))
            for full in dict.fromkeys(asked)
        )

    def last_listing(self) -> tuple[Ref, ...]:
        try:
            return msgspec.json.decode((self.store.path / LISTING).read_bytes(), type=tuple[Ref, ...])
        except (FileNotFoundError, msgspec.DecodeError):
            return ()

    def heads(self) -> dict[str, str]:
        """The releases in the store: full ref → commit."""
        listing = git.must(self.store, "for-each-ref", "--format=%(refname) %(objectname)", HEADS + PREFIX)
        lines = (line.split(" ") for line in listing.text.splitlines())
        return {full: head for full, head in lines}  # noqa: C416 (two fields a line, and mypy sees it)

    def heads_now(self, fulls: Sequence[str]) -> dict[str, str | None]:
        """As they were: what an index lists under a version never changes."""
        heads = self.heads()
        return {full: heads[full] for full in fulls if full in heads}

    def fetch(self, refs: Sequence[Ref]) -> tuple[Ref, ...]:
        if all(ref.head or ref.missing or ref.problem for ref in refs):
            return tuple(refs)
        with stores.locked(self.store.path, self.notice):
            heads = self.heads()  # another run may have brought some while we waited
            return tuple(self.bring(ref, heads.get(ref.full)) for ref in refs)

    def bring(self, ref: Ref, there: str | None) -> Ref:
        from bot.upstream import wheels

        if ref.head or there or ref.missing or ref.problem:
            return replace(ref, head=ref.head or there)
        release = self.releases.get(ref.full)
        if release is None or release.wheel is None:
            return replace(ref, problem="the index lists no wheel of it")
        self.notice(f"downloading {release.wheel.filename}")
        outcome = wheels.import_wheel(self.config, release.wheel, self.store, ref.full)
        if isinstance(outcome, wheels.Refused):
            return replace(ref, problem=outcome.reason)
        return replace(ref, head=outcome)

    def bring_commit(self, commit: str) -> bool:
        """Whether it was brought: an index knows no commits, so fetch the release by its name first."""
        return stores.has_commit(self.store, commit)

    def bring_versions(self, commits: Sequence[str], paths: Sequence[str]) -> None:
        """Nothing to do, as with `bring_files`."""

    def bring_files(self, commit: str, paths: Sequence[str]) -> None:
        """Nothing to do: a release is brought whole."""


def open_index(spec: str, cache: Path, notice: Notice) -> Index:
    from packaging.utils import InvalidName, canonicalize_name

    given = spec.removeprefix("pypi:")
    try:
        name = canonicalize_name(given, validate=True)
    except InvalidName:
        raise BotError(f"{given!r} is no name of a distribution", "for example pypi:megatron-core") from None
    config = pipconfig.read()
    store = stores.open_store(stores.place(cache, "pypi", *config.shown, name), notice)
    return Index(name=name, config=config, store=store, notice=notice)
