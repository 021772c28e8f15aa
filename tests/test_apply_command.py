"""`apply` from the command line, on checkouts and unpacked sources: where it fits, and what is refused."""

import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from tests.carry.sources import DEFECT, PLACE, contents, origin, pinned, text, unpack
from tests.conftest import BROKEN, CURED, FILE, Workshop


@pytest.fixture
def tree(workshop: Workshop) -> Path:
    """Lay out sources that were only unpacked, with the defect; the patch is there too."""
    workshop.patch(upstream=PLACE, defect=DEFECT)
    return unpack(workshop, {FILE: BROKEN})


def test_a_checkout_gets_exactly_the_cure_once_and_loses_it_without_a_trace(workshop: Workshop) -> None:
    workshop.patch()
    clone = workshop.upstream
    before = contents(clone)
    done = workshop.run("apply", "till", "--to", str(clone))
    assert (done.code, done.err, text(clone)) == (0, "", CURED)
    assert f"{FILE}: 3 lines changed (2 added, 1 removed) at line 17, in convert" in done.out
    assert "a process that has imported it must be restarted" in done.out
    assert workshop.git("status", "--short") == f" M {FILE}"
    written = {path: path.stat().st_mtime_ns for path in clone.rglob("*")}
    again = workshop.run("apply", "till", "--to", str(clone))
    assert (again.code, again.out.splitlines()[0].split(" to ")[0]) == (0, "till v1 is already applied")
    assert {path: path.stat().st_mtime_ns for path in clone.rglob("*")} == written
    back = workshop.run("apply", "till", "--to", str(clone), "--reverse")
    assert (back.code, contents(clone)) == (0, before)
    assert not (clone / ".git" / "upstream-bot").exists()
    nothing = workshop.run("apply", "till", "--to", str(clone), "--reverse")
    assert (nothing.code, "nothing to take back" in nothing.out) == (0, True)


def test_a_linked_worktree_keeps_its_own_record(workshop: Workshop) -> None:
    workshop.patch()
    linked = workshop.root / "linked"
    workshop.git("worktree", "add", "--quiet", "--detach", str(linked), "main")
    assert workshop.run("apply", "till", "--to", str(linked)).code == 0
    assert (text(linked), text(workshop.upstream)) == (CURED, BROKEN)
    assert list((workshop.upstream / ".git" / "worktrees").glob("*/upstream-bot/till/record.json"))
    other = workshop.run("apply", "till", "--to", str(workshop.upstream), "--check")
    assert "would be applied" in other.out
    assert workshop.run("apply", "till", "--to", str(linked), "--reverse").code == 0
    assert text(linked) == BROKEN


def test_a_check_says_the_same_and_writes_nothing(workshop: Workshop, tree: Path) -> None:
    def checked(*more: str) -> tuple[int, str]:
        before = contents(tree)
        done = workshop.run("apply", "till", "--to", str(tree), "--check", *more)
        assert contents(tree) == before
        return done.code, done.out.splitlines()[0].split(" sources")[0].split(f" {tree.parent}")[0]

    assert checked() == (0, "till v1 would be applied to")
    assert checked("--reverse") == (0, "till v1: nothing to take back from")
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    assert checked() == (0, "till v1 is already applied to")
    assert checked("--reverse") == (0, "till v1 would be taken back from")


# What is refused: the survey's states, and files that are not what they look like.

TWICE = BROKEN + "\n\n" + BROKEN[BROKEN.index("def convert") : BROKEN.index("def total")]
REFUSED = {
    "p6-the-block-twice": (TWICE, "ambiguous: convert is defined 2 times"),
    "p10-already-there": (CURED, "upstream_identical: the change is already in convert"),
    "p15-one-line-of-it": (BROKEN.replace("{currency}", "{code}"), "upstream_partial: "),
    "p40-no-python": (
        BROKEN.replace("rank=0):", "rank=0)):"),
        "ambiguous: convert cannot be placed: the file does not parse",
    ),
    "other-indentation": (BROKEN.replace("        ", "      "), "conflicts: convert is there"),
    "a-lone-difference": (BROKEN.replace("return amount * rate", "return rate * amount"), "conflicts: "),
    "no-anchor": (BROKEN.replace("def convert", "def change"), "unknown: convert is not in"),
    "carriage-returns": (BROKEN.replace("\n", "\r\n"), "end in CR LF, those of the patch in LF"),
}


