"""A git URL: only what is asked is fetched, once, and one broken ref breaks no other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot import git
from bot.errors import BotError, Exit
from bot.upstream import Upstream

Git = Callable[..., str]
Open = Callable[[Path | str], Upstream]


@pytest.fixture
def url(origin: Path, run_git: Git) -> str:
    run_git(origin, "config", "uploadpack.allowFilter", "true")
    return f"file://{origin}"


@pytest.fixture
def packs(home: Path, tmp_path: Path) -> Path:
    """A file with a line for each pack that any server of this test made."""
    log, hook = tmp_path / "packs", tmp_path / "hook"
    log.touch()
    hook.write_text(f'#!/bin/sh\necho pack >>{log}\nexec "$@"\n')
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(f"[uploadpack]\n\tpackObjectsHook = {hook}\n")
    return log


def blobs(upstream: Upstream) -> list[str]:
    """What the store itself holds of files."""
    options = ("--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")
    lines = git.must(upstream.store, "cat-file", *options).text.splitlines()
    return [line for line in lines if line.startswith("blob ")]


def test_commits_come_without_files_until_they_are_asked_for(url: str, opened: Open, packs: Path) -> None:
    upstream = opened(url)
    (dev,) = upstream.fetch(upstream.find(["dev"], []))
    assert dev.head is not None
    assert blobs(upstream) == []
    spec = f"{dev.head}:pkg/file.py"
    assert git.look_up(upstream.store, [spec]) == {spec: None}, "a look-up fetches nothing"
    upstream.bring_files(dev.head, ["pkg/one.txt", "pkg/file.py", "pkg/nothing"])
    assert len(blobs(upstream)) == 2
    entry = git.look_up(upstream.store, [spec])[spec]
    assert entry is not None
    assert git.contents(upstream.store, [entry.id])[entry.id] == b"two = 1\n"
    assert packs.read_text().split() == ["pack"] * 2, "one fetch of commits, one of files"


def test_only_asked_branches_are_fetched(url: str, opened: Open, origin: Path, run_git: Git) -> None:
    upstream = opened(url)
    upstream.fetch(upstream.find(["main"], []))
    for name, there in (("main", True), ("dev", False)):
        head = run_git(origin, "rev-parse", f"refs/heads/{name}")
        assert (git.look_up(upstream.store, [head])[head] is not None) is there


def test_a_second_run_with_unmoved_heads_fetches_nothing(url: str, opened: Open, packs: Path) -> None:
    first = opened(url)
    packs.write_text("")
    brought = first.fetch(first.find(["*"], ["refs/tags/*"]))
    assert packs.read_text().split() == ["pack"], "refs that share a head do not spoil the one fetch"
    first.bring_files(brought[0].head or "", [])
    packs.write_text("")
    again = opened(url)
    assert again.fetch(again.find(["*"], ["refs/tags/*"])) == brought
    again.bring_files(brought[0].head or "", [])
    assert packs.read_text() == ""


def test_a_moved_head_is_fetched_and_the_old_one_stays(
    url: str, opened: Open, origin: Path, run_git: Git
) -> None:
    upstream = opened(url)
    (old,) = upstream.fetch(upstream.find(["main"], []))
    run_git(origin, "commit", "-q", "--amend", "-m", "rewritten")
    (new,) = upstream.fetch(upstream.find(["main"], []))
    assert new.head != old.head
    assert upstream.bring_commit(old.head or "")
    assert upstream.bring_commit(new.head or "")


def test_tags_are_peeled_and_names_are_full(url: str, opened: Open, origin: Path, run_git: Git) -> None:
    upstream = opened(url)
    chosen = upstream.fetch(upstream.find(["main"], ["refs/tags/main", "refs/tags/v1"]))
    specs = ("refs/heads/main", "refs/heads/dev", "refs/tags/v1^{commit}")
    assert [ref.head for ref in chosen] == [run_git(origin, "rev-parse", spec) for spec in specs]


def test_b16_a_branch_that_becomes_a_directory_of_branches_is_fetched(
    url: str, opened: Open, origin: Path, run_git: Git
) -> None:
    upstream = opened(url)
    upstream.fetch(upstream.find(["dev"], []))
    run_git(origin, "branch", "-m", "dev", "gone")
    run_git(origin, "branch", "dev/next", "release/1.0")
    (ref,) = upstream.fetch(upstream.find(["dev/next"], []))
    assert (ref.head, ref.problem) == (run_git(origin, "rev-parse", "dev/next"), "")


def test_one_broken_branch_is_a_problem_and_the_rest_stand(
    url: str, opened: Open, origin: Path, run_git: Git
) -> None:
    tree = run_git(origin, "rev-parse", "release/1.0:pkg")
    (origin / ".git/objects" / tree[:2] / tree[2:]).unlink()
    upstream = opened(url)
    refs = {ref.name: ref for ref in upstream.fetch(upstream.find(["*"], []))}
    assert refs["release/1.0"].head is None
    assert refs["release/1.0"].problem.startswith("fetching it failed: ")
    assert str(origin) not in refs["release/1.0"].problem
    assert all(refs[name].head and not refs[name].problem for name in ("main", "dev"))


def test_a_ref_to_something_else_than_a_commit_is_a_problem(
    url: str, opened: Open, origin: Path, run_git: Git
) -> None:
    run_git(
        origin, "update-ref", "refs/odd/blob", run_git(origin, "rev-parse", "refs/heads/main:pkg/file.py")
    )
    upstream = opened(url)
    odd, main = upstream.fetch(upstream.find([], ["refs/odd/blob", "refs/heads/main"]))
    assert (odd.head, odd.problem) == (None, "it points to no commit")
    assert main.head


def test_replay_brings_a_commit_that_no_ref_points_to_any_more(
    url: str, opened: Open, origin: Path, run_git: Git
) -> None:
    lost = run_git(origin, "rev-parse", "release/1.0")
    run_git(origin, "branch", "-D", "release/1.0")
    upstream = opened(url)
    assert upstream.bring_commit(lost)
    assert not upstream.bring_commit("1" * 40)
    assert not upstream.bring_commit("--upload-pack=touch x")


def test_p31_a_shallow_upstream_is_fetched_and_known_as_shallow(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    run_git(tmp_path, "clone", "-q", "--bare", "--depth=1", "--branch=dev", f"file://{origin}", "shallow")
    upstream = opened(f"file://{tmp_path}/shallow")
    (ref,) = upstream.fetch(upstream.find(["dev"], []))
    assert (ref.head, ref.problem) == (run_git(origin, "rev-parse", "refs/heads/dev"), "")
    assert (upstream.store.path / "shallow").is_file()


def test_people_s_own_git_settings_remove_nothing(url: str, opened: Open, home: Path) -> None:
    (home / ".gitconfig").write_text("[fetch]\n\tprune = true\n\tpruneTags = true\n")
    upstream = opened(url)
    (main,) = upstream.fetch(upstream.find(["main"], []))
    upstream.fetch(upstream.find(["dev"], []))
    refs = git.must(upstream.store, "for-each-ref", "--format=%(refname)").text.splitlines()
    assert len(refs) == 2
    assert f"refs/upstream/{main.head}" in refs


def test_an_unreachable_upstream_stops_with_a_hint(opened: Open, tmp_path: Path) -> None:
    upstream = opened(f"file://{tmp_path}/nothing")
    for ask in (upstream.refs, lambda: upstream.bring_commit("1" * 40)):
        with pytest.raises(BotError, match="upstream local:nothing cannot be read") as caught:
            ask()
        assert caught.value.code is Exit.USAGE
        assert "--upstream" in caught.value.hint


def test_an_upstream_that_goes_away_before_the_fetch_stops(url: str, opened: Open, origin: Path) -> None:
    upstream = opened(url)
    refs = upstream.find(["*"], [])
    origin.rename(origin.parent / "moved")
    with pytest.raises(BotError, match="cannot be read"):
        upstream.fetch(refs)


def test_credentials_reach_neither_the_cache_nor_an_error(opened: Open, cache: Path) -> None:
    upstream = opened("http://me:s3cret@127.0.0.1:9/o/r.git")
    assert upstream.spec == "http://127.0.0.1:9/o/r.git"
    with pytest.raises(BotError) as caught:
        upstream.refs()
    assert "s3cret" not in caught.value.message + caught.value.hint
    assert not any(b"s3cret" in path.read_bytes() for path in cache.rglob("*") if path.is_file())
