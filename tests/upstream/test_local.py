"""A repository on this machine is read in every shape, and never written to."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import git
from bot.errors import BotError
from bot.upstream import Upstream

Git = Callable[..., str]
Open = Callable[[Path | str], Upstream]


def fingerprint(place: Path) -> dict[str, tuple[int, int]]:
    """Every file and directory below, with its time of change and size."""
    return {
        str(path.relative_to(place)): (path.lstat().st_mtime_ns, path.lstat().st_size)
        for path in (place, *place.rglob("*"))
    }


def content(upstream: Upstream, name: str) -> bytes:
    (ref,) = upstream.fetch(upstream.find([name], []))
    assert ref.head is not None
    upstream.bring_files(ref.head, ["pkg"])
    entry = git.look_up(upstream.store, [f"{ref.head}:pkg/file.py"]).popitem()[1]
    assert entry is not None
    return git.contents(upstream.store, [entry.id])[entry.id]


def test_everything_is_read_and_nothing_is_touched(origin: Path, opened: Open, run_git: Git) -> None:
    before = fingerprint(origin), run_git(origin, "count-objects", "-v")
    upstream = opened(origin)
    assert upstream.spec == "local:origin"
    assert [ref.name for ref in upstream.refs()] == [
        "dev", "main", "release/1.0", "refs/tags/main", "refs/tags/v1",
    ]  # fmt: skip
    assert content(upstream, "main") == b"one = 1\n"
    assert upstream.bring_commit(run_git(origin, "rev-parse", "dev"))
    written = git.write_blob(upstream.store, b"ours")
    assert before == (fingerprint(origin), run_git(origin, "count-objects", "-v"))
    assert run_git(origin, "status", "--porcelain") == ""
    assert not git.look_up(git.Repo(path=origin / ".git"), [written])[written]


def test_a_tag_called_like_a_branch_and_annotated_tags_lead_to_their_commits(
    origin: Path, opened: Open, run_git: Git
) -> None:
    upstream = opened(origin)
    heads = {ref.full: ref.head for ref in upstream.refs()}
    assert heads["refs/heads/main"] == run_git(origin, "rev-parse", "refs/heads/main")
    assert heads["refs/tags/main"] == run_git(origin, "rev-parse", "refs/heads/dev")
    assert heads["refs/tags/v1"] == run_git(origin, "rev-parse", "refs/tags/v1^{commit}")


def test_worktree_bare_and_git_directory_are_the_same_upstream(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    run_git(origin, "worktree", "add", "-q", str(tmp_path / "tree"), "dev")
    stores = {opened(place).store for place in (origin, origin / ".git", tmp_path / "tree")}
    assert len(stores) == 1
    run_git(tmp_path, "clone", "-q", "--bare", str(origin), "bare.git")
    bare = opened(tmp_path / "bare.git")
    assert bare.spec == "local:bare.git"
    assert content(bare, "release/1.0") == b"three = 1\n"


def test_a_bare_directory_without_a_config_file_is_read(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    run_git(tmp_path, "clone", "-q", "--bare", str(origin), "bare")
    (tmp_path / "bare" / "config").unlink()
    assert content(opened(tmp_path / "bare"), "dev") == b"two = 1\n"


def test_a_clone_that_borrows_objects_relatively_is_read(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    run_git(tmp_path, "clone", "-q", "--shared", str(origin), "borrower")
    listing = tmp_path / "borrower/.git/objects/info/alternates"
    listing.write_text(os.path.relpath(origin / ".git/objects", tmp_path / "borrower/.git/objects") + "\n")
    assert content(opened(tmp_path / "borrower"), "main") == b"one = 1\n"


def test_a_path_with_a_line_break_is_read(origin: Path, opened: Open) -> None:
    (origin.parent / "link").symlink_to(origin.rename(origin.parent / 'o"dd\\\nname'))
    assert content(opened(origin.parent / "link"), "main") == b"one = 1\n"


def test_p31_a_shallow_clone_is_known_as_shallow_until_it_is_deepened(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    run_git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{origin}", "shallow")
    upstream = opened(tmp_path / "shallow")
    (ref,) = upstream.find([], ["refs/remotes/origin/dev"])
    assert ref.head is not None
    assert (upstream.store.path / "shallow").is_file()
    assert git.must(upstream.store, "rev-list", "--count", ref.head).text == "1"
    run_git(tmp_path / "shallow", "fetch", "-q", "--unshallow")
    again = opened(tmp_path / "shallow")
    assert git.must(again.store, "rev-list", "--count", ref.head).text == "2"


def test_p32_a_partial_clone_lacks_files_and_is_not_made_to_fetch_them(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    run_git(origin, "config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", f"file://{origin}", "partial")
    before = fingerprint(tmp_path / "partial")
    upstream = opened(tmp_path / "partial")
    (ref,) = upstream.find(["dev"], [])
    assert ref.head is not None
    upstream.bring_files(ref.head, ["pkg/file.py"])
    spec = f"{ref.head}:pkg/file.py"
    assert git.look_up(upstream.store, [spec]) == {spec: None}
    assert fingerprint(tmp_path / "partial") == before


def test_a_branch_whose_commit_is_lost_is_a_problem_and_the_others_stand(
    origin: Path, opened: Open, run_git: Git
) -> None:
    lost = run_git(origin, "rev-parse", "release/1.0")
    (origin / ".git/objects" / lost[:2] / lost[2:]).unlink()
    refs = {ref.name: ref for ref in opened(origin).refs()}
    assert refs["release/1.0"].head is None
    assert "no commit" in refs["release/1.0"].problem
    assert refs["main"].head
    assert not opened(origin).bring_commit(lost)


def test_configuration_of_the_clone_runs_nothing(
    origin: Path, opened: Open, run_git: Git, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(trap, hooks / name)
    for key in ("core.fsmonitor", "core.pager", "core.alternateRefsCommand", "core.sshCommand"):
        run_git(origin, "config", key, str(trap))
    run_git(origin, "config", "core.hooksPath", str(hooks))
    (tmp_path / "sprung").unlink(missing_ok=True)
    assert content(opened(origin), "main") == b"one = 1\n"
    assert not (tmp_path / "sprung").exists()


def test_a_clone_in_sha256_is_read(opened: Open, run_git: Git, tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256", "new")
    run_git(tmp_path / "new", "commit", "-q", "--allow-empty", "-m", "one")
    (ref,) = opened(tmp_path / "new").refs()
    assert ref.head == run_git(tmp_path / "new", "rev-parse", "main")


def test_names_of_odd_commits_never_reach_git(origin: Path, opened: Open) -> None:
    upstream = opened(origin)
    assert not any(map(upstream.bring_commit, ["main", "-h", "HEAD", "0" * 40, "0" * 40 + "\n", ""]))
    (gone,) = upstream.recall(["--help"])
    assert gone.missing


@pytest.mark.parametrize("spec", ["", " ", "-x", "a\nb"])
def test_what_is_no_spec_stops(opened: Open, spec: str) -> None:
    with pytest.raises(BotError, match="no upstream"):
        opened(spec)


def test_a_path_that_is_no_repository_stops(opened: Open, origin: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    for path, sentence in (
        (tmp_path / "nothing", "no directory"),
        (tmp_path / "plain", "no git repository"),
        (origin / "pkg", "no git repository"),
    ):
        with pytest.raises(BotError, match=sentence) as caught:
            opened(path)
        assert caught.value.hint


def test_the_real_upstream_is_listed_and_not_touched(opened: Open) -> None:
    place = os.environ.get("UPSTREAM_BOT_UPSTREAM", "")
    if not place or not Path(place).is_dir():
        pytest.skip("UPSTREAM_BOT_UPSTREAM names no local clone of NVIDIA/Megatron-LM")
    before = fingerprint(Path(place))
    upstream = opened(place)
    refs = upstream.refs()
    assert len(refs) > 400
    assert [ref.problem for ref in refs if ref.problem] == []
    (main,) = upstream.find(["main"], [])
    assert upstream.bring_commit(main.head or "")
    assert fingerprint(Path(place)) == before
