"""The state of a patch on many targets, from the object store alone: never a checkout (DESIGN 3)."""

from collections.abc import Sequence

from bot import git
from bot.model import Patch, Ref, Row, Subject
from bot.survey import reverted, subject
from bot.survey.finding import Finding, concluded, find, releases, search
from bot.survey.past import NO_PAST, Past
from bot.survey.proposal import Proposed, Relation, proposals, sentence
from bot.survey.rivals import Found as Rival
from bot.survey.rivals import find as rivals

__all__ = ["Past", "Proposed", "Relation", "Rival", "proposals", "rivals", "sentence", "subjects", "survey"]


def survey(
    store: git.Repo, patch: Patch, refs: Sequence[Ref], *, has_history: bool, past: Past = NO_PAST
) -> tuple[Row, ...]:
    """A row for each ref, in their order; each carries the refs' own problems as `unknown`.

    `has_history` says whether commits of this upstream have parents that mean something; releases have none.
    Patched blobs are named and not written.
    """
    found = with_overlays(store, patch, refs, past) if has_history else releases(store, patch, refs)
    names = subject.named(found)
    return tuple(subject.row(one, names) for one in found)


def with_overlays(store: git.Repo, patch: Patch, refs: Sequence[Ref], past: Past) -> list[Finding]:
    """The findings; where the change had landed and was taken out, with that."""
    ground, read, causes = search(store, patch, refs, past)
    return reverted.marked(ground, concluded(ground, read, causes, past))


def subjects(store: git.Repo, patch: Patch, refs: Sequence[Ref], *, has_history: bool) -> tuple[Subject, ...]:
    """What is to be proven of each ref, in their order: its row and the two trees, which are in the store.

    `after_tree` is None where the patch changes nothing. Raises BotError when an applied patch leaves the
    tree as it was: that is a bug, whatever the tools said.
    """
    found = find(store, patch, refs, has_history=has_history)
    written = subject.write(store, found)
    plain = [
        subject.make(one, written, tree) for one, tree in zip(found, subject.trees(store, found), strict=True)
    ]
    return subject.with_trees(store, plain)
