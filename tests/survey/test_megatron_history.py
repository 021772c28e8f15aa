"""What later commits make of the real file: the state each time, and the commit that is to blame."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FILE = "megatron/core/transformer/cuda_graphs.py"
MOVED = "megatron/core/transformer/graph_capture.py"
ARG, TEN = "{arg.dtype}", "{ten.dtype}"


class Copy:
    """A bare copy of the local clone that borrows its objects, with branches of our own on top of main."""

    def __init__(self, place: Path, clone: Path) -> None:
        self.place = place
        self.run("init", "--quiet", "--bare", str(place))
        (place / "objects/info/alternates").write_text(f"{clone.absolute()}/objects\n", encoding="utf-8")
        self.main = subprocess.run(
            ["git", f"--git-dir={clone}", "rev-parse", "refs/heads/main"],
            capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        self.text = self.run("cat-file", "blob", f"{self.main}:{FILE}")

    def run(self, *args: str, data: str = "", **env: str) -> str:
        git = ["git", f"--git-dir={self.place}"] if args[0] != "init" else ["git"]
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in {"NAME": "A", "EMAIL": "a@example.org", "DATE": "@1790000000 +0000"}.items()
        }
        done = subprocess.run(
            [*git, *args], input=data.encode(), env=os.environ | who | env, capture_output=True, check=True
        )
        return done.stdout.decode("utf-8", "surrogateescape")

    def commit(self, parent: str, files: Mapping[str, str | None], subject: str) -> str:
        """Commit whole texts (None removes a file) on a parent."""
        index = {"GIT_INDEX_FILE": str(self.place / "index-of-a-test")}
        self.run("read-tree", parent, **index)
        for path, text in files.items():
            if text is None:
                self.run("update-index", "--index-info", data=f"0 {'0' * 40}\t{path}\n", **index)
                continue
            blob = self.run("hash-object", "-w", "--stdin", data=text).strip()
            self.run("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}", **index)
        tree = self.run("write-tree", **index).strip()
        return self.run("commit-tree", "-p", parent, "-m", subject, tree).strip()

    def branch(
        self, name: str, *steps: Mapping[str, str | None], subject: str = "Change it (#{})"
    ) -> list[str]:
        """A branch with one commit for each step, on top of main; the commits in order."""
        made = [self.main]
        for number, files in enumerate(steps, start=1):
            made.append(self.commit(made[-1], files, subject.format(100 + number)))
        self.run("update-ref", f"refs/heads/{name}", made[-1])
        return made[1:]

    def survey(self, cache: Path, *args: str) -> dict[str, Any]:
        """The rows by name, from the command line."""
        command = [
            sys.executable,
            "-m",
            "bot",
            "survey",
            "make-weakref",
            "--upstream",
            str(self.place),
            "--json",
        ]
        environment = os.environ | {"UPSTREAM_BOT_CACHE": str(cache)}
        done = subprocess.run([*command, *args], cwd=ROOT, env=environment, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr.decode()
        rows: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
        return {row["name"]: row for row in rows}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    place = os.environ.get("UPSTREAM_BOT_UPSTREAM", "")
    if not place or not Path(place, "objects").is_dir():
        pytest.skip("UPSTREAM_BOT_UPSTREAM names no bare clone of NVIDIA/Megatron-LM")
    return Copy(tmp_path / "copy.git", Path(place))


@pytest.fixture
def seen(copy: Copy, tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    def look(name: str) -> dict[str, Any]:
        row: dict[str, Any] = copy.survey(tmp_path / "cache", "--branch", name)[name]
        return row

    return look


Seen = Callable[[str], dict[str, Any]]


def handler(text: str) -> str:
    """The lines of the handler's warning and what follows it, up to the return."""
    found = re.search(r"    except RuntimeError.*?\n    return wr\n", text, re.DOTALL)
    assert found
    return found[0]


def fixed(text: str) -> str:
    """Both lines of the fix, written here by its description."""
    old = handler(text)
    close = old.rindex(")\n")
    new = old[: close + 2] + "        wr = ten\n" + old[close + 2 :]
    return text.replace(old, new.replace(ARG, TEN))


def only_second(text: str) -> str:
    return fixed(text).replace(TEN, ARG)


def test_p10_a_fix_squashed_with_other_work_is_there(copy: Copy, seen: Seen) -> None:
    copy.branch("squashed", {FILE: "# other work\n" + fixed(copy.text), "other.txt": "more\n"})
    assert seen("squashed")["state"] == "upstream_identical"


def test_p15_one_line_of_two_is_partial(copy: Copy, seen: Seen) -> None:
    copy.branch("first", {FILE: copy.text.replace(ARG, TEN)})
    copy.branch("second", {FILE: only_second(copy.text)})
    for name in ("first", "second"):
        row = seen(name)
        assert (row["state"], row["detail"]) == (
            "upstream_partial",
            "1 of 2 changed lines is already in make_weakref",
        )


def test_a_fix_in_other_words_is_no_textual_cure(copy: Copy, seen: Seen) -> None:
    old = handler(copy.text)
    close = old.rindex(")\n")
    new = (old[: close + 2] + "        return ten\n" + old[close + 2 :]).replace(ARG, TEN)
    (commit,) = copy.branch("words", {FILE: copy.text.replace(old, new)})
    row = seen("words")
    assert row["state"] in {"upstream_partial", "conflicts"}
    assert row["state"] == "upstream_partial" or row["blame"]["commit"] == commit


