"""Git verbs on real repositories: the trees that we make are those that git makes."""

import subprocess
from pathlib import Path

import pytest

from bot import git
from bot.errors import BotError

FILES = {"a.txt": "a\n", "lib/b.py": "b\n", "lib/deep/c.py": "c\n", "lib.py": "l\n", "run.sh": "r\n"}


@pytest.fixture(params=["sha1", "sha256"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> git.Repo:
    """A repository with one commit of FILES, in both object formats."""
    run(tmp_path, "init", "--quiet", f"--object-format={request.param}")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "run.sh").chmod(0o755)
    run(tmp_path, "add", "--all")
    run(tmp_path, "commit", "--quiet", "--message", "start")
    return git.Repo(path=tmp_path / ".git")


def run(place: Path, *args: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(
        ["git", "-C", str(place), *identity, *args], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    "changes",
    [
        {"a.txt": "A\n"},
        {"lib/deep/c.py": "C\n"},
        {"lib/b.py": "B\n", "lib/deep/c.py": "C\n", "run.sh": "R\n"},
        {},
    ],
    ids=["at the root", "deep", "several, one executable", "nothing"],
)
def test_a_tree_with_other_blobs_is_what_git_makes_of_them(repo: git.Repo, changes: dict[str, str]) -> None:
    place = repo.path.parent
    tree = run(place, "rev-parse", "HEAD^{tree}")
    blobs = {path: git.write_blob(repo, text.encode()) for path, text in changes.items()}
    (made,) = git.trees_with(repo, [(tree, blobs)])
    for path, text in changes.items():
        (place / path).write_text(text)
    run(place, "add", "--all")
    assert made == run(place, "write-tree")
    assert {entry.path: entry.mode for entry in git.list_files(repo, made)}["run.sh"] == "100755"


def test_a_path_that_is_not_in_the_tree_is_refused(repo: git.Repo) -> None:
    tree = run(repo.path.parent, "rev-parse", "HEAD^{tree}")
    blob = git.write_blob(repo, b"x")
    for path in ("none.txt", "lib/none.py", "nowhere/none.py"):
        with pytest.raises(BotError, match="is not in the tree"):
            git.trees_with(repo, [(tree, {path: blob})])


def test_look_ups_say_none_for_what_is_not_there(repo: git.Repo) -> None:
    found = git.look_up(repo, ["HEAD:a.txt", "HEAD:none", "HEAD:lib"])
    assert found["HEAD:none"] is None
    assert [entry.kind for entry in found.values() if entry] == ["blob", "tree"]


def test_variables_of_a_hook_do_not_lead_git_elsewhere(
    repo: git.Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert git.must(repo, "rev-parse", "--verify", "HEAD").text == run_there(repo)


def run_there(repo: git.Repo) -> str:
    return (repo.path / "refs" / "heads" / head(repo)).read_text().strip()


def head(repo: git.Repo) -> str:
    return (repo.path / "HEAD").read_text().strip().removeprefix("ref: refs/heads/")
