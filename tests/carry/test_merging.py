"""Merges outside every repository that is not ours, beside what git makes of the same commits."""

import os
from pathlib import Path

import pytest

from bot import git, upstream
from bot.carry import merging
from tests.conftest import Workshop

LINES = "".join(f"line {number}\n" for number in range(30))


class Fork:
    """A base and a proposal from one fork, and the upstream that holds them."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self.fork = workshop.commit("main", {"a/one.txt": LINES, "a/two.txt": LINES, "b/three.txt": LINES})

    def change(self, branch: str, files: dict[str, str | None]) -> str:
        """Commit on a branch from the fork; None removes a file."""
        self.workshop.git("switch", "--quiet", "-C", branch, self.fork)
        for path in [path for path, text in files.items() if text is None]:
            self.workshop.git("rm", "--quiet", path)
        return self.workshop.commit(branch, {path: text for path, text in files.items() if text is not None})

    def merge(self, base: str, head: str) -> git.Merged:
        source = upstream.open_upstream(
            str(self.workshop.upstream), cache=self.workshop.cache, notice=lambda _: None
        )
        before = stamps(self.workshop.upstream)
        merged = merging.merge(source, base, head)
        assert stamps(self.workshop.upstream) == before
        assert merged.tree is None or git.list_files(source.store, merged.tree)
        return merged


def stamps(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def forked(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> Fork:
    monkeypatch.setitem(os.environ, "TMPDIR", workshop.env["TMPDIR"])
    return Fork(workshop)


def edited(number: int) -> str:
    return LINES.replace(f"line {number}\n", f"line {number}, changed\n")


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"a/one.txt": edited(3)}, {"b/three.txt": edited(4)}),
        ({"a/one.txt": edited(3)}, {"a/one.txt": edited(20)}),
        ({"a/one.txt": edited(3)}, {"a/one.txt": edited(3), "new.txt": "x\n"}),
        ({"a/one.txt": None, "c/moved.txt": edited(3)}, {"a/one.txt": edited(20)}),
        ({"a/one.txt": edited(3)}, {"a/one.txt": None, "c/moved.txt": edited(20)}),
        ({"a/two.txt": None}, {"a/one.txt": None}),
        ({"a/two.txt": edited(1)}, {"odd \n name": "x\n", "a/two.txt": edited(20)}),
        ({"z.txt": "x\n"}, {}),
    ],
    ids=[
        "apart",
        "one file",
        "same change",
        "base renamed",
        "head renamed",
        "deleted",
        "odd name",
        "nothing",
    ],
)
def test_a_clean_merge_is_the_one_that_git_makes(
    forked: Fork, base: dict[str, str | None], head: dict[str, str | None]
) -> None:
    ours, theirs = forked.change("ours", base), forked.change("theirs", head)
    merged = forked.merge(ours, theirs)
    assert merged == git.Merged(tree=forked.workshop.git("merge-tree", "--write-tree", ours, theirs))


@pytest.mark.parametrize(
    ("base", "head", "names"),
    [
        ({"a/one.txt": edited(3)}, {"a/one.txt": LINES.replace("line 3\n", "three\n")}, ("a/one.txt",)),
        ({"a/one.txt": None}, {"a/one.txt": edited(3)}, ("a/one.txt",)),
        ({"n.txt": "1\n"}, {"n.txt": "2\n"}, ("n.txt",)),
    ],
    ids=["both changed", "deleted and changed", "both added"],
)
def test_a_conflict_names_its_files(
    forked: Fork, base: dict[str, str | None], head: dict[str, str | None], names: tuple[str, ...]
) -> None:
    merged = forked.merge(forked.change("ours", base), forked.change("theirs", head))
    assert (merged.tree, merged.conflicts, merged.problem) == (None, names, "")


def test_where_one_contains_the_other_its_tree_is_the_newer_ones(forked: Fork) -> None:
    newer = forked.change("theirs", {"a/one.txt": edited(3)})
    tree = forked.workshop.git("rev-parse", f"{newer}^{{tree}}")
    assert forked.merge(forked.fork, newer) == forked.merge(newer, forked.fork) == git.Merged(tree=tree)


def test_two_best_common_ancestors_are_both_respected(forked: Fork) -> None:
    shop = forked.workshop
    one, two = forked.change("one", {"a/one.txt": edited(3)}), forked.change("two", {"a/two.txt": edited(3)})
    shop.git("switch", "--quiet", "one")
    shop.git("merge", "--quiet", "--no-edit", two)
    ours = shop.commit("one", {"b/three.txt": edited(5)})
    shop.git("switch", "--quiet", "two")
    shop.git("merge", "--quiet", "--no-edit", one)
    theirs = shop.commit("two", {"a/one.txt": LINES})
    assert len(shop.git("merge-base", "--all", ours, theirs).split()) == 2
    assert forked.merge(ours, theirs).tree == shop.git("merge-tree", "--write-tree", ours, theirs)


def test_histories_that_do_not_meet_are_a_problem_and_no_error(forked: Fork) -> None:
    tree = forked.workshop.git("rev-parse", "HEAD^{tree}")
    alone = forked.workshop.git("commit-tree", "-m", "alone", tree)
    assert "do not meet" in forked.merge(forked.fork, alone).problem


def test_peoples_configuration_does_not_change_a_merge(
    forked: Fork, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = "[merge]\n\trenames = false\n[diff]\n\trenames = false\n"
    (tmp_path / ".gitconfig").write_text(settings)
    ours = forked.change("ours", {"a/one.txt": None, "c/moved.txt": edited(3)})
    assert forked.merge(ours, forked.change("theirs", {"a/one.txt": edited(20)})).tree