def test_p16_what_landed_and_was_reverted_is_loud_and_names_both_commits(copy: Copy, seen: Seen) -> None:
    landed, reverted, _ = copy.branch(
        "reverted", {FILE: fixed(copy.text)}, {FILE: copy.text}, {"other.txt": "later\n"}
    )
    row = seen("reverted")
    assert (row["state"], row["overlay"]) == ("applies_exact", "reverted_upstream")
    assert row["blame"] == {"commit": reverted, "number": 102, "date": row["blame"]["date"]}
    assert landed[:12] in row["detail"]
    assert reverted[:12] in row["detail"]


def test_a_renamed_function_is_not_affected_anymore_since_that_commit(copy: Copy, seen: Seen) -> None:
    renamed = copy.text.replace("make_weakref", "weak_reference_of")
    commit, _ = copy.branch("renamed", {FILE: renamed}, {FILE: "# later\n" + renamed})
    row = seen("renamed")
    assert row["state"] == "not_affected_anymore"
    assert (row["blame"]["commit"], row["blame"]["number"]) == (commit, 101)


def test_p5_a_function_that_moved_to_another_file_conflicts_and_its_home_is_named(
    copy: Copy, seen: Seen
) -> None:
    start = copy.text.index("def make_weakref")
    end = start + re.search(r"\n    return wr\n", copy.text[start:]).end()  # type: ignore[union-attr]
    (commit,) = copy.branch("moved", {FILE: copy.text[:start] + copy.text[end:], MOVED: copy.text[start:end]})
    row = seen("moved")
    assert row["state"] == "conflicts"
    assert row["detail"].endswith(f"make_weakref is in {MOVED} now")
    assert row["blame"]["commit"] == commit


def test_a_renamed_file_takes_the_patch_by_a_merge_that_follows_it(copy: Copy, seen: Seen) -> None:
    copy.branch("file", {FILE: None, MOVED: copy.text})
    row = seen("file")
    assert row["state"] == "applies_merged"
    assert f"{FILE} is {MOVED} now" in row["detail"]
    assert row["patched_blob"] == copy.run("hash-object", "--stdin", data=fixed(copy.text)).strip()
    assert row["hunks"][0]["file"] == MOVED


def test_p6_a_duplicated_block_whose_own_copy_was_rewritten_is_never_patched(copy: Copy, seen: Seen) -> None:
    start = copy.text.index("def make_weakref")
    end = start + re.search(r"\n    return wr\n", copy.text[start:]).end()  # type: ignore[union-attr]
    block = copy.text[start:end]
    twin = block.replace("make_weakref", "make_weakref_again")
    rewritten = block.replace(handler(block), "    except RuntimeError:\n        raise\n    return wr\n")
    copy.branch("twin", {FILE: copy.text[:start] + rewritten + "\n\n" + twin + copy.text[end:]})
    assert seen("twin")["state"] == "ambiguous"


def test_p7_a_re_indented_block_conflicts_since_that_commit(copy: Copy, seen: Seen) -> None:
    old = handler(copy.text)
    deeper = "".join(f"    {line}" for line in old.splitlines(keepends=True))
    start = copy.text.index("    try:\n", copy.text.index("def make_weakref"))
    body = copy.text[start : copy.text.index(old)]
    shifted = "    if True:\n" + "".join(
        f"    {line}" if line.strip() else line for line in body.splitlines(True)
    )
    text = copy.text.replace(body + old, shifted + deeper)
    compile(text, FILE, "exec")
    (commit,) = copy.branch("indented", {FILE: text})
    row = seen("indented")
    assert (row["state"], row["blame"]["commit"]) == ("conflicts", commit)


def test_a_file_with_other_line_ends_conflicts_since_that_commit(copy: Copy, seen: Seen) -> None:
    commit, _ = copy.branch("crlf", {FILE: copy.text.replace("\n", "\r\n")}, {"other.txt": "x\n"})
    row = seen("crlf")
    assert (row["state"], row["blame"]["commit"]) == ("conflicts", commit)


def test_p35_a_branch_that_was_force_pushed_is_told_once(copy: Copy, seen: Seen) -> None:
    (old,) = copy.branch("pushed", {"a.txt": "1\n"})
    assert seen("pushed")["state"] == "applies_exact"
    copy.branch("pushed", {"a.txt": "1\n"}, {"a.txt": "2\n"})
    assert seen("pushed")["state"] == "applies_exact"
    copy.branch("pushed", {"b.txt": "1\n"})
    row = seen("pushed")
    assert row["state"] == "branch_rewritten"
    assert old[:12] not in row["detail"]
    assert "applies_exact today" in row["detail"]
    assert seen("pushed")["state"] == "applies_exact"


@pytest.mark.usefixtures("copy")
def test_all_branches_are_read_and_the_clone_is_as_it_was(tmp_path: Path) -> None:
    clone = Path(os.environ["UPSTREAM_BOT_UPSTREAM"])
    before = {path: path.stat().st_mtime_ns for path in clone.rglob("*")}
    command = [sys.executable, "-m", "bot", "survey", "make-weakref", "--upstream", str(clone), "--json"]
    environment = os.environ | {"UPSTREAM_BOT_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    made = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, b"")
    assert made["counts"] == {"not_affected_yet": 248, "not_affected_anymore": 1, "applies_exact": 178}
    (gone,) = [row for row in made["rows"] if row["state"] == "not_affected_anymore"]
    assert gone["name"] == "main2dev/02_07_2026"
    assert gone["blame"]["commit"].startswith("e2dce1eb29")
    assert {path: path.stat().st_mtime_ns for path in clone.rglob("*")} == before
