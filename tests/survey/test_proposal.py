"""Proposals beside their base: the merge in the object store, and what a diff is called."""

from typing import TYPE_CHECKING

import pytest

from bot import git, survey
from bot.model import Ref, State, Verdict
from bot.survey.proposal import Proposed, Relation, listed, sentence

if TYPE_CHECKING:
    from tests.survey.conftest import Plant

OTHER = "lib/other.py"


def proposed(plant: "Plant", base: str, head: str, problem: str = "") -> Proposed:
    """The proposal `head` beside a base branch, merged by git itself."""
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    (target,) = survey.subjects(plant.store, patch, [plant.branch(base)], has_history=True)
    ref = Ref(full="refs/pull/7/head", name="pull/7", head=None if problem else head, problem=problem)

    def merge(ours: str, theirs: str) -> git.Merged:
        return git.merge_commits(plant.store, ours, theirs)

    (found,) = survey.proposals(plant.store, target, [ref], merge)
    return found


def diff(plant: "Plant", base: dict[str, str], head: dict[str, str]) -> Proposed:
    fork = plant.commit(base)
    return proposed(plant, fork, plant.commit(head, fork))


def test_the_versions_text_alone_is_the_version(plant: "Plant") -> None:
    found = diff(plant, {plant.path: plant.base}, {plant.path: plant.fixed})
    assert (found.relation, found.others) == (Relation.VERSION, ())
    subject = found.subject
    assert (subject.kind, subject.name, subject.row.state) == ("proposal", "pull/7", State.APPLIES_EXACT)
    assert subject.base_commit != subject.head
    assert git.look_up(plant.store, [f"{subject.after_tree}:{plant.path}"]).popitem()[1] is not None
    assert subject.after_blobs.keys() == subject.before_blobs.keys() == {plant.path}


def test_the_versions_text_beside_other_changes_is_more_than_the_version(plant: "Plant") -> None:
    base = {plant.path: plant.base, OTHER: "x = 1\n"}
    found = diff(plant, base, {plant.path: plant.fixed, OTHER: "x = 2\n", "new.py": "y = 1\n"})
    assert (found.relation, found.others) == (Relation.BESIDE, (OTHER, "new.py"))
    # The child confirms imported files only: what else the merge changes is not listed.
    assert found.subject.after_blobs.keys() == {plant.path}


def test_a_changed_mode_is_more_than_the_version(plant: "Plant") -> None:
    fork = plant.commit({plant.path: plant.base})
    blob = git.write_blob(plant.store, plant.fixed.encode())
    index = {"GIT_INDEX_FILE": str(plant.store.path / "index-of-the-test")}
    line = f"100755 {blob}\t{plant.path}\0".encode()
    git.must(plant.store, "update-index", "-z", "--index-info", data=line, env=index)
    tree = git.must(plant.store, "write-tree", env=index).text
    found = proposed(plant, fork, plant.commit_tree(tree, fork))
    assert (found.relation, found.others) == (Relation.BESIDE, ())


def test_half_of_the_version_is_another_text(plant: "Plant") -> None:
    found = diff(plant, {plant.path: plant.base}, {plant.path: plant.half})
    assert (found.relation, found.meets) == (Relation.OTHER, True)


def test_another_file_alone_does_not_meet_the_patch(plant: "Plant") -> None:
    found = diff(plant, {plant.path: plant.base}, {plant.path: plant.base, OTHER: "x = 1\n"})
    assert (found.relation, found.meets, found.others) == (Relation.OTHER, False, (OTHER,))


def test_on_a_base_that_has_the_cure_no_text_is_the_version(plant: "Plant") -> None:
    found = diff(plant, {plant.path: plant.fixed}, {plant.path: plant.fixed + "\nx = 1\n"})
    assert (found.subject.row.state, found.relation) == (State.UPSTREAM_IDENTICAL, Relation.OTHER)
    assert found.subject.after_tree is not None


def test_a_head_that_the_base_contains_changes_nothing(plant: "Plant") -> None:
    old = plant.commit({plant.path: plant.base})
    found = proposed(plant, plant.commit({plant.path: plant.base, OTHER: "x\n"}, old), old)
    assert found.relation is Relation.NOTHING
    assert found.subject.after_tree == found.subject.before_tree


def test_the_file_that_a_proposal_deletes_is_not_expected_after(plant: "Plant") -> None:
    found = diff(plant, {plant.path: plant.base, OTHER: "x\n"}, {OTHER: "x\n"})
    assert (found.relation, found.subject.after_blobs) == (Relation.OTHER, {})
    assert found.subject.before_blobs.keys() == {plant.path}


