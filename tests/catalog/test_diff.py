"""What a damaged patch is told, tried on spoilt copies of the real one."""

from pathlib import Path

import pytest

from bot.catalog import mailpatch
from bot.catalog.diff import PatchProblem

FOLDER = Path(__file__).parents[2] / "patches" / "make-weakref" / "v1"
REAL = next(FOLDER.glob("0001-*.patch")).read_bytes()
PATH = b"megatron/core/transformer/cuda_graphs.py"
OLD, NEW = b"a487543b7d7c9eb8a4f5ea8445b1ee3d94aeb76e", b"9d9d01aa5f272a774e1141d34f9114f94c7e77c7"
HEAD = b"@@ -478,9 +478,10 @@"
ADDED = b"+        wr = ten\n"


def refusal(data: bytes) -> str:
    with pytest.raises(PatchProblem) as caught:
        mailpatch.parse(data)
    assert 1 <= caught.value.line <= data.count(b"\n") + 2
    return caught.value.why


def spoilt(old: bytes, new: bytes) -> bytes:
    assert old in REAL
    return REAL.replace(old, new)


def test_the_real_patch_is_not_refused() -> None:
    assert mailpatch.parse(REAL)[0].path == PATH.decode()


def test_p2_a_patch_with_changed_line_ends_says_so() -> None:
    assert "changed line ends (CRLF)" in refusal(spoilt(b"\n", b"\r\n"))


@pytest.mark.parametrize(
    "path",
    ["../x.py", "/src/x.py", ".git/config", ".GIT/config", "GIT~1/config", ".git./x", "-x.py", "s/./a"],
)
def test_p25_b45_a_patch_whose_path_leads_elsewhere_is_refused(path: str) -> None:
    assert "is not carried" in refusal(spoilt(PATH, path.encode()))


def test_c54_a_patch_of_owners_or_submodules_is_refused() -> None:
    assert "who owns what" in refusal(spoilt(PATH, b"docs/CODEOWNERS"))
    assert "submodules are never carried" in refusal(spoilt(PATH, b".gitmodules"))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (HEAD, b"@@ -478,9 +478,11 @@", "ends too early"),
        (HEAD, b"@@ -478,10 +478,11 @@", "ends too early"),
        (HEAD, b"@@ -478,8 +478,9 @@", "counts"),
        (HEAD, b"@@ -478,9 +478,9 @@", "counts"),
        (HEAD, b"@@ -478,9 +479,10 @@", "starts"),
        (HEAD, b"@@ -0,0 +478,10 @@", "counts"),
        (HEAD, b"@@ 478 @@", "no hunk header"),
        (ADDED, ADDED + b"+more\n", "counts"),
        (ADDED, b"", "ends too early"),
        (b" \n     return wr\n", b"\n     return wr\n", "blanks were lost"),
        (b"+++ b/", b"+++ c/", "this is not the +++ line"),
        (b" b/" + PATH + b"\nindex", b" b/other.py\nindex", "the two names differ"),
        (b"diff --git a/" + PATH, b'diff --git "a/' + PATH + b'"', "a quoted path is not carried"),
        (b"diff --git a/" + PATH, b"diff --git a/\xff" + PATH, "a path is not UTF-8"),
        (b" 100644\n", b"\n", "only changes of plain files"),
        (b" 100644\n", b" 120000\n", "a symbolic link is not carried"),
        (b" 100644\n", b" 160000\n", "a submodule is not carried"),
        (NEW, b"0" * 40, "only changes of plain files"),
        (NEW, b"9d9d01aa", "abbreviated"),
        (NEW, OLD, "the same"),
        (b"index ", b"index: ", "blob ids are missing"),
        (b"index ", b"new mode 100755\nindex ", "a change of mode is not carried"),
        (b"From 0", b"Form 0", "no git mail patch"),
        (b"---\n", b"\n", "no --- line"),
        (b"diff --git ", b"diff ", "belongs to no file"),
        (ADDED, ADDED + b"\\ No newline at end of file\n", "said to be the file's last"),
    ],
)  # fmt: skip
def test_a_damaged_patch_is_refused(old: bytes, new: bytes, why: str) -> None:
    assert why in refusal(spoilt(old, new))


def test_a_file_without_a_hunk_is_refused() -> None:
    assert "has no hunk" in refusal(REAL[: REAL.index(HEAD)])


def test_only_gits_signature_may_follow_the_diff() -> None:
    assert mailpatch.parse(REAL.rstrip(b"\n") + b"\n-- \n2.39.5\n\n") == mailpatch.parse(REAL)
    assert "belongs to no file" in refusal(REAL + b"more\n")


def test_the_same_file_twice_is_refused() -> None:
    diff = REAL.rstrip(b"\n") + b"\n"
    assert "in two places" in refusal(diff + diff[diff.index(b"diff --git ") :])


def test_a_hunk_after_the_one_that_ends_the_file_is_refused() -> None:
    diff = REAL.rstrip(b"\n") + b"\n"
    more = diff[diff.index(b"@@ ") :].replace(b"478", b"978").replace(b"+978", b"+979")
    assert mailpatch.parse(diff + more)
    assert "a hunk follows" in refusal(diff + b"\\ No newline at end of file\n" + more)


def test_after_a_problem_the_other_files_are_looked_at() -> None:
    diff = REAL[REAL.index(b"diff --git ") :].rstrip(b"\n") + b"\n"
    other = diff.replace(PATH, b"other.py")
    content = mailpatch.examine(REAL.rstrip(b"\n") + b"\nlost\n" + other + diff.replace(PATH, b"/etc/x"))
    assert list(content.changes) == [PATH.decode(), "other.py"]
    assert ["belongs to no file" in one.why for one in content.problems] == [True, False]
    assert content.lines[PATH.decode()] == REAL[: REAL.index(b"diff --git ")].count(b"\n") + 1


def test_a_patch_of_problems_only_is_read_for_the_first_fifty() -> None:
    assert len(mailpatch.examine(REAL + b"diff --git a/x b/x\n" * 1000).problems) == 50


def test_hunks_that_overlap_are_refused() -> None:
    diff = REAL.rstrip(b"\n") + b"\n"
    assert "overlap" in refusal(diff + diff[diff.index(b"@@ ") :])


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_an_empty_patch_is_refused(data: bytes) -> None:
    assert refusal(data) == "the patch is empty"


def test_a_patch_that_ends_early_is_refused() -> None:
    assert refusal(REAL[: REAL.index(b"diff --git ")]) == "the patch holds no diff"
    assert "no hunk" in refusal(REAL[: REAL.index(b"@@ ")])
    assert "ends too early" in refusal(REAL[: REAL.index(ADDED)])
    assert "cut off" in refusal(REAL[: REAL.index(ADDED) + 2])
