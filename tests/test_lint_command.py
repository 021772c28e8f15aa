"""`lint` from the command line: every patch's problems with their lines, beside what git itself would do."""

import subprocess
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot import catalog
from bot.errors import Exit
from tests.conftest import BROKEN, FILE, Workshop

MAIL = "v1/0001-till.patch"
ZERO, ONE = b"0" * 40, b"1" * 40
REAL = Path(__file__).parents[1] / "patches"


class Shelf:
    """A workshop whose patch `till` is copied, spoilt and pinned again under other names."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self.till = workshop.patch()
        self.mail = (self.till / MAIL).read_bytes()
        self.upstream = workshop.upstream

    def put(self, name: str, mail: bytes, manifest: Mapping[str, str] = {}) -> Path:
        """Put a patch there with this mail, pinned, and a manifest with some words replaced."""
        folder = self.workshop.patches / name
        (folder / "v1").mkdir(parents=True)
        (folder / MAIL).write_bytes(mail)
        text = (self.till / "patch.yml").read_text()
        words = {"id: till\n": f"id: {name}\n", digest(self.mail): digest(mail)} | dict(manifest)
        for old, new in words.items():
            assert old in text, old
            text = text.replace(old, new)
        (folder / "patch.yml").write_text(text)
        return folder

    def spoilt(self, old: bytes, new: bytes) -> bytes:
        assert old in self.mail, old
        return self.mail.replace(old, new)

    def with_diff(self, diff: bytes) -> bytes:
        """The mail with another diff below its message."""
        return self.mail[: self.mail.index(b"diff --git ")] + diff

    def git(self, *args: str, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        """Run git in the upstream's working tree, whatever comes out."""
        return subprocess.run(["git", *args], cwd=self.upstream, input=data, capture_output=True, check=False)

    def lint(self, *names: str) -> dict[str, Any]:
        """Run `lint --json`, and look at the upstream before and after: a linter writes nothing."""
        before = snapshot(self.workshop.root)
        done = self.workshop.run("lint", *names, "--json")
        assert snapshot(self.workshop.root) == before
        told = {row["id"]: row for row in done.json["patches"]}
        assert done.code == (1 if any(row["problems"] for row in told.values()) else 0), done
        return told

    def refusals(self, name: str) -> list[tuple[int, str]]:
        """The problems of one patch as (line, why)."""
        return [(one["line"], one["why"]) for one in self.lint(name)[name]["problems"]]

    def refused(self, name: str, mail: bytes, why: str, at: bytes) -> None:
        """Hold that this mail is refused once, for a reason, at the line that begins with `at`."""
        self.put(name, mail)
        assert self.refusals(name) == [(line_of(mail, at), why)]


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def line_of(data: bytes, start: bytes) -> int:
    """Give the 1-based line that begins so; `start` may run on to later lines."""
    return data[: (b"\n" + data).index(b"\n" + start)].count(b"\n") + 1


def snapshot(root: Path) -> set[tuple[str, int, int]]:
    found: Iterator[Path] = (path for path in root.rglob("*") if "__pycache__" not in path.parts)
    return {(str(path), path.lstat().st_mtime_ns, path.lstat().st_size) for path in found}


@pytest.fixture
def shelf(workshop: Workshop) -> Shelf:
    return Shelf(workshop)


def created(path: bytes, mode: bytes = b"100644", text: bytes = b"evil") -> bytes:
    """A diff that makes a file."""
    head = b"diff --git a/%s b/%s\nnew file mode %s\nindex %s..%s\n" % (path, path, mode, ZERO, ONE)
    return head + b"--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+%s\n" % (path, text)


def test_the_patches_of_this_repository_are_not_refused(workshop: Workshop) -> None:
    done = workshop.run("lint", "--patches", str(REAL))
    assert (done.code, done.err) == (0, "")
    assert done.out == "make-weakref  v1  nothing is refused\n"


def test_each_patch_is_told_with_file_line_reason_and_hint_and_the_broken_ones_hide_nothing(
    shelf: Shelf,
) -> None:
    shelf.put("binary", shelf.with_diff(b"diff --git a/shop/x b/shop/x\nGIT binary patch\n"))
    (shelf.put("no-yaml", shelf.spoilt(b"+++ b/", b"+++ c/")) / "patch.yml").write_text("id: [\n")
    done = shelf.workshop.run("lint")
    assert (done.code, done.err) == (1, "")
    at = line_of(shelf.mail, b"diff --git ")
    out = done.out.splitlines()
    assert out[0] == f"patches/binary/{MAIL}:{at + 1}: a binary patch is not carried"
    assert out[1] == "  hint: leave this out: a patch changes the text of plain files that exist, and no more"
    assert "patches/no-yaml/patch.yml:2: this is no YAML" in done.out
    assert f"patches/no-yaml/{MAIL}:{at + 3}: this is not the +++ line of {FILE}" in done.out
    assert out[-1] == "till  v1  nothing is refused"


