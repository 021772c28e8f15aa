"""What the patch is to whole branches of a small upstream: the public cases, by their ids."""

from typing import TYPE_CHECKING

import pytest

from bot import git, survey
from bot.model import Ref, State

if TYPE_CHECKING:
    from tests.survey.conftest import Plant

#: The block of `shut` with everything that the hunk shows, inside of another function.
TWIN = '''

def twin(pipe, arg):
    """A twin."""
    try:
        valve = pipe.close(True)
    except RuntimeError:
        if pipe.loud:
            log.warning(
                f"cannot shut {arg.name}; "
                f"leaving it open"
            )

    return valve


LAST = twin
'''
ABOVE = "\n# more of the plant\n" * 20


def test_applies_at_its_own_line_on_the_base(plant: "Plant") -> None:
    row = plant.row(plant.base)
    assert (row.state, row.detail, row.offset) == (State.APPLIES_EXACT, "applies at its own line", 0)
    assert [(spot.file, spot.anchor) for spot in row.hunks] == [(plant.path, "shut")]
    assert row.patched_blob is not None
    assert row.patched_blob == git.object_id("blob", plant.fixed.encode(), 40)


def test_applies_lower_where_lines_came_above(plant: "Plant") -> None:
    row = plant.row(plant.base.replace("\n\ndef other", ABOVE + "\n\ndef other"))
    assert (row.state, row.offset, row.detail) == (State.APPLIES_EXACT, 40, "applies 40 lines lower")
    assert row.hunks[0].line == plant.row(plant.base).hunks[0].line + 40


def test_without_the_base_blob_the_anchor_alone_confirms(plant: "Plant") -> None:
    head = plant.commit({plant.path: plant.base + ABOVE})
    change = plant.change(plant.base + "# not stored\n", plant.fixed + "# not stored\n")
    gone = plant.patch(change)
    (plant.store.path / "objects" / change.old_blob[:2] / change.old_blob[2:]).unlink()
    (row,) = survey.survey(plant.store, gone, [plant.branch(head)], has_history=True)
    assert row.state is State.APPLIES_EXACT


def test_without_anchors_the_merge_confirms_the_place(plant: "Plant") -> None:
    assert plant.row(plant.base + ABOVE, anchors={}).state is State.APPLIES_EXACT


def test_without_anchors_and_base_nothing_confirms_the_place(plant: "Plant") -> None:
    head = plant.commit({plant.path: plant.base + ABOVE})
    change = plant.change(plant.base + "# not stored\n", plant.fixed + "# not stored\n")
    (plant.store.path / "objects" / change.old_blob[:2] / change.old_blob[2:]).unlink()
    patch = plant.patch(change, anchors={})
    (row,) = survey.survey(plant.store, patch, [plant.branch(head)], has_history=True)
    assert row.state is State.AMBIGUOUS
    assert row.detail.startswith("no anchor and no clean merge confirms line")


def test_p6_a_twin_that_git_would_patch_is_ambiguous_and_nothing_is_reported_as_applied(
    plant: "Plant",
) -> None:
    rewritten = plant.base.replace(
        "valve = pipe.close(hard)\n    except RuntimeError", "valve = 1\n    except E"
    )
    text = rewritten.replace("cannot shut", "could not shut") + TWIN
    row = plant.row(text)
    assert row.state is State.AMBIGUOUS
    assert "outside shut" in row.detail
    assert (row.offset, row.hunks, row.patched_blob) == (None, (), None)


def test_p6_a_hunk_that_fits_twice_is_ambiguous(plant: "Plant") -> None:
    row = plant.row(plant.base + TWIN)
    assert (row.state, row.detail) == (State.AMBIGUOUS, f"hunk 1 of {plant.path} fits in 2 places")


def test_p7_re_indented_code_is_never_applied(plant: "Plant") -> None:
    row = plant.row(plant.base.replace("    ", "  "))
    assert (row.state, row.patched_blob) == (State.CONFLICTS, None)
    assert row.detail == f"shut is there, but hunk 1 of {plant.path} does not apply"


