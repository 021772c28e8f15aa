"""Whether a target has the cause: by ancestry in whole, shallow and broken stores, and by version."""

from typing import TYPE_CHECKING

import pytest

from bot.model import Patch, Ref, State
from bot.survey import history, survey

if TYPE_CHECKING:
    from tests.survey.conftest import Plant


def patch_with(plant: "Plant", *causes: str) -> Patch:
    return plant.patch(plant.change(plant.base, plant.fixed), causes=causes)


def present(plant: "Plant", patch: Patch, *heads: str) -> list[bool | None]:
    refs = [plant.branch(head, str(number)) for number, head in enumerate(heads)]
    walks = history.walks(plant.store, patch.manifest, refs)
    found = history.causes(plant.store, refs, walks)
    return [found[ref.full].present for ref in refs]


def test_ancestry_is_told_for_all_heads_at_once(plant: "Plant") -> None:
    root = plant.commit({"a": "1"})
    cause = plant.commit({"a": "2"}, root)
    side = plant.commit({"a": "3"}, root)
    merged = plant.commit({"a": "4"}, side, cause)
    assert present(plant, patch_with(plant, cause), root, cause, side, merged) == [False, True, False, True]
    assert present(plant, patch_with(plant, cause[:12]), side, merged) == [False, True]


def test_one_of_several_causes_is_enough(plant: "Plant") -> None:
    root = plant.commit({"a": "1"})
    one, two = plant.commit({"a": "2"}, root), plant.commit({"a": "3"}, root)
    assert present(plant, patch_with(plant, one, two), root, one, two) == [False, True, True]


def test_a_cause_that_is_not_stored_is_no_ancestor_of_a_whole_history(plant: "Plant") -> None:
    head = plant.commit({"a": "2"}, plant.commit({"a": "1"}))
    assert present(plant, patch_with(plant, "1" * 40), head) == [False]


@pytest.mark.parametrize("known", [True, False])
def test_p31_a_shallow_history_says_yes_but_never_no(plant: "Plant", *, known: bool) -> None:
    root = plant.commit({"a": "1"})
    cause = plant.commit({"a": "2"}, root)
    above = plant.commit({"a": "3"}, cause)
    cut = plant.commit({"a": "4"}, plant.commit({"a": "5"}))
    (plant.store.path / "shallow").write_text(f"{cut}\n")
    patch = patch_with(plant, cause if known else "1" * 40)
    assert present(plant, patch, cut, above) == [None, True if known else None]


def test_a_history_with_a_hole_cannot_tell(plant: "Plant") -> None:
    root = plant.commit({"a": "1"})
    head = plant.commit({"a": "3"}, plant.commit({"a": "2"}, root))
    (plant.store.path / "objects" / root[:2] / root[2:]).unlink()
    assert present(plant, patch_with(plant, "1" * 40), head) == [None]


def test_without_an_answer_an_absent_anchor_is_unknown(plant: "Plant") -> None:
    head = plant.commit({plant.path: "x = 1\n"})
    (row,) = survey(plant.store, patch_with(plant), [plant.branch(head)], has_history=True)
    assert row.state is State.UNKNOWN
    assert row.detail == f"shut is not in {plant.path}, and the patch names no causing commit"


@pytest.mark.parametrize(
    ("version", "state", "said"),
    [
        ("0.18.2", State.NOT_AFFECTED_YET, "and this release is older than plant 0.19.0"),
        ("0.9", State.NOT_AFFECTED_YET, "and this release is older than plant 0.19.0"),
        ("0.19.0rc1", State.NOT_AFFECTED_YET, "and this release is older than plant 0.19.0"),
        ("0.19.0", State.NOT_AFFECTED_ANYMORE, "though this release is not older than plant 0.19.0"),
        ("0.100", State.NOT_AFFECTED_ANYMORE, "though this release is not older than plant 0.19.0"),
        ("latest", State.UNKNOWN, "and its age cannot be told from its name 'pypi/latest'"),
    ],
)
def test_releases_are_compared_by_version(plant: "Plant", version: str, state: State, said: str) -> None:
    head = plant.commit({plant.path: "x = 1\n"})
    ref = Ref(full=f"refs/heads/pypi/{version}", name=f"pypi/{version}", head=head)
    patch = patch_with(plant, "1" * 40, "Plant==0.19.0", "other==0.1")
    (row,) = survey(plant.store, patch, [ref], has_history=False)
    assert (row.state, row.detail) == (state, f"shut is not in {plant.path}, {said}")


def test_releases_without_a_causing_release_are_unknown(plant: "Plant") -> None:
    head = plant.commit({plant.path: "x = 1\n"})
    ref = Ref(full="refs/heads/pypi/1", name="pypi/1", head=head)
    (row,) = survey(plant.store, patch_with(plant, "1" * 40), [ref], has_history=False)
    assert row.state is State.UNKNOWN
