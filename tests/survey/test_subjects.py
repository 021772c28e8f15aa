"""Trees before and after: made in the store, changed when the state says so, and never otherwise."""

from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from bot import git, survey
from bot.errors import BotError, Exit
from bot.model import State
from bot.survey.subject import with_trees

if TYPE_CHECKING:
    from tests.survey.conftest import Plant


def test_both_trees_of_a_branch_that_takes_the_patch(plant: "Plant") -> None:
    head = plant.commit({plant.path: plant.base, "lib/other.py": "x = 1\n"})
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    rows = survey.survey(plant.store, patch, [plant.branch(head)], has_history=True)
    (subject,) = survey.subjects(plant.store, patch, [plant.branch(head)], has_history=True)
    assert (subject.kind, subject.name, subject.head, subject.base_commit) == ("branch", "main", head, head)
    assert subject.after_tree is not None
    after = {entry.path: entry.id for entry in git.list_files(plant.store, subject.after_tree)}
    assert after[plant.path] == subject.after_blobs[plant.path] == rows[0].patched_blob
    assert git.contents(plant.store, [after[plant.path]])[after[plant.path]] == plant.fixed.encode()
    assert sorted(after) == ["lib/other.py", plant.path]
    assert subject.before_blobs == {plant.path: rows[0].blob}
    assert subject.before_tree == git.must(plant.store, "rev-parse", f"{head}^{{tree}}").text


def test_two_touched_files_are_both_in_the_tree_after(plant: "Plant") -> None:
    changes = (plant.change(plant.base, plant.fixed), plant.change("a = 1\n", "a = 2\n", "lib/b.py"))
    head = plant.commit({plant.path: plant.base, "lib/b.py": "a = 1\n"})
    patch = plant.patch(*changes)
    (subject,) = survey.subjects(plant.store, patch, [plant.branch(head)], has_history=True)
    assert subject.after_blobs == {change.path: change.new_blob for change in changes}
    assert subject.before_blobs == {change.path: change.old_blob for change in changes}


def test_a_merged_application_has_a_tree_after(plant: "Plant") -> None:
    head = plant.commit({plant.path: plant.base.replace("if pipe.loud:", "if pipe.loud or hard:")})
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    rows = survey.survey(plant.store, patch, [plant.branch(head)], has_history=True)
    (subject,) = survey.subjects(plant.store, patch, [plant.branch(head)], has_history=True)
    assert rows[0].state is State.APPLIES_MERGED
    assert subject.after_blobs == {plant.path: rows[0].patched_blob}


def test_what_is_not_provable_has_no_tree_after(plant: "Plant") -> None:
    head = plant.commit({plant.path: plant.fixed})
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    refs = [plant.branch(head, "done"), plant.branch(None, "gone", problem="timed out")]
    rows = survey.survey(plant.store, patch, refs, has_history=True)
    done, gone = survey.subjects(plant.store, patch, refs, has_history=True)
    assert (done.after_tree, done.after_blobs, gone.after_tree, gone.before_tree) == (None, {}, None, None)
    assert done.before_tree is not None
    assert done.before_blobs == {plant.path: rows[0].blob}


def test_p13_p29_an_unchanged_tree_after_an_application_is_a_bug_that_is_raised(plant: "Plant") -> None:
    head = plant.commit({plant.path: plant.base})
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    (subject,) = survey.subjects(plant.store, patch, [plant.branch(head)], has_history=True)
    with pytest.raises(BotError, match="its tree is what it was") as raised:
        with_trees(plant.store, [structs.replace(subject, after_blobs=subject.before_blobs)])
    assert raised.value.code is Exit.BUG


def test_p13_a_store_below_another_repository_changes_nothing_of_the_outcome(plant: "Plant") -> None:
    # `git apply` in a directory of another repository exits 0 and changes nothing; no step here does that.
    inner = type(plant)(plant.store.path / "inner")
    assert inner.row(inner.base).state is State.APPLIES_EXACT