@pytest.mark.parametrize(("found", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_does_not_fit_exactly_is_refused_with_its_state_and_stays(
    workshop: Workshop, tree: Path, found: str, said: str
) -> None:
    (tree / FILE).write_bytes(found.encode())
    for more in ((), ("--check",)):
        done = workshop.run("apply", "till", "--to", str(tree), *more)
        assert (done.code, done.err) == (1, "")
        assert "is refused for" in done.out
        assert said in done.out
        assert contents(tree) == {FILE: found.encode()}


def test_what_only_a_merge_could_place_is_refused_though_the_base_is_there(workshop: Workshop) -> None:
    workshop.patch()
    found = BROKEN.replace("rate = lookup(code)", "rate = lookup(code)  # by its code")
    workshop.commit("main", {FILE: found})
    done = workshop.run("apply", "till", "--to", str(workshop.upstream))
    assert (done.code, text(workshop.upstream)) == (1, found)
    assert "applies_merged: applies only by a three-way merge from its base" in done.out


def test_p13_sources_inside_another_repository_are_really_changed(workshop: Workshop) -> None:
    workshop.patch()
    inner = workshop.upstream / "vendor"
    (inner / "shop").mkdir(parents=True)
    (inner / FILE).write_text(BROKEN, encoding="utf-8")
    assert workshop.run("apply", "till", "--to", str(inner)).code == 0
    assert (text(inner), text(workshop.upstream)) == (CURED, BROKEN)


def test_p26_a_linked_file_folder_or_record_is_refused_and_what_it_points_to_stays(
    workshop: Workshop, tree: Path
) -> None:
    outside = workshop.root / "outside"
    outside.mkdir()
    (outside / "till.py").write_text(BROKEN, encoding="utf-8")
    (tree / FILE).unlink()
    (tree / FILE).symlink_to(outside / "till.py")
    linked = workshop.run("apply", "till", "--to", str(tree))
    assert (linked.code, f"{FILE} is a symbolic link" in linked.out) == (1, True)
    (tree / FILE).unlink()
    (tree / "shop").rmdir()
    (tree / "shop").symlink_to(outside)
    parent = workshop.run("apply", "till", "--to", str(tree))
    assert (parent.code, "shop is a symbolic link" in parent.out) == (1, True)
    (tree / "shop").unlink()
    unpack(workshop, {FILE: BROKEN})
    (tree / ".upstream-bot").symlink_to(outside)
    record = workshop.run("apply", "till", "--to", str(tree))
    assert (record.code, record.out, ".upstream-bot is a symbolic link" in record.err) == (2, "", True)
    (tree / ".upstream-bot").unlink()
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    (tree / ".upstream-bot" / "till" / "record.json.new").symlink_to(outside / "till.py")
    assert workshop.run("apply", "till", "--to", str(tree), "--reverse").code == 0
    assert contents(outside) == {"till.py": BROKEN.encode()}
    assert text(tree) == BROKEN


def test_p25_a_record_that_names_a_file_elsewhere_is_not_followed(workshop: Workshop, tree: Path) -> None:
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    outside = workshop.root / "outside.py"
    outside.write_text(CURED, encoding="utf-8")
    record = tree / ".upstream-bot" / "till" / "record.json"
    record.write_text(record.read_text().replace(f'"path": "{FILE}"', '"path": "../outside.py"', 1))
    for more in ((), ("--reverse",), ("--check",)):
        done = workshop.run("apply", "till", "--to", str(tree), *more)
        assert (done.code, done.out) == (2, "")
        assert "it leaves its folder" in done.err
    assert outside.read_text(encoding="utf-8") == CURED


def test_a_damaged_record_is_told_and_its_bytes_are_not_believed(workshop: Workshop, tree: Path) -> None:
    args = ("apply", "till", "--to", str(tree))
    assert workshop.run(*args).code == 0
    memory = tree / ".upstream-bot" / "till"
    saved = memory / sha256(BROKEN.encode()).hexdigest()
    saved.write_bytes(b"import evil\n")
    changed = workshop.run(*args, "--reverse")
    assert (changed.code, changed.out, "is damaged" in changed.err) == (2, "", True)
    (memory / "record.json").write_bytes(b"{")
    for more in ((), ("--check",), ("--reverse",)):
        done = workshop.run(*args, *more)
        assert (done.code, done.out, "record.json cannot be read" in done.err) == (2, "", True)
    assert text(tree) == CURED


@pytest.mark.parametrize(("place", "mode"), [(FILE, 0o444), ("shop", 0o555), (".", 0o555)])
@pytest.mark.parametrize("more", [(), ("--check",)])
def test_what_its_owner_made_read_only_is_left_alone(
    workshop: Workshop, tree: Path, place: str, mode: int, more: tuple[str, ...]
) -> None:
    (tree / place).chmod(mode)
    done = workshop.run("apply", "till", "--to", str(tree), *more)
    (tree / place).chmod(0o755)
    assert (done.code, done.out, text(tree)) == (2, "", BROKEN)
    assert "is read-only; nothing was written" in done.err
    assert "hint: make it writable" in done.err
    assert not (tree / ".upstream-bot").exists()


def test_p2_a_patch_file_with_damaged_line_ends_touches_nothing(workshop: Workshop, tree: Path) -> None:
    patch = workshop.patches / "till" / "v1" / "0001-till.patch"
    patch.write_bytes(patch.read_bytes().replace(b"\n", b"\r\n"))
    done = workshop.run("apply", "till", "--to", str(tree))
    assert (done.code, done.out, "CRLF" in done.err, text(tree)) == (2, "", True, BROKEN)


def test_p33_a_file_that_a_sparse_checkout_leaves_out_is_told_from_one_that_upstream_lacks(
    workshop: Workshop,
) -> None:
    workshop.commit("main", {FILE: BROKEN, "docs/index": "text\n"})
    workshop.patch()
    workshop.git("sparse-checkout", "set", "docs")
    done = workshop.run("apply", "till", "--to", str(workshop.upstream))
    assert done.code == 1
    assert f"{FILE} is committed but not there: deleted, or left out by a sparse checkout" in done.out
    assert not (workshop.upstream / "shop").exists()


def test_p31_a_shallow_clone_cannot_tell_whether_the_cause_came_first(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("main", {FILE: BROKEN.replace("def convert", "def change")})
    workshop.commit("main", {"README": "more\n"})
    shallow = workshop.root / "shallow"
    where = workshop.upstream.as_uri()
    workshop.git("clone", "--quiet", "--depth=1", "--branch=main", where, str(shallow))
    assert "unknown: convert is not in" in workshop.run("apply", "till", "--to", str(shallow)).out
    whole = workshop.run("apply", "till", "--to", str(workshop.upstream))
    assert (whole.code, "not_affected_anymore: convert is not in" in whole.out) == (1, True)


# Which variant: by the branch that is checked out, the one it follows, or what people say.


def test_the_variant_is_that_of_the_branch_the_checkout_follows(workshop: Workshop) -> None:
    workshop.patch()
    folder = workshop.patches / "till"
    older = BROKEN.replace("    try:\n", "    try:  # older\n").replace("if rank == 0", "if not rank")
    workshop.commit("old", {FILE: older})
    workshop.commit("old-cure", {FILE: older.replace("{currency}", "{code}")})
    options = ("--stdout", "--full-index", "--zero-commit", "--no-signature")
    diff = workshop.git("format-patch", "-1", *options, "old-cure") + "\n"
    (folder / "v1" / "0001-older.patch").write_text(diff, encoding="utf-8")
    base = workshop.git("rev-parse", "main")
    files = [pinned(folder / "v1" / "0001-till.patch"), pinned(folder / "v1" / "0001-older.patch", "old*")]
    workshop.manifest(base, versions=[{"id": "v1", "base": origin(workshop, base, FILE), "files": files}])
    clone = workshop.root / "clone"
    workshop.git("clone", "--quiet", "--branch=old", str(workshop.upstream), str(clone))
    workshop.git("-C", str(clone), "switch", "--quiet", "--create", "mine", "--track", "origin/old")
    done = workshop.run("apply", "till", "--to", str(clone))
    assert (done.code, text(clone)) == (0, older.replace("{currency}", "{code}")), done.out
    sources = unpack(workshop, {FILE: older})
    assert workshop.run("apply", "till", "--to", str(sources)).code == 1
    assert workshop.run("apply", "till", "--to", str(sources), "--branch", "old").code == 0


# What people type.

Wrong = Callable[[Workshop], tuple[str, ...]]
USAGE: dict[str, tuple[Wrong, str]] = {
    "nowhere": (lambda _: (), "one of the arguments --to --installed is required"),
    "both": (lambda shop: ("--to", str(shop.root), "--installed"), "not allowed with argument"),
    "no-directory": (lambda _: ("--to", "gone"), "there is no directory 'gone'"),
    "python-of-a-tree": (lambda _: ("--to", ".", "--python", "x"), "--python needs --installed"),
    "branch-of-a-package": (lambda _: ("--installed", "--branch", "x"), "--branch does not go with"),
    "no-interpreter": (lambda _: ("--installed", "--python", "./gone"), "gone is not installed"),
    "another-program": (lambda _: ("--installed", "--python", "/bin/true"), "does not answer as Python does"),
    "bare": (lambda shop: ("--to", str(shop.upstream / ".git")), "is a bare repository"),
}


@pytest.mark.parametrize(("args", "said"), USAGE.values(), ids=USAGE.keys())
def test_wrong_usage_is_one_sentence_and_nothing_on_stdout(
    workshop: Workshop, args: Wrong, said: str
) -> None:
    workshop.patch(upstream=PLACE)
    done = workshop.run("apply", "till", *args(workshop))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "hint: " in done.err


def test_a_patch_without_a_distribution_cannot_be_meant_for_an_installed_package(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.run("apply", "till", "--installed")
    assert (done.code, done.out, "names no distribution" in done.err) == (2, "", True)


def test_the_name_of_a_directory_cannot_speak_to_a_terminal_or_a_runner(
    workshop: Workshop, tree: Path
) -> None:
    odd = tree.with_name("a\x1b[31m::error::b\udcff")
    tree.rename(odd)
    done = workshop.run("apply", "till", "--to", str(odd))
    assert (done.code, "\x1b" in done.out, "::" in done.out) == (0, False, False), done.err


def test_p21_a_mode_is_kept_through_apply_and_reverse(workshop: Workshop, tree: Path) -> None:
    (tree / FILE).chmod(0o750)
    for more in ((), ("--reverse",)):
        assert workshop.run("apply", "till", "--to", str(tree), *more).code == 0
        assert stat.S_IMODE((tree / FILE).stat().st_mode) == 0o750
