"""The state of a patch on many targets, from the object store alone: never a checkout (DESIGN 3)."""

from collections.abc import Sequence

from bot import git
from bot.model import Patch, Ref, Row, Subject
from bot.survey import subject
from bot.survey.finding import find
from bot.survey.proposal import Proposed, Relation, proposals, sentence

__all__ = ["Proposed", "Relation", "proposals", "sentence", "subjects", "survey"]


def survey(store: git.Repo, patch: Patch, refs: Sequence[Ref], *, has_history: bool) -> tuple[Row, ...]:
    """A row for each ref, in their order; each carries the refs' own problems as `unknown`.

    `has_history` says whether commits of this upstream have parents that mean something; releases have none.
    Patched blobs are written to the store.
    """
    found = find(store, patch, refs, has_history=has_history)
    written = subject.write(store, found)
    return tuple(subject.row(one, written) for one in found)


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