@pytest.mark.parametrize("more", ["", ABOVE])
def test_p10_a_fix_that_came_in_with_other_work_is_identical(plant: "Plant", more: str) -> None:
    row = plant.row(plant.fixed.replace("\n\ndef other", more + "\n\ndef other") + "\nNEW = 1\n")
    assert (row.state, row.detail) == (State.UPSTREAM_IDENTICAL, "the change is already in shut")


def test_p10_also_when_the_other_work_touched_the_lines_around(plant: "Plant") -> None:
    squashed = plant.fixed.replace("if pipe.loud:", "if pipe.loud and hard:")
    assert plant.row(squashed).state is State.UPSTREAM_IDENTICAL


def test_p11_forward_and_reverse_succeed_and_the_anchor_holds_the_fix(plant: "Plant") -> None:
    assert plant.row(plant.fixed + TWIN).state is State.UPSTREAM_IDENTICAL


def test_p11_forward_and_reverse_succeed_and_the_fix_is_elsewhere(plant: "Plant") -> None:
    fixed_twin = TWIN.replace("{arg.name}", "{pipe.name}").replace(
        "            )\n\n", "            )\n        valve = pipe\n\n"
    )
    assert plant.row(plant.base + fixed_twin).state is State.AMBIGUOUS


def test_p12_the_fixed_text_is_left_as_it_is(plant: "Plant") -> None:
    row = plant.row(plant.fixed)
    assert (row.state, row.patched_blob) == (State.UPSTREAM_IDENTICAL, None)


def test_p14_a_conflict_is_seen_by_merging_for_real(plant: "Plant") -> None:
    row = plant.row(plant.base.replace("{arg.name}", "{other.name}"))
    assert (row.state, row.patched_blob) == (State.CONFLICTS, None)


@pytest.mark.parametrize("first", [True, False], ids=["only line 1", "only line 2"])
def test_p15_one_of_two_lines_landed(plant: "Plant", *, first: bool) -> None:
    text = plant.half if first else plant.fixed.replace("{pipe.name}", "{arg.name}")
    row = plant.row(text + ABOVE)
    assert (row.state, row.detail) == (State.UPSTREAM_PARTIAL, "1 of 2 changed lines is already in shut")


def test_p15_one_line_landed_and_the_other_one_in_other_words(plant: "Plant") -> None:
    text = plant.half.replace("            )\n\n", "            )\n        return pipe\n\n")
    assert plant.row(text).state is State.UPSTREAM_PARTIAL


def test_a_changed_line_near_by_is_merged_when_the_merge_is_clean(plant: "Plant") -> None:
    row = plant.row(plant.base.replace("        if pipe.loud:\n", "        if pipe.loud or hard:\n"))
    assert row.state is State.APPLIES_MERGED
    assert row.offset == 0
    assert row.hunks[0].anchor == "shut"
    assert row.patched_blob is not None
    merged = plant.fixed.replace("        if pipe.loud:\n", "        if pipe.loud or hard:\n")
    assert row.patched_blob == git.object_id("blob", merged.encode(), 40)


def test_p5_an_absent_anchor_without_the_cause_is_not_affected_yet(plant: "Plant") -> None:
    old = plant.commit({plant.path: plant.base.replace("def shut(", "def close(")})
    cause = plant.commit({plant.path: plant.base}, old)
    gone = plant.commit({plant.path: plant.base.replace("def shut(", "def close(")}, cause)
    patch = plant.patch(plant.change(plant.base, plant.fixed), causes=(cause,))
    refs = [plant.branch(old, "old"), plant.branch(gone, "gone"), plant.branch(cause, "cause")]
    rows = survey.survey(plant.store, patch, refs, has_history=True)
    assert [row.state for row in rows] == [
        State.NOT_AFFECTED_YET, State.NOT_AFFECTED_ANYMORE, State.APPLIES_EXACT,
    ]  # fmt: skip
    assert rows[0].detail == f"shut is not in {plant.path}, and {cause[:12]} is not in this branch's history"
    assert rows[1].detail == f"shut is not in {plant.path}, though {cause[:12]} is in this branch's history"


