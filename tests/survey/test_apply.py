"""The applier equals `git apply` and is never looser; every result is checked against git itself."""

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import structs

from bot import git
from bot.survey.apply import apply, reverses
from bot.survey.hunks import Body

if TYPE_CHECKING:
    from tests.survey.conftest import Plant

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", " a\n", "a\r\n"]), min_size=1, max_size=16)


def git_applies(store: git.Repo, text: bytes, patch: bytes, *options: str) -> bytes | None:
    """The text that `git apply --cached` makes; None when it refuses."""
    index = {"GIT_INDEX_FILE": str(store.path / "scratch-index")}
    entry = f"100644 {git.write_blob(store, text)}\tf\n".encode()
    git.must(store, "update-index", "--index-info", data=entry, env=index)
    if git.call(store, "apply", "--cached", *options, "-", data=patch, env=index).code:
        return None
    return git.must(store, "cat-file", "blob", ":f", env=index).out


def unified(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    yield "diff --git a/f b/f\n"
    yield from difflib.unified_diff(before, after, "a/f", "b/f")


@settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
@given(before=LINES, added=LINES, top=LINES, data=st.data())
def test_strict_application_equals_git_apply_on_generated_texts(
    plant: "Plant", before: list[str], added: list[str], top: list[str], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, 6))
    at = data.draw(st.integers(0, len(before)))
    after = before[:at] + added[:2] + before[at + cut % 3 :]
    target = data.draw(st.sampled_from([before, top + before, before + top, top, before[cut:], after]))
    assume(before != after and after and target)
    patch, text = "".join(unified(before, after)).encode(), "".join(target).encode()
    hunks = plant.hunks(patch)
    got = apply(text, hunks).data
    assert got == git_applies(plant.store, text, patch)
    assert reverses(Body(text), hunks) == (git_applies(plant.store, text, patch, "-R") is not None)


@pytest.mark.parametrize("above", [0, 1, 40])
@pytest.mark.parametrize("between", [0, 7])
def test_several_hunks_land_where_git_puts_them_and_tell_their_lines(
    plant: "Plant", above: int, between: int
) -> None:
    numbers = [f"{number}\n" for number in range(40)]
    before = numbers[:20] + numbers[:20]
    after = [*before[:5], "new\n", "new\n", *before[5:30], "other\n", *before[31:]]
    target = [f"t{number}\n" for number in range(above)] + before[:20] + ["x\n"] * between + before[20:]
    patch, text = "".join(unified(before, after)).encode(), "".join(target).encode()
    done = apply(text, plant.hunks(patch))
    assert done.data == git_applies(plant.store, text, patch)
    assert done.data is not None
    first, second = done.fits
    assert first is not None
    assert second is not None
    assert (first.old_line, first.new_line) == (above + 2, above + 2)
    assert second.old_line == above + between + 27
    assert second.new_line == second.old_line + 2
    assert done.in_order


def test_the_nearest_place_wins_and_the_lower_one_of_two_that_are_equally_near(plant: "Plant") -> None:
    block = ["p\n", "q\n", "r\n", "old\n", "s\n", "t\n", "u\n"]
    gap = ["-\n"] * 10
    before = gap * 3 + block + gap
    after = ["new\n" if line == "old\n" else line for line in before]
    target = gap * 2 + ["-\n"] * 3 + block + ["-\n"] * 7 + block + gap
    patch, text = "".join(unified(before, after)).encode(), "".join(target).encode()
    done = apply(text, plant.hunks(patch))
    assert done.data == git_applies(plant.store, text, patch)
    assert [fit.old_line for fit in done.fits if fit] == [37]
    assert [fit.places for fit in done.fits if fit] == [2]


def test_hunks_that_git_lets_cross_are_told_as_crossing(plant: "Plant") -> None:
    one = [f"{name}\n" for name in "abcdefg"]
    two = [f"{name}\n" for name in "hijklmn"]
    gap = ["-\n"] * 8
    before = gap + one + gap + two + gap
    after = ["D\n" if line == "d\n" else "K\n" if line == "k\n" else line for line in before]
    target = gap + two + gap + one + gap
    patch, text = "".join(unified(before, after)).encode(), "".join(target).encode()
    done = apply(text, plant.hunks(patch))
    assert done.data == git_applies(plant.store, text, patch) != None  # noqa: E711 (both halves are meant)
    assert not done.in_order


def test_p30_when_the_second_hunk_fails_nothing_is_applied_and_the_first_is_told(plant: "Plant") -> None:
    before = [f"{number}\n" for number in range(30)]
    after = ["new\n" if line in {"5\n", "25\n"} else line for line in before]
    target = ["else\n" if line == "25\n" else line for line in before]
    done = apply("".join(target).encode(), plant.hunks("".join(unified(before, after)).encode()))
    assert done.data is None
    assert [fit is not None for fit in done.fits] == [True, False]


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_other_line_ends_are_a_difference(plant: "Plant", ends: str) -> None:
    text = plant.base.replace("\n", ends).encode()
    done = apply(text, plant.change(plant.base, plant.fixed).hunks)
    assert (done.data is not None) == (ends == "\n")


def test_p7_re_indented_code_is_a_difference_where_gnu_patch_l_would_guess(plant: "Plant") -> None:
    text = plant.base.replace("    ", "  ").encode()
    assert apply(text, plant.change(plant.base, plant.fixed).hunks).data is None


@pytest.mark.parametrize("inline", [False, True])
def test_a_last_line_without_its_end_is_kept_that_way_in_both_notations(
    plant: "Plant", *, inline: bool
) -> None:
    before, after = b"a\nb\nc\nd", b"a\nB\nc\nd"
    (hunk,) = plant.change(before, after).hunks
    assert hunk.lines[-1].startswith(b"\\ No newline")
    if inline:
        hunk = structs.replace(hunk, lines=(*hunk.lines[:-2], hunk.lines[-2].removesuffix(b"\n")))
    assert apply(before, [hunk]).data == after
    # git would take the next one and drop the line feed without a word: that is no full context.
    assert apply(before + b"\n", [hunk]).data is None


def test_p12_taking_back_is_only_ever_a_check(plant: "Plant") -> None:
    hunks = plant.change(plant.base, plant.fixed).hunks
    assert reverses(Body(plant.fixed.encode()), hunks)
    assert apply(plant.fixed.encode(), hunks).data is None
    assert not reverses(Body(plant.base.encode()), hunks)
