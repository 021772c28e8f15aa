"""What is carried, as words and trees: the patch itself, or the diff of a proposal that was judged."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot import catalog, git, survey, upstream
from bot.carry.backporting import words
from bot.carry.backporting.order import Order
from bot.carry.backporting.words import Words
from bot.model import Patch, Ref
from bot.proof.rounds import Progress
from bot.survey import apply


class Cargo(Protocol):
    def words(self, target: str) -> Words:
        """Author and message of the commit. Raises BotError."""

    def tree(self, target: str, head: str) -> str | None:
        """The target's tree at that commit with the change in it; None where it changes nothing there."""

    def conflicts(self, target: str, head: str) -> list[str]:
        """The files that stand in its way."""


@dataclass(frozen=True, kw_only=True)
class PatchCargo:
    source: upstream.Upstream
    patch: Patch
    scratch: Path

    def words(self, target: str) -> Words:
        return words.of_patch(self.patch, target, self.scratch)

    def tree(self, target: str, head: str) -> str | None:
        for change in (one for changes in self.patch.variants.values() for one in changes):
            self.source.bring_files(head, [change.path])
        ref = Ref(full=f"refs/heads/{target}", name=target, head=head)
        (found,) = survey.subjects(self.source.store, self.patch, [ref], has_history=True)
        return found.after_tree

    def conflicts(self, target: str, head: str) -> list[str]:
        """The files that the patch does not fit at that commit; all of its files where one alone fits."""
        changes = self.patch.variants[catalog.variant_for(self.patch, target).path]
        store = self.source.store
        entries = git.look_up(store, [f"{head}:{change.path}" for change in changes])
        data = git.contents(store, [entry.id for entry in entries.values() if entry])
        failed = []
        for change, entry in zip(changes, entries.values(), strict=True):
            if entry is None or apply.apply(data[entry.id], change.hunks).data is None:
                failed.append(change.path)
        return failed or [change.path for change in changes]


@dataclass(frozen=True, kw_only=True)
class Bench:
    """All that one backport works with; `may_run`: whether tests may be run."""

    order: Order
    source: upstream.Upstream
    cargo: Cargo
    progress: Progress
    may_run: bool = True
