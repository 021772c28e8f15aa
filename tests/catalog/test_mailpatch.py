"""What a mail patch may be, tried on patches that git itself made."""

import contextlib
import hashlib
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.catalog import mailpatch
from bot.catalog.diff import PatchProblem

TEXT = "".join(f"line {number}\n" for number in range(1, 31))
IDENTITY = ("-c", "user.name=Änne Beispiel", "-c", "user.email=a@example.invalid", "-c", "core.hooksPath=")


class Scratch:
    """A real repository: `made` commits a change and gives git's own patch of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")
        (root / "src").mkdir()
        (root / "src" / "a.py").write_text(TEXT)
        (root / "VERSION").write_text("1\n")
        self.commit("base")

    def git(self, *args: str) -> bytes:
        argv = ("git", *IDENTITY, *args)
        # Nobody's own git settings (signing, say) may change what git makes here.
        own = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(argv, cwd=self.root, check=True, capture_output=True, env=own).stdout

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def made(self, *options: str, message: str = "fix: a thing\n\nBecause.") -> bytes:
        self.commit(message)
        return self.git("format-patch", "-1", "--stdout", *(options or ("--full-index",)))

    def edit(self, *numbers: int) -> None:
        path = self.root / "src" / "a.py"
        lines = path.read_text().splitlines(keepends=True)
        for number in numbers:
            lines[number - 1] = f"changed {number}\n"
        path.write_text("".join(lines))


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)


def refusal(data: bytes) -> str:
    with pytest.raises(PatchProblem) as caught:
        mailpatch.parse(data)
    assert 1 <= caught.value.line <= data.count(b"\n") + 2
    return caught.value.why


def test_gits_own_patch_is_read_whole(scratch: Scratch) -> None:
    scratch.edit(10, 25)
    (change,) = mailpatch.parse(scratch.made())
    assert change.path == "src/a.py"
    assert change.old_blob == scratch.git("rev-parse", "HEAD~1:src/a.py").decode().strip()
    assert change.new_blob == scratch.git("rev-parse", "HEAD:src/a.py").decode().strip()
    assert [(hunk.old_start, hunk.old_count, hunk.new_start) for hunk in change.hunks] == [
        (7, 7, 7),
        (22, 7, 22),
    ]
    assert change.hunks[0].lines[3:5] == (b"-line 10\n", b"+changed 10\n")


def test_hunks_at_both_ends_of_a_file_have_the_context_that_is_there(scratch: Scratch) -> None:
    scratch.edit(1, 30)
    (change,) = mailpatch.parse(scratch.made())
    assert [hunk.old_start for hunk in change.hunks] == [1, 27]


def test_a_file_of_one_line_needs_no_context(scratch: Scratch) -> None:
    (scratch.root / "VERSION").write_text("2\n")
    (change,) = mailpatch.parse(scratch.made())
    assert change.hunks[0].lines == (b"-1\n", b"+2\n")


def test_a_file_that_is_emptied_starts_at_line_zero_afterwards(scratch: Scratch) -> None:
    (scratch.root / "VERSION").write_text("")
    (change,) = mailpatch.parse(scratch.made())
    assert (change.hunks[0].new_start, change.hunks[0].new_count) == (0, 0)


def test_a_missing_last_line_feed_is_kept_missing(scratch: Scratch) -> None:
    (scratch.root / "VERSION").write_text("2")
    (change,) = mailpatch.parse(scratch.made())
    assert change.hunks[0].lines == (b"-1\n", b"+2")


def test_several_files_and_names_with_blanks_are_read(scratch: Scratch) -> None:
    (scratch.root / "two words.txt").write_text(TEXT)
    scratch.commit("add")
    scratch.edit(10)
    (scratch.root / "two words.txt").write_text(TEXT + "more\n")
    changes = mailpatch.parse(scratch.made())
    assert [change.path for change in changes] == ["src/a.py", "two words.txt"]


def test_a_file_with_crlf_lines_of_its_own_is_no_damage(scratch: Scratch) -> None:
    path = scratch.root / "dos.txt"
    path.write_bytes(b"a\r\n-- b\r\nc\r\n")
    scratch.commit("add")
    path.write_bytes(b"a\r\nc\r\n")
    (change,) = mailpatch.parse(scratch.made())
    assert b"--- b\r\n" in change.hunks[0].lines


def test_a_deleted_line_that_looks_like_the_mails_signature_is_content(scratch: Scratch) -> None:
    path = scratch.root / "list.txt"
    path.write_text("a\n- \nb\n")
    scratch.commit("add")
    path.write_text("a\nb\n")
    (change,) = mailpatch.parse(scratch.made())
    assert change.hunks[0].lines[1] == b"-- \n"


def test_rules_and_diffs_in_the_message_are_message(scratch: Scratch) -> None:
    scratch.edit(10)
    message = "fix: a thing\n\ndiff --git a/x b/x\n\n---\n\ndiff --git a/y b/y\n@@ -1 +1 @@\n-old\n+new"
    data = scratch.made(message=message)
    assert [change.path for change in mailpatch.parse(data)] == ["src/a.py"]
    assert mailpatch.header(data).body == message.partition("\n\n")[2]


def test_a_rule_in_the_message_leaves_all_of_it_with_its_trailers(scratch: Scratch) -> None:
    scratch.edit(10)
    message = "fix: a thing\n\nBecause.\n---\nMore.\n\nSigned-off-by: A <a@example.invalid>"
    data = scratch.made(message=message)
    assert mailpatch.header(data).body == message.partition("\n\n")[2]
    assert mailpatch.cut(data) == data.split(b"\n").index(b"---") + 1
    plain = data.replace(b"\n---\nMore", b"\n ---\nMore")
    assert mailpatch.cut(plain) is None


@pytest.mark.parametrize("line", ["diff -u a b", "Index: a", "--- a.py"])
def test_lines_at_which_git_am_would_cut_a_message_are_found(scratch: Scratch, line: str) -> None:
    scratch.edit(10)
    data = scratch.made(message=f"fix: a thing\n\nBecause.\n{line}\nMore.")
    assert mailpatch.cut(data) == data.split(b"\n").index(line.encode()) + 1


@pytest.mark.parametrize(
    "value", ["(" * 3000, '"' * 3000, "=?x?b?=?=", "a:b," * 700, "((" * 300 + "))" * 300]
)
def test_a_hostile_header_ends_in_a_problem_or_a_value_soon(scratch: Scratch, value: str) -> None:
    scratch.edit(10)
    data = scratch.made()
    start = time.monotonic()
    for name in (b"From: ", b"Date: ", b"Subject: ", b"Content-Type: ", b"Content-Transfer-Encoding: "):
        with contextlib.suppress(PatchProblem):
            mailpatch.header(data.replace(b"\nDate: ", b"\n" + name + value.encode() + b"\nDate: "))
    assert time.monotonic() - start < 5
    with pytest.raises(PatchProblem, match="header is larger"):
        mailpatch.header(data.replace(b"\nDate: ", b"\nX: " + b"x" * 5000 + b"\nDate: "))


def test_a_megabyte_of_rules_is_read_in_one_pass(scratch: Scratch) -> None:
    scratch.edit(10)
    data = scratch.made().replace(b"\nBecause.", b"\n---" * 250_000)
    start = time.monotonic()
    assert mailpatch.parse(data)
    assert time.monotonic() - start < 5


def test_a_patch_without_overview_is_cut_at_its_first_rule(scratch: Scratch) -> None:
    scratch.edit(10)
    head, _, rest = scratch.made().partition(b"---\n")
    data = head + b"---\n" + rest[rest.index(b"diff --git ") :]
    assert mailpatch.parse(data)[0].path == "src/a.py"
    assert "without --no-stat" in refusal(data.replace(b"---\n", b"\n"))


def test_the_header_is_decoded(scratch: Scratch) -> None:
    scratch.edit(10)
    header = mailpatch.header(scratch.made(message="fix: schön\n\nBecause: ß."))
    assert header.author == "Änne Beispiel <a@example.invalid>"
    assert header.subject == "fix: schön"
    assert header.body == "Because: ß."
    assert header.date


def test_p39_a_patch_with_fewer_than_three_lines_of_context_is_refused(scratch: Scratch) -> None:
    for numbers in ((10,), (1,), (30,), (1, 20)):
        scratch.edit(*numbers)
        data = scratch.made("--full-index", "-U0")
        scratch.git("reset", "-q", "--hard", "HEAD~1")
        assert "context" in refusal(data)
    scratch.edit(10)
    assert "context" in refusal(scratch.made("--full-index", "-U2"))


def test_p39_an_insertion_without_context_is_refused(scratch: Scratch) -> None:
    (scratch.root / "src" / "a.py").write_text("new\n" + TEXT)
    assert "context" in refusal(scratch.made("--full-index", "-U0"))


def test_abbreviated_blob_ids_are_refused(scratch: Scratch) -> None:
    scratch.edit(10)
    assert "abbreviated" in refusal(scratch.made("--no-signature"))


def link(scratch: Scratch) -> None:
    (scratch.root / "way").symlink_to("/etc")


def to_link(scratch: Scratch) -> None:
    (scratch.root / "VERSION").unlink()
    (scratch.root / "VERSION").symlink_to("/etc")


def relink(scratch: Scratch) -> None:
    link(scratch)
    scratch.commit("a link")
    (scratch.root / "way").unlink()
    (scratch.root / "way").symlink_to("/usr")


def submodule(scratch: Scratch) -> None:
    scratch.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    scratch.git("commit", "-q", "-m", "sub")
    scratch.git("update-index", "--cacheinfo", f"160000,{'2' * 40},sub")
    (scratch.root / "sub").mkdir()


def renamed(scratch: Scratch) -> None:
    scratch.git("mv", "src/a.py", "src/b.py")


def binary(scratch: Scratch) -> None:
    (scratch.root / "VERSION").write_bytes(b"\0\1\2")


def executable(scratch: Scratch) -> None:
    (scratch.root / "VERSION").chmod(0o755)


def created(scratch: Scratch) -> None:
    (scratch.root / "new.py").write_text("x = 1\n")


def deleted(scratch: Scratch) -> None:
    (scratch.root / "VERSION").unlink()


def workflow(scratch: Scratch) -> None:
    path = scratch.root / ".github" / "workflows" / "x.yml"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    scratch.commit("add")
    path.write_text(TEXT + "more\n")


def quoted(scratch: Scratch) -> None:
    (scratch.root / "ä.txt").write_text("1\n")
    scratch.commit("add")
    (scratch.root / "ä.txt").write_text("2\n")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(link, "a symbolic link is not carried", id="P26-new-symlink"),
        pytest.param(relink, "a symbolic link is not carried", id="P26-changed-symlink"),
        pytest.param(to_link, "a deleted file is not carried", id="P26-file-becomes-symlink"),
        pytest.param(renamed, "a rename or copy is not carried", id="rename"),
        pytest.param(binary, "a binary patch is not carried", id="binary"),
        pytest.param(executable, "a change of mode is not carried", id="mode"),
        pytest.param(created, "a new file is not carried", id="new-file"),
        pytest.param(deleted, "a deleted file is not carried", id="deleted-file"),
        pytest.param(workflow, "workflows and settings of the host are never carried", id="C54-workflow"),
        pytest.param(quoted, "a quoted path is not carried", id="quoted-path"),
    ],
)
def test_what_is_more_than_a_change_of_text_is_refused(
    scratch: Scratch, change: Callable[[Scratch], None], why: str
) -> None:
    change(scratch)
    data = scratch.made()
    assert refusal(data).endswith(why)


def test_p27_c54_a_moved_submodule_is_refused(scratch: Scratch) -> None:
    submodule(scratch)
    scratch.git("commit", "-q", "-m", "move it")
    data = scratch.git("format-patch", "-1", "--stdout", "--full-index")
    assert refusal(data) == "a submodule is not carried"


def test_a_mail_without_author_or_with_unknown_letters_has_no_header(scratch: Scratch) -> None:
    scratch.edit(10)
    data = scratch.made(message="fix: a thing\n\nß")
    with pytest.raises(PatchProblem, match="no Date line"):
        mailpatch.header(data.replace(b"\nDate: ", b"\nDote: "))
    with pytest.raises(PatchProblem, match="character set"):
        mailpatch.header(data.replace(b"charset=UTF-8", b"charset=nonsense"))


def test_whole_file_context_is_believed_only_by_its_blob_id(scratch: Scratch) -> None:
    (scratch.root / "VERSION").write_text("2\n")
    data = scratch.made()
    other = hashlib.sha1(b"another file", usedforsecurity=False).hexdigest().encode()
    (change,) = mailpatch.parse(data)
    assert "context" in refusal(data.replace(change.old_blob.encode(), other))