def test_the_json_has_the_documented_shape(shelf: Shelf) -> None:
    shelf.put("two", shelf.spoilt(b"Subject: ", b"Sabject: "))
    done = shelf.workshop.run("lint", "two", "--json")
    report = msgspec.json.decode(done.out, type=catalog.Report)
    assert (done.code, report.schema) == (1, "upstream-bot/lint/1")
    assert list(done.json) == ["schema", "patches"]
    (row,) = done.json["patches"]
    assert list(row) == ["id", "version", "problems", "notes"]
    assert (row["id"], row["version"]) == ("two", "v1")
    (problem,) = row["problems"]
    assert list(problem) == ["file", "line", "why", "hint"]
    assert (problem["file"], problem["why"]) == (MAIL, "the mail has no Subject line")
    assert str(shelf.workshop.root) not in done.out


@pytest.mark.parametrize("name", ["tilll", "../till", "", "till/"])
def test_an_unknown_patch_is_no_finding(shelf: Shelf, name: str) -> None:
    done = shelf.workshop.run("lint", "--", name)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"upstream-bot: unknown patch {name!r}\nhint: known: till\n"


def test_without_a_patches_folder_there_is_nothing_to_lint(workshop: Workshop) -> None:
    done = workshop.run("lint")
    assert (done.code, done.out) == (2, "")
    assert "no patches in patches" in done.err


def test_p2_changed_line_ends_are_told_with_their_reason(shelf: Shelf) -> None:
    crlf = shelf.mail.replace(b"\n", b"\r\n")
    (shelf.till / MAIL).write_bytes(crlf)
    pin, content = shelf.lint("till")["till"]["problems"]
    assert digest(crlf) in pin["why"]
    assert digest(shelf.mail) in pin["why"]
    assert pin["hint"].startswith("it was checked out with changed line ends (CRLF)")
    assert (content["line"], "CRLF" in content["why"]) == (1, True)
    assert shelf.git("apply", "--check", data=crlf).returncode != 0


#: Paths, and whether git 2.39.5 on Linux would write there: it knows nothing of other systems' habits.
SPELLINGS = [
    ("../x", False), ("a/../../x", False), ("/etc/x", False), (".git/x", False), (".GIT/x", False),
    ("GIT~1/x", False), ("git~1/x", False), (".git./x", False), (".git /x", False), (".Git. ./x", False),
    (".git::$INDEX_ALLOCATION/x", False), ("shop/../.git/x", False), ("shop//x", False), ("./x", False),
    ("shop/.git/x", False), ("shop/.", False), ("GIT~2/x", True), (".g\u200cit/x", True),
    ("shop/.g\ufeffit/x", True), ("C:/x", True), ("C:x", True), ("shop\\..\\..\\x", True),
    ("shop\\.git\\x", False), ("~/x", True), ("-x", True), ("shop/x:stream", True), ("shop/\x1b[2J", True),
    (".gitmodules", True), (".GitModules", True), ("GITMOD~1", True), ("gi7eba~1", True),
    (".github/workflows/x.yml", True), (".GITHUB/x", True), (".github./x", True), ("GITHUB~1/x", True),
    ("CODEOWNERS", True), ("docs/codeowners", True), ("docs/CODEOW~1", True),
]  # fmt: skip


def test_p25_paths_in_all_spellings_are_refused_also_where_git_would_write(shelf: Shelf) -> None:
    at = line_of(shelf.mail, b"diff --git ")
    for number, (path, _) in enumerate(SPELLINGS):
        shelf.put(f"edit-{number}", shelf.spoilt(FILE.encode(), path.encode()))
        shelf.put(f"make-{number}", shelf.with_diff(created(path.encode())))
    told = shelf.lint()
    for number, (path, _) in enumerate(SPELLINGS):
        for kind in ("edit", "make"):
            (problem,) = told[f"{kind}-{number}"]["problems"]
            assert problem["line"] == at, path
            assert "not carried" in problem["why"], path


