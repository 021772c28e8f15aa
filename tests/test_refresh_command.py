"""`refresh` from the command line: what is published, what is refused, and what stays as it was."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from bot import catalog
from bot.model import Patch
from tests.conftest import BROKEN, CURED, FILE, Done, Workshop

MOVED = f'"""Moved down."""\nMORE = 1\n{BROKEN}'
#: The strict application fails for its context, and a merge does not.
REWORDED = BROKEN.replace("return amount * rate", "return rate * amount")
CONFLICT = BROKEN.replace("no rate for {currency}", "there is no rate for {currency}")


def refresh(workshop: Workshop, *args: str) -> Done:
    return workshop.run("refresh", "till", "--upstream", str(workshop.upstream), *args)


def unproven(workshop: Workshop, *args: str) -> Done:
    return refresh(workshop, "--no-proof", "--branch", *args)


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def load(workshop: Workshop) -> Patch:
    return catalog.load(workshop.patches, "till")


def newest(workshop: Workshop, name: str = "0001-till.patch") -> bytes:
    return (workshop.patches / "till" / load(workshop).version.id / name).read_bytes()


def received(workshop: Workshop, branch: str, data: bytes) -> tuple[str, str]:
    """What `git am` makes of the patch on that branch in a clone: the tree and the message."""
    place = workshop.root / "clone"
    argv = ("git", "clone", "--quiet", "--branch", branch, str(workshop.upstream), str(place))
    own = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(argv, env=own, check=True)
    who = ("-c", "user.name=Bob", "-c", "user.email=bob@example.org")
    subprocess.run(("git", *who, "-C", str(place), "am", "--quiet"), input=data, env=own, check=True)
    shown = ("git", "-C", str(place), "log", "-1", "--format=%T%n%B")
    told = subprocess.run(shown, env=own, check=True, capture_output=True, text=True).stdout
    tree, message = told.split("\n", 1)
    return tree, message.strip()


def test_a_moved_branch_gets_a_proven_version_that_git_am_takes(workshop: Workshop) -> None:
    folder = workshop.patch()
    head = workshop.commit("main", {FILE: MOVED}, "move")
    before = contents(folder)
    done = refresh(workshop, "--branch", "main", "--runs", "1", "--out", "evidence.json")
    assert done.code == 0, done.out + done.err
    assert "till v2 on main at" in done.out
    assert "applies_exact, applies 2 lines lower" in done.out
    assert "  1:  " in done.out.partition("range-diff of v1/0001-till.patch and v2/0001-till.patch:")[2]
    assert "proven" in done.out
    after = contents(folder)
    assert {path for path in after if after[path] != before.get(path)} == {"patch.yml", "v2/0001-till.patch"}
    patch = load(workshop)
    assert patch.version.base.commit == head
    assert patch.version.base.blobs == {FILE: workshop.git("rev-parse", f"main:{FILE}")}
    assert patch.manifest.versions[0].files[0].sha256 == before["v1/0001-till.patch"]
    assert (workshop.root / "evidence.json").is_file()
    data, cured = newest(workshop), workshop.git("hash-object", "--stdin", data=MOVED_AND_CURED)
    assert cured.encode() in data
    assert received(workshop, "main", data)[1] == "keep the amount when there is no rate"


MOVED_AND_CURED = f'"""Moved down."""\nMORE = 1\n{CURED}'


def test_a_version_whose_proof_is_not_good_is_not_published(workshop: Workshop) -> None:
    folder = workshop.patch()
    workshop.commit("main", {FILE: MOVED.replace("amount * rate", "amount + rate")}, "break another thing")
    before = contents(folder)
    done = refresh(workshop, "--branch", "main", "--no-controls", "--runs", "1")
    assert done.code == 1, done.err
    assert "nothing was written: main is base_broken" in done.out
    assert contents(folder) == before


def test_without_a_proof_the_output_says_so(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("main", {FILE: MOVED}, "move")
    done = unproven(workshop, "main")
    assert done.code == 0, done.err
    assert "no test was run: nobody has seen that this version cures anything" in done.out
    assert load(workshop).version.id == "v2"


def test_where_nothing_moved_nothing_is_written(workshop: Workshop) -> None:
    folder = workshop.patch()
    workshop.commit("main", {"README": "other things move\n"}, "move")
    before = contents(folder)
    done = unproven(workshop, "main")
    assert (done.code, contents(folder)) == (0, before)
    assert "main: nothing moved" in done.out


def test_there_and_back_the_bytes_are_the_first_ones(workshop: Workshop) -> None:
    folder = workshop.patch()
    workshop.git("branch", "old", "main")
    workshop.commit("main", {FILE: MOVED}, "move")
    assert unproven(workshop, "main").code == 0
    assert unproven(workshop, "old").code == 0
    assert load(workshop).version.id == "v3"
    first = (folder / "v1" / "0001-till.patch").read_bytes()
    # The workshop writes an empty line after git's own bytes.
    assert newest(workshop) == first.rstrip(b"\n") + b"\n"
    assert unproven(workshop, "old").out.startswith("old: nothing moved")


def test_a_dry_run_tells_all_and_writes_nothing(workshop: Workshop) -> None:
    folder = workshop.patch()
    workshop.commit("main", {FILE: MOVED}, "move")
    before = contents(folder)
    done = unproven(workshop, "main", "--dry-run")
    assert (done.code, contents(folder)) == (0, before)
    assert "range-diff" in done.out
    assert "nothing was written (--dry-run)" in done.out
    digest = done.out.split()[-1]
    assert unproven(workshop, "main").code == 0
    assert load(workshop).version.files[0].sha256 == digest


def test_a_clean_merge_becomes_a_version_that_applies_exactly(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("main", {FILE: REWORDED}, "reword")
    done = unproven(workshop, "main")
    assert done.code == 0, done.err
    assert "applies_merged" in done.out
    assert CURED.replace("return amount * rate", "return rate * amount") == merged(workshop)
    assert unproven(workshop, "main").out.startswith("main: nothing moved")


def merged(workshop: Workshop) -> str:
    received(workshop, "main", newest(workshop))
    return (workshop.root / "clone" / FILE).read_text(encoding="utf-8")


STATES = {
    "conflicts": CONFLICT,
    "upstream_identical": CURED,
    "upstream_partial": BROKEN.replace("{currency}", "{code}"),
    "not_affected_anymore": BROKEN.replace("def convert", "def exchange"),
    "ambiguous": f"{BROKEN}\n\n{BROKEN}",
}


@pytest.mark.parametrize(("state", "text"), STATES.items(), ids=STATES)
def test_every_other_state_is_refused_with_its_reason(workshop: Workshop, state: str, text: str) -> None:
    folder = workshop.patch()
    workshop.commit("main", {FILE: text}, "change")
    before = contents(folder)
    done = unproven(workshop, "main")
    assert (done.code, contents(folder)) == (1, before), done.err
    assert done.out.startswith(f"main is {state}: ")
    assert done.out.endswith("; nothing was written\n")


def test_a_branch_gets_a_variant_and_the_rest_is_carried_over_byte_by_byte(workshop: Workshop) -> None:
    both = [{"name": name, "expect": "affected"} for name in ("main", "stable")]
    folder = workshop.patch(branches=both)
    workshop.commit("stable", {FILE: REWORDED}, "reword")
    workshop.git("switch", "--quiet", "main")
    done = unproven(workshop, "stable", "--variant", "stable")
    assert done.code == 0, done.out + done.err
    patch = load(workshop)
    assert [(file.path, file.branches) for file in patch.version.files] == [
        ("v2/0001-till.patch", ()),
        ("v2/stable.patch", ("stable",)),
    ]
    first = (folder / "v1" / "0001-till.patch").read_bytes()
    assert newest(workshop) == first
    assert patch.version.base == patch.manifest.versions[0].base
    variant = newest(workshop, "stable.patch")
    workshop.commit("main", {FILE: MOVED}, "move")
    assert unproven(workshop, "main").code == 0
    assert newest(workshop, "stable.patch") == variant
    assert newest(workshop) != first
    assert unproven(workshop, "stable").out.startswith("stable: nothing moved: v3/stable.patch")
    workshop.commit("stable", {FILE: f"MORE = 1\n{REWORDED}"}, "move")
    assert unproven(workshop, "stable").code == 0
    assert load(workshop).version.id == "v4"
    assert newest(workshop, "stable.patch") != variant


@pytest.mark.parametrize("name", ["../evil", "a b", "-x", ".hidden", "a/b"])
def test_a_variant_with_an_impossible_name_is_refused(workshop: Workshop, name: str) -> None:
    workshop.patch()
    done = unproven(workshop, "main", f"--variant={name}")
    assert (done.code, done.out) == (2, "")
    assert "is no name of a variant" in done.err


TRAILERS = (
    "Signed-off-by: Ada <ada@example.org>\nCo-authored-by: Bob <bob@example.org>\nPatch-Version: till/v1"
)


def reword(workshop: Workshop, message: str) -> None:
    """Give v1 another commit message, as its author may have committed it."""
    folder, base = workshop.patches / "till", workshop.git("rev-parse", "main")
    workshop.git("switch", "--quiet", "cure")
    workshop.git("commit", "--quiet", "--amend", "--cleanup=verbatim", "--file=-", data=message)
    form = ("-1", "--stdout", "--full-index", "--zero-commit", "--no-signature", "cure")
    (folder / "v1" / "0001-till.patch").write_text(
        workshop.git("format-patch", *form) + "\n", encoding="utf-8"
    )
    workshop.git("switch", "--quiet", "main")
    workshop.manifest(base)


def test_a_message_that_git_am_would_cut_survives_with_all_its_trailers(workshop: Workshop) -> None:
    workshop.patch()
    body = f"Warum: für alle.\n\n---\n\ndiff --git a/x b/x\n\n{TRAILERS}"
    reword(workshop, f"keep the amount\n\n{body}\n")
    workshop.commit("main", {FILE: MOVED}, "move")
    done = unproven(workshop, "main")
    assert done.code == 0, done.err
    assert "a blank now stands before a line at which git am would cut: ---" in done.out
    kept = body.replace("---", " ---").replace("diff --git", " diff --git")
    assert received(workshop, "main", newest(workshop))[1] == f"keep the amount\n\n{kept}"


def test_scissors_in_a_message_are_refused_until_another_message_is_given(workshop: Workshop) -> None:
    folder = workshop.patch()
    reword(workshop, f"keep the amount\n\nWhy.\n\n-- >8 --\n\n{TRAILERS}\n")
    workshop.commit("main", {FILE: MOVED}, "move")
    before = contents(folder)
    done = unproven(workshop, "main")
    assert (done.code, done.out, contents(folder)) == (2, "", before)
    assert "git am --scissors would cut the message at the line '-- >8 --'" in done.err
    (workshop.root / "message").write_text(f"keep it\n\nWhy.\n\n{TRAILERS}\n", encoding="utf-8")
    assert unproven(workshop, "main", "--message", "message").code == 0
    assert received(workshop, "main", newest(workshop))[1] == f"keep it\n\nWhy.\n\n{TRAILERS}"


def test_what_the_patch_says_cannot_command_the_terminal_or_the_runner(workshop: Workshop) -> None:
    workshop.patch()
    reword(workshop, "keep \x1b[31mred\x1b[0m\n\n::warning::x\n\n---\n\nMore \x1b]0;title\x07.\n")
    workshop.commit("main", {FILE: CONFLICT}, "change")
    workshop.commit("main", {FILE: REWORDED}, "change")
    done = unproven(workshop, "main")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    assert "::warning" not in done.out


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("--branch", "mian"), "there is no branch 'mian'"),
        (("--branch", "ma*"), "'ma*' is a pattern"),
        (("--branch", "main", "--upstream", "pypi:shop"), "has releases, and a version is made on a commit"),
        ((), "--branch"),
        (("--branch", "main", "--no-proof", "--out", "x"), "--no-proof leaves nothing for --out"),
        (("--branch", "main", "--message", "nowhere"), "nowhere cannot be read"),
        (("--branch", "main", "--message", os.devnull), "the message is empty"),
        (("--branch", "main", "--runs", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_printed(
    workshop: Workshop, args: tuple[str, ...], why: str
) -> None:
    folder = workshop.patch()
    workshop.commit("main", {FILE: MOVED}, "move")
    before = contents(folder)
    done = refresh(workshop, *args)
    assert (done.code, done.out, contents(folder)) == (2, "", before)
    assert why in done.err


def test_a_manifest_that_cannot_be_added_to_is_left_alone_with_what_to_paste(workshop: Workshop) -> None:
    folder = workshop.patch()
    workshop.commit("main", {FILE: MOVED}, "move")
    place = folder / "patch.yml"
    text = place.read_text(encoding="utf-8")
    (version,) = load(workshop).manifest.versions
    block = text[text.index("versions:") : text.index("anchors:")]
    blob, file = version.base.blobs[FILE], version.files[0]
    flow = (
        f"versions: [{{id: v1, base: {{commit: {version.base.commit}, blobs: {{{FILE}: {blob}}}}},"
        f" files: [{{path: {file.path}, sha256: {file.sha256}}}]}}]\n"
    )
    place.write_text(text.replace(block, flow), encoding="utf-8")
    before = contents(folder)
    done = unproven(workshop, "main")
    assert (done.code, done.out, contents(folder)) == (2, "", before)
    paste = done.err[done.err.index("versions:\n") :]
    place.write_text(text.replace(block, paste), encoding="utf-8")
    assert unproven(workshop, "main").code == 0


def test_several_files_crlf_lines_and_a_missing_last_line_end_move_together(workshop: Workshop) -> None:
    folder = workshop.patch(anchors=None)
    dos = "".join(f"line {number}\r\n" for number in range(20))
    bare = "".join(f"line {number}\n" for number in range(20)) + "end"
    before = {"shop/dos.txt": dos, "shop/bare.txt": bare}
    workshop.commit("main", before, "add")
    base = workshop.git("rev-parse", "main")
    after = {path: text.replace("line 10", "cured 10").replace("end", "END") for path, text in before.items()}
    workshop.git("switch", "--quiet", "-C", "cure", "main")
    workshop.commit("cure", after, "cure \u00fcber all")
    form = ("-1", "--full-index", "--zero-commit", "--no-signature", "--output-directory")
    made = Path(workshop.git("format-patch", *form, str(workshop.root / "out"), "cure"))
    (folder / "v1" / "0001-till.patch").write_bytes(made.read_bytes())
    blobs = {path: workshop.git("rev-parse", f"main:{path}") for path in before}
    file = {"path": "v1/0001-till.patch", "sha256": sha256(made.read_bytes()).hexdigest()}
    first = {"id": "v1", "base": {"commit": base, "blobs": blobs}, "files": [file]}
    workshop.manifest(base, anchors=None, versions=[first])
    assert unproven(workshop, "main").out.startswith("main: nothing moved")
    moved = {"shop/dos.txt": f"new\r\n{dos}", "shop/bare.txt": f"new\n{bare}"}
    workshop.commit("main", moved, "move")
    done = unproven(workshop, "main")
    assert done.code == 0, done.err
    assert "git am takes this patch with --keep-cr only" in done.out
    data = newest(workshop)
    assert b"-line 10\r\n" in data
    assert b"\\ No newline at end of file" in data
    assert b"Subject: [PATCH] =?UTF-8?q?cure=20=C3=BCber=20all?=" in data


def test_a_remote_repository_gives_the_same_version_as_a_clone(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("main", {FILE: MOVED}, "move")
    local = unproven(workshop, "main", "--dry-run")
    remote = unproven(workshop, "main", "--dry-run", "--upstream", f"file://{workshop.upstream}")
    assert (remote.code, remote.out) == (0, local.out), remote.err


def test_the_upstream_is_left_as_it_was(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("main", {FILE: MOVED}, "move")
    stamps = {path: path.stat().st_mtime_ns for path in workshop.upstream.rglob("*") if path.is_file()}
    assert unproven(workshop, "main").code == 0
    assert {
        path: path.stat().st_mtime_ns for path in workshop.upstream.rglob("*") if path.is_file()
    } == stamps
