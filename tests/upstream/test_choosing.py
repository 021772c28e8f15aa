"""Which refs people and manifests mean."""

import pytest

from bot.errors import BotError, Exit
from bot.model import Ref
from bot.upstream import choose, remembered
from bot.upstream.choosing import named

REFS = tuple(
    named(full, "0" * 40)
    for full in ("refs/heads/a/b", "refs/heads/dev", "refs/heads/main", "refs/pull/1/head", "refs/tags/main")
)


def names(refs: tuple[Ref, ...]) -> list[str]:
    return [ref.name for ref in refs]


@pytest.mark.parametrize(
    ("branches", "patterns", "chosen"),
    [
        ([], [], ["a/b", "dev", "main"]),
        (["main"], [], ["main"]),
        (["main", "dev"], [], ["main", "dev"]),
        (["*"], [], ["a/b", "dev", "main"]),
        (["a*"], [], ["a/b"]),
        (["?ev"], ["refs/pull/*"], ["dev", "refs/pull/1/head"]),
        ([], ["refs/tags/main"], ["refs/tags/main"]),
        ([], ["refs/heads/*", "refs/heads/dev"], ["a/b", "dev", "main"]),
    ],
)
def test_asked_refs_come_in_the_order_asked(
    branches: list[str], patterns: list[str], chosen: list[str]
) -> None:
    assert names(choose(REFS, branches=branches, patterns=patterns)) == chosen


def test_b12_the_same_branch_twice_is_one_ref() -> None:
    chosen = choose(REFS, branches=["main", "m*", "main"], patterns=["refs/heads/main"])
    assert names(chosen) == ["main"]


def test_a_mistyped_branch_stops_with_the_nearest_names() -> None:
    with pytest.raises(BotError, match="'mian'") as caught:
        choose(REFS, branches=["mian"], patterns=[])
    assert caught.value.code is Exit.USAGE
    assert caught.value.hint == "nearest: main"


@pytest.mark.parametrize(
    "asked", ["none*", "-x", "--upload-pack=x", "a..b", "main@{1}", "ma\nin", "main:pkg", "refs/heads/main"]
)
def test_what_is_no_branch_stops_and_is_shown_harmlessly(asked: str) -> None:
    with pytest.raises(BotError) as caught:
        choose(REFS, branches=[asked], patterns=[])
    assert repr(asked) in caught.value.message
    assert "\n" not in caught.value.message


def test_a_mistyped_ref_and_an_empty_upstream_stop_too() -> None:
    with pytest.raises(BotError, match="no ref 'main'"):
        choose(REFS, branches=[], patterns=["main"])
    with pytest.raises(BotError, match="no branch 'main'"):
        choose((), branches=["main"], patterns=[])
    assert choose((), branches=[], patterns=[]) == ()


def test_remembered_names_that_are_gone_are_missing_refs() -> None:
    assert remembered(REFS, ["main", "gone", "main"]) == (
        REFS[2],
        Ref(full="refs/heads/gone", name="gone", missing=True),
    )