def test_p25_what_git_does_with_these_paths_is_what_the_table_says(shelf: Shelf) -> None:
    for path, takes in SPELLINGS:
        done = shelf.git("apply", "--check", data=created(path.encode()))
        assert (done.returncode == 0) == takes, (path, done.stderr)


@pytest.mark.parametrize(
    "name",
    [
        b'"a/\\056git/config"',
        b'"a/../x"',
        b'"a/shop/till.py"',
        b"a/shop/till.py a/shop/till.py",
    ],
)
def test_p25_quoted_and_doubled_names_are_refused(shelf: Shelf, name: bytes) -> None:
    line = b"diff --git a/shop/till.py b/shop/till.py\n"
    mail = shelf.spoilt(line, b"diff --git " + name + b" " + name.replace(b"a/", b"b/") + b"\n")
    shelf.put("name", mail)
    ((at, _),) = shelf.refusals("name")
    assert at == line_of(mail, b"diff --git ")


@pytest.mark.parametrize("side", [b"--- a/", b"+++ b/"])
@pytest.mark.parametrize("other", [b".git/config", b"other.py", b"../shop/till.py", b"/dev/null"])
def test_p25_the_three_lines_that_name_a_file_must_agree(shelf: Shelf, side: bytes, other: bytes) -> None:
    mail = shelf.spoilt(side + b"shop/till.py", side + other)
    shelf.refused("names", mail, f"this is not the {side[:3].decode()} line of {FILE}", side)
    # git would write the file of the +++ line, and delete the other.
    takes = (side, other) == (b"+++ b/", b"other.py")
    assert (shelf.git("apply", "--check", data=mail).returncode == 0) == takes


def test_p26_a_symlink_is_refused_before_anything_is_written_through_it(shelf: Shelf) -> None:
    diff = created(b"shop/way", b"120000", b"..") + created(b"shop/way/evil")
    mail = shelf.with_diff(diff)
    shelf.put("link", mail)
    at = line_of(mail, b"diff --git ")
    assert shelf.refusals("link") == [
        (at + 1, "a symbolic link is not carried"),
        (at + 8, "a new file is not carried"),
    ]
    assert b"beyond a symbolic link" in shelf.git("apply", data=diff).stderr
    assert not (shelf.upstream / "evil").exists()


def test_p26_a_change_of_a_link_that_is_there_is_refused(shelf: Shelf) -> None:
    mail = shelf.spoilt(b" 100644\n", b" 120000\n")
    shelf.refused("link", mail, "a symbolic link is not carried", b"index ")


def test_p27_a_moved_submodule_which_gits_index_would_take_is_refused(shelf: Shelf) -> None:
    shelf.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},shop/sub")
    diff = b"diff --git a/shop/sub b/shop/sub\nindex %s..%s 160000\n--- a/shop/sub\n+++ b/shop/sub\n" % (
        ONE,
        b"2" * 40,
    ) + b"@@ -1 +1 @@\n-Subproject commit %s\n+Subproject commit %s\n" % (ONE, b"2" * 40)
    assert shelf.git("apply", "--cached", data=diff).returncode == 0
    assert b"2" * 40 in shelf.git("ls-files", "--stage", "shop/sub").stdout
    shelf.refused("sub", shelf.with_diff(diff), "a submodule is not carried", b"index ")


def test_p21_a_change_of_mode_that_git_applies_forward_and_back_is_refused(shelf: Shelf) -> None:
    diff = b"diff --git a/shop/till.py b/shop/till.py\nold mode 100644\nnew mode 100755\n"
    assert shelf.git("config", "core.fileMode", "false").returncode == 0
    assert shelf.git("apply", "--check", data=diff).returncode == 0
    assert shelf.git("apply", "--check", "--reverse", data=diff).returncode == 0
    shelf.refused("mode", shelf.with_diff(diff), "a change of mode is not carried", b"old mode")


def test_p29_a_wrong_strip_level_that_git_passes_over_in_silence_is_refused(shelf: Shelf) -> None:
    mail = shelf.mail.replace(b" a/shop/", b" shop/").replace(b" b/shop/", b" shop/")
    why = "the names don't begin with a/ and b/: a wrong strip level"
    shelf.refused("level", mail, why, b"diff --git ")
    deeper = shelf.mail.replace(b" a/shop/", b" a/src/shop/").replace(b" b/shop/", b" b/src/shop/")
    shelf.refused("deeper", deeper, f"src/{FILE} is not in upstream.paths", b"diff --git ")
    silent = shelf.git("-C", "shop", "apply", data=mail)
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, b"", b"")
    assert (shelf.upstream / FILE).read_text() == BROKEN