def test_both_sides_are_in_the_merge(plant: "Plant") -> None:
    fork = plant.commit({plant.path: plant.base, OTHER: "x\n"})
    base = plant.commit({plant.path: plant.base, OTHER: "moved\n"}, fork)
    found = proposed(plant, base, plant.commit({plant.path: plant.fixed, OTHER: "x\n"}, fork))
    assert (found.relation, found.others) == (Relation.VERSION, ())


def test_a_conflict_names_the_files_and_makes_no_tree(plant: "Plant") -> None:
    fork = plant.commit({plant.path: plant.base, OTHER: "x\n"})
    base = plant.commit({plant.path: plant.half, OTHER: "a\n"}, fork)
    found = proposed(plant, base, plant.commit({plant.path: plant.half, OTHER: "b\n"}, fork))
    row = found.subject.row
    assert (row.state, row.detail) == (State.CONFLICTS, f"merging it conflicts in {OTHER}")
    assert (found.subject.after_tree, found.relation) == (None, None)
    assert found.subject.before_tree is not None


def test_what_could_not_be_brought_or_never_met_is_unknown(plant: "Plant") -> None:
    base = plant.commit({plant.path: plant.base})
    lost = proposed(plant, base, base, problem="timed out")
    alone = proposed(plant, base, plant.commit({plant.path: plant.fixed}))
    assert (lost.subject.row.state, lost.subject.row.detail) == (State.UNKNOWN, "timed out")
    assert alone.subject.row.state is State.UNKNOWN
    assert "unrelated histories" in alone.subject.row.detail


def test_where_there_is_nothing_to_cure_nothing_is_merged(plant: "Plant") -> None:
    found = diff(plant, {OTHER: "x\n"}, {OTHER: "y\n"})
    assert found.subject.row.state is State.UNKNOWN  # the patch of this test names no cause
    assert (found.subject.after_tree, found.relation) == (None, None)


def test_peoples_configuration_does_not_change_a_merge(
    plant: "Plant", monkeypatch: pytest.MonkeyPatch
) -> None:
    home = plant.store.path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[merge]\n\trenames = false\n[diff]\n\trenames = false\n")
    monkeypatch.setenv("HOME", str(home))
    fork = plant.commit({plant.path: plant.base})
    base = plant.commit({"lib/moved.py": plant.base + "\nlast = 1\n"}, fork)
    head = plant.commit({plant.path: plant.fixed}, fork)
    merged = git.merge_commits(plant.store, base, head)
    assert merged.tree is not None
    assert list(git.changed_files(plant.store, base, merged.tree)) == ["lib/moved.py"]


CURED, FAILED = Verdict.CURED_UNCONTROLLED, Verdict.NOT_CURED


@pytest.mark.parametrize(
    ("relation", "verdict", "told"),
    [
        (Relation.VERSION, Verdict.PROVEN, "its diff is the patch's v1"),
        (Relation.VERSION, FAILED, "its diff is the patch's v1"),
        (Relation.OTHER, Verdict.PROVEN, "its diff is an equivalent cure"),
        (Relation.OTHER, CURED, "its diff is an equivalent cure"),
        (Relation.OTHER, Verdict.HAZARD_CHANGED, "its diff is an equivalent cure"),
        (Relation.BESIDE, CURED, "its diff is an equivalent cure (v1 and more)"),
        (Relation.OTHER, FAILED, "its diff is something else"),
        (Relation.OTHER, Verdict.PARTLY_CURED, "its diff is something else"),
        (Relation.BESIDE, Verdict.REGRESSION, "its diff is something else (v1 and more)"),
        (Relation.NOTHING, FAILED, "merging it changes nothing"),
        (None, Verdict.NOT_RUN, ""),
    ],
)
def test_the_word_for_a_diff_needs_text_and_verdict(
    plant: "Plant", relation: Relation | None, verdict: Verdict, told: str
) -> None:
    found = diff(plant, {plant.path: plant.base}, {plant.path: plant.fixed})
    assert sentence(Proposed(subject=found.subject, relation=relation), "v1", verdict) == told


@pytest.mark.parametrize("verdict", [one for one in Verdict if one not in survey.proposal.CURES])
def test_no_verdict_without_a_cure_is_called_equivalent(plant: "Plant", verdict: Verdict) -> None:
    found = diff(plant, {plant.path: plant.base}, {plant.path: plant.half})
    told = sentence(found, "v1", verdict)
    assert told.startswith("its diff is something else")
    assert ("is not known" in told) is (verdict not in survey.proposal.FAILS)


def test_foreign_names_are_escaped_cut_and_counted() -> None:
    assert listed(["a.py", "b c.py"]) == "a.py, b c.py"
    assert listed(["a\nb", "\u202ec", "caf\udce9", "é.md"]) == "'a\\nb', '\\u202ec', 'caf\\udce9', é.md"
    assert listed([f"{n}" for n in range(8)]) == "0, 1, 2, 3, 4, and 3 more"
    assert len(listed(["x" * 5000])) < 200
