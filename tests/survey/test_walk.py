"""Who lost it and who brought it, on graphs written down here: child → parents, children first."""

import pytest

from bot.model import Blame
from bot.survey import walk


def nothing(_one: str, _other: str) -> bool:
    """No two commits are known to have the same files."""
    return False


LINE: walk.Graph = {"e": ("d",), "d": ("c",), "c": ("b",), "b": ("a",), "a": ()}
#: `m` merges `side`, which never had it, with `main2`, which has.
SYNC: walk.Graph = {"head": ("m",), "m": ("side", "main2"), "side": ("old",), "main2": ("old2",)}


@pytest.mark.parametrize(
    ("having", "loser"),
    [("abc", "d"), ("ab", "c"), ("abcd", "e"), ("abcde", None), ("", None), ("ab d", "e")],
)
def test_on_a_line_the_newest_commit_that_lost_it_is_to_blame(having: str, loser: str | None) -> None:
    assert walk.loser(LINE, lambda commit: commit in having, nothing) == loser


def test_a_merge_that_took_the_side_that_never_had_it_is_to_blame() -> None:
    assert walk.loser(SYNC, lambda commit: commit in {"main2", "old2"}, nothing) == "m"


def test_a_commit_that_is_not_in_the_smaller_graph_has_the_nearest_ones_that_are() -> None:
    whole = {"head": ("m",), "m": ("side", "main2"), "side": ("old",), "main2": ("old",), "old": ()}
    found = walk.nearest(whole, {"side": (), "old": ()})
    assert found["head"] == found["m"] == {"side", "old"}
    assert [set(found[name]) for name in ("side", "main2", "old")] == [{"side"}, {"old"}, {"old"}]


def test_where_a_commit_lost_it_the_merge_that_brought_the_loss_is_not_to_blame() -> None:
    graph = {"m": ("side", "main2"), "side": ("start",), "main2": ("start",), "start": ()}
    assert walk.loser(graph, lambda commit: commit in {"main2", "start"}, nothing) == "side"


def test_a_merge_that_kept_one_side_whole_is_blamed_on_nothing_of_the_other() -> None:
    graph = {"m": ("main2", "side"), "side": ("start",), "main2": ("start",), "start": ()}
    same = {("main2", "m")}
    assert (
        walk.loser(graph, lambda commit: commit == "start", lambda one, other: (one, other) in same)
        == "main2"
    )


def test_a_loss_behind_a_commit_that_has_it_is_nobodys() -> None:
    assert walk.loser(LINE, lambda commit: commit in {"a", "e"}, nothing) is None


def test_who_brought_it_is_the_first_that_has_it_on_the_way_down() -> None:
    assert walk.gainer(LINE, lambda commit: commit in "cd", "d") == "c"
    assert walk.gainer(LINE, lambda _commit: True, "e") == "a"


def test_the_part_below_some_heads_keeps_its_order() -> None:
    assert list(walk.below(LINE, ["c"])) == ["c", "b", "a"]
    assert list(walk.below(SYNC, ["side", "main2"])) == ["side", "main2"]


@pytest.mark.parametrize(
    ("subject", "number"),
    [
        ("Keep it (#5451)", 5451),
        ('Revert "Keep it (#5451)" (#5500)', 5500),
        ("Merge pull request #12 from somebody/branch", 12),
        ("Fix #7: keep it", None),
        ("See (#8) for more", None),
        (f"Too long (#{'1' * 5000})", None),
        ("Merge remote-tracking branch 'origin/main'", None),
    ],
)
def test_the_pull_request_of_a_subject_is_the_one_that_the_host_wrote(
    subject: str, number: int | None
) -> None:
    made = walk.blame("a" * 40, "2026-07-02", subject)
    assert made == Blame(commit="a" * 40, number=number, date="2026-07-02")