def test_p30_when_the_second_of_three_files_is_damaged_all_is_refused_and_the_third_is_still_told(
    shelf: Shelf,
) -> None:
    diff = shelf.mail[shelf.mail.index(b"diff --git ") :].rstrip(b"\n") + b"\n"
    second = diff.replace(FILE.encode(), b"shop/b.py").replace(b"index ", b"in dex ")
    third = diff.replace(FILE.encode(), b"elsewhere/c.py")
    mail = shelf.with_diff(diff + second + third)
    shelf.put("three", mail)
    found = shelf.refusals("three")
    (bad, _), (other, why) = found[:2]
    assert bad == line_of(mail, b"in dex ")
    assert (other, why) == (
        line_of(mail, b"diff --git a/elsewhere"),
        "elsewhere/c.py is not in upstream.paths",
    )
    assert shelf.git("apply", "--cached", data=diff + third).returncode != 0
    assert shelf.git("diff", "--cached", "--quiet").returncode == 0


def test_p39_thin_context_which_git_applies_at_a_stale_line_is_refused(shelf: Shelf) -> None:
    lines = shelf.workshop.git("diff", "-U0", "--full-index", "main", "cure").encode() + b"\n"
    moved = "# one more line\n" * 4 + BROKEN
    (shelf.upstream / FILE).write_text(moved)
    insertion = lines[: lines.index(b"@@")] + lines[lines.rindex(b"@@ -") :]
    assert shelf.git("apply", "--unidiff-zero", data=insertion).returncode == 0
    assert (shelf.upstream / FILE).read_text() not in {moved, BROKEN}
    mail = shelf.with_diff(lines)
    shelf.put("thin", mail)
    ((line, why),) = shelf.refusals("thin")
    assert (line, "fewer than three lines of context" in why) == (line_of(mail, b"@@"), True)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"index ", b"similarity index 90%\nindex ", "a rename or copy is not carried"),
        (b"index ", b"rename from shop/a.py\nrename to shop/till.py\nindex ", "a rename is not carried"),
        (b"index ", b"copy from shop/a.py\ncopy to shop/till.py\nindex ", "a copy is not carried"),
        (b"index ", b"deleted file mode 100644\nindex ", "a deleted file is not carried"),
        (b"index ", b"dissimilarity index 90%\nindex ", "a rewrite is not carried"),
        (b" 100644\n", b" 100664\n", "only changes of plain files that exist are carried"),
        (b" 100644\n", b" 040000\n", "only changes of plain files that exist are carried"),
        (b"--- a/", b"Binary files a/x and b/x differ\n--- a/", "a binary patch is not carried"),
    ],
)  # fmt: skip
def test_what_is_more_than_a_change_of_text_is_refused(
    shelf: Shelf, old: bytes, new: bytes, why: str
) -> None:
    mail = shelf.spoilt(old, new)
    at = new.partition(b"\n")[0] if new.startswith((old, b"rename", b"copy")) else new.split(b"\n")[0]
    shelf.refused("more", mail, why, b"index " if new.startswith(b" ") else at)


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        (b"", "the patch is empty"),
        (b"\n\n\n", "the patch is empty"),
        (b"diff --git a/x b/x\n", "no git mail patch"),
        (b"From " + ZERO + b" Mon Sep 17 00:00:00 2001\nFrom: a <a@b.c>\n\nx\n---\n", "holds no diff"),
    ],
)
def test_an_empty_file_and_one_of_headers_only_are_refused(shelf: Shelf, mail: bytes, why: str) -> None:
    shelf.put("empty", mail)
    ((_, told),) = shelf.refusals("empty")
    assert why in told


def test_a_file_that_is_a_header_only_does_not_hide_the_next(shelf: Shelf) -> None:
    bare = b"diff --git a/shop/a.py b/shop/a.py\n"
    mail = shelf.with_diff(bare + b"diff --git a/.git/x b/.git/x\n" + bare)
    shelf.put("bare", mail)
    assert [line - line_of(mail, bare) for line, _ in shelf.refusals("bare")] == [1, 1, 3]