def test_p20_a_helper_of_another_name_with_the_same_text_is_not_affected(plant: "Plant") -> None:
    nested = plant.base.replace("def shut(pipe, hard=False)", "def replace(arg, hard=False)")
    old = plant.commit({plant.path: nested})
    cause = plant.commit({plant.path: plant.base}, old)
    patch = plant.patch(plant.change(plant.base, plant.fixed), causes=(cause,))
    (row,) = survey.survey(plant.store, patch, [plant.branch(old)], has_history=True)
    assert (row.state, row.patched_blob) == (State.NOT_AFFECTED_YET, None)


@pytest.mark.parametrize("files", [{"lib/other.py": "x = 1\n"}, {"lib/valve.py/no": "x\n"}])
def test_an_absent_file_is_an_absent_anchor(plant: "Plant", files: dict[str, str]) -> None:
    old = plant.commit(files)
    cause = plant.commit({plant.path: plant.base}, old)
    patch = plant.patch(plant.change(plant.base, plant.fixed), causes=(cause,))
    (row,) = survey.survey(plant.store, patch, [plant.branch(old)], has_history=True)
    assert (row.state, row.blob) == (State.NOT_AFFECTED_YET, None)
    assert row.detail.startswith(f"{plant.path} is not there, and ")


@pytest.mark.parametrize(
    "text",
    ["{base}\n\ndef shut(pipe):\n    pass\n", "x = (\nif x:\n    pass\n    def shut(): ...\n"],
    ids=["twice", "does not parse"],
)
def test_p40_an_anchor_that_cannot_be_placed_is_ambiguous(plant: "Plant", text: str) -> None:
    row = plant.row(text.replace("{base}", plant.base))
    assert row.state is State.AMBIGUOUS
    assert row.detail.startswith("shut ")


def test_p40_a_syntax_error_elsewhere_hides_no_anchor(plant: "Plant") -> None:
    assert plant.row(plant.base + "\nx = (\n").state is State.APPLIES_EXACT


def test_a_binary_file_is_no_crash(plant: "Plant") -> None:
    assert plant.row(plant.base.encode().replace(b"Leave", b"\0")).state is State.APPLIES_EXACT
    assert plant.row(b"def shut():\n    x = '\0'\n").state is State.AMBIGUOUS


@pytest.mark.parametrize(
    ("second", "state"),
    [(True, State.APPLIES_EXACT), (False, State.CONFLICTS), (None, State.CONFLICTS)],
    ids=["both apply", "second conflicts", "second is not there"],
)
def test_p30_several_files_are_all_or_nothing(plant: "Plant", second: bool | None, state: State) -> None:
    changes = (plant.change(plant.base, plant.fixed), plant.change("a = 1\n", "a = 2\n", "lib/b.py"))
    files = {plant.path: plant.base} | (
        {} if second is None else {"lib/b.py": "a = 1\n" if second else "b\n"}
    )
    head = plant.commit(files)
    (row,) = survey.survey(plant.store, plant.patch(*changes), [plant.branch(head)], has_history=True)
    assert row.state is state
    assert (row.patched_blob is not None) == bool(second)


def test_what_the_upstream_could_not_bring_is_unknown_and_never_another_state(plant: "Plant") -> None:
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    refs = [
        Ref(full="refs/heads/a", name="a", missing=True),
        plant.branch(None, "b", problem="timed out"),
        plant.branch(None, "c"),
        plant.branch("1" * 40, "d"),
    ]
    rows = survey.survey(plant.store, patch, refs, has_history=True)
    states = [row.state for row in rows]
    assert states == [State.BRANCH_MISSING, State.UNKNOWN, State.UNKNOWN, State.UNKNOWN]
    assert rows[1].detail == "timed out"
    assert all(row.detail for row in rows)


@pytest.mark.parametrize("part", ["lib", "lib/valve.py"])
def test_an_object_that_is_not_stored_makes_the_target_unknown(plant: "Plant", part: str) -> None:
    head = plant.commit({plant.path: plant.base + ABOVE})
    found = git.look_up(plant.store, [f"{head}:{part}"])[f"{head}:{part}"]
    assert found is not None
    (plant.store.path / "objects" / found.id[:2] / found.id[2:]).unlink()
    patch = plant.patch(plant.change(plant.base, plant.fixed))
    (row,) = survey.survey(plant.store, patch, [plant.branch(head)], has_history=True)
    assert row.state is State.UNKNOWN
    assert found.id in row.detail