def test_wrong_counts_are_told_at_their_line(shelf: Shelf) -> None:
    head = next(line for line in shelf.mail.split(b"\n") if line.startswith(b"@@"))
    start = head.split(b" ")[1]
    mail = shelf.spoilt(start, start[:-1] + b"2")
    shelf.put("counts", mail)
    ((line, why),) = shelf.refusals("counts")
    assert "counts are wrong" in why
    assert mail.split(b"\n")[line - 1][:1] in {b" ", b"-", b"+"}
    assert shelf.git("apply", "--check", data=mail).returncode != 0


def test_a_file_outside_the_manifests_base_is_refused_where_no_paths_are_given(shelf: Shelf) -> None:
    mail = shelf.spoilt(FILE.encode(), b"shop/other.py")
    shelf.put("base", mail, {"  paths:\n  - shop\n": ""})
    assert shelf.refusals("base") == [(line_of(mail, b"diff --git "), "shop/other.py is not in base.blobs")]


def test_files_of_a_version_that_nothing_pins_are_told_and_a_folder_without_manifest_too(
    shelf: Shelf,
) -> None:
    (shelf.till / "v1" / "0002-more.patch").write_bytes(shelf.mail)
    (shelf.till / "v2").mkdir()
    (shelf.till / "v2" / "link.patch").symlink_to("/etc/passwd")
    (shelf.workshop.patches / "forgotten" / "v1").mkdir(parents=True)
    told = shelf.lint()
    assert [one["file"] for one in told["till"]["problems"]] == ["v1/0002-more.patch", "v2/link.patch"]
    assert told["forgotten"]["problems"][0]["why"] == "there is no such file, so nothing reads this folder"


def test_a_file_that_is_gone_a_folder_or_a_pipe_is_told_and_waits_for_nobody(shelf: Shelf) -> None:
    import os

    for name in ("gone", "folder", "pipe", "out"):
        (shelf.put(name, shelf.mail) / MAIL).unlink()
    place = shelf.workshop.patches
    (place / "folder" / MAIL).mkdir()
    os.mkfifo(place / "pipe" / MAIL)
    (place / "out" / MAIL).symlink_to("/dev/zero")
    told = {name: [one["why"] for one in row["problems"]][:1] for name, row in shelf.lint().items()}
    assert told == {
        "till": [],
        "gone": ["it cannot be read: No such file or directory"],
        "folder": ["it is no file"],
        "pipe": ["it is no file"],
        "out": ["it leads out of the patch's folder"],
    }


def test_a_huge_patch_is_refused_unread(shelf: Shelf) -> None:
    shelf.put("huge", shelf.mail + b"\n" * 1024 * 1024)
    assert shelf.refusals("huge") == [(1, "it is larger than 1024 KiB")]


def test_what_others_may_stumble_over_is_a_note_and_refuses_nothing(shelf: Shelf) -> None:
    unsigned = shelf.lint("till")["till"]
    assert [one["why"].split(",")[0] for one in unsigned["notes"]] == [
        "it has no Signed-off-by line of its author"
    ]
    body = b"Reason.\n\n---\n\nMore.\n\nSigned-off-by: Ada <ada@example.org>\n---\n "
    mail = shelf.spoilt(b"---\n ", body)
    shelf.put("cut", mail)
    (note,) = shelf.lint("cut")["cut"]["notes"]
    assert note["line"] == line_of(mail, b"---")
    assert "`git am` would end the message here" in note["why"]
    assert shelf.workshop.run("lint", "cut").out.splitlines()[0].startswith(f"patches/cut/{MAIL}:8: note: ")


def test_control_characters_of_a_patch_do_not_reach_the_terminal(shelf: Shelf) -> None:
    shelf.put("loud", shelf.spoilt(b"shop/till.py", b"shop/\x1b]0;evil\x07.py"))
    done = shelf.workshop.run("lint", "loud")
    assert done.code == 1
    assert "\x1b" not in done.out


def test_survey_is_told_the_reason_of_a_patch_that_is_refused(shelf: Shelf) -> None:
    (shelf.till / MAIL).write_bytes(shelf.mail + b"\n")
    refused = catalog.judge(shelf.workshop.patches, "till")
    assert isinstance(refused, catalog.Refused)
    assert refused.reason.startswith(f"{MAIL} line 1: its SHA-256 is ")
    assert (refused.manifest.id, refused.version.id) == ("till", "v1")
    assert shelf.workshop.run("prove", "till").code == Exit.USAGE
