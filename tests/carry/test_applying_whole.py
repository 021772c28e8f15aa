"""All files or none, once, and back to the bytes of before or not at all: through the command line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.carry.sources import DEFECT, PLACE, contents, origin, pinned, text, unpack
from tests.conftest import BROKEN, CURED, FILE, Done, Workshop

BANK = "shop/bank.py"
POOR, RICH = "# a bank\n\n\nMONEY = 1\n\n\nMORE = 2\n", "# a bank\n\n\nMONEY = 9\n\n\nMORE = 2\n"
#: Does something at the moment when a file is about to be put in place: nothing else gets between.
SABOTAGE = """
import errno, os, signal, sys

def hook(event, values):
    if event == "os.rename" and str(values[1]).endswith("till.py"):
        {}

sys.addaudithook(hook)
sys.argv = ["upstream-bot", *sys.argv[1:]]
from bot.__main__ import main
sys.exit(main())
"""


@pytest.fixture
def tree(workshop: Workshop) -> Path:
    """Lay out sources that were only unpacked, with the defect; the patch is there too."""
    workshop.patch(upstream=PLACE, defect=DEFECT)
    return unpack(workshop, {FILE: BROKEN})


def two_files(workshop: Workshop) -> Path:
    """Make the patch one of two files, of which the bank comes first, and lay out both."""
    workshop.commit("main", {BANK: POOR, FILE: BROKEN})
    workshop.patch(upstream=PLACE)
    base = workshop.git("rev-parse", "main")
    workshop.commit("cure", {BANK: RICH})
    workshop.git("reset", "--quiet", "--soft", base)
    workshop.git("commit", "--quiet", "--message", "both")
    options = ("--stdout", "--full-index", "--zero-commit", "--no-signature")
    diff = workshop.git("format-patch", "-1", *options, "cure")
    patch = workshop.patches / "till" / "v1" / "0001-till.patch"
    patch.write_text(diff + "\n", encoding="utf-8")
    version = {"id": "v1", "base": origin(workshop, base, BANK, FILE), "files": [pinned(patch)]}
    workshop.manifest(base, upstream=PLACE, versions=[version])
    return unpack(workshop, {BANK: POOR, FILE: BROKEN})


def sabotaged(workshop: Workshop, deed: str, *args: str) -> Done:
    done = subprocess.run(
        [sys.executable, "-c", SABOTAGE.format(deed), *args],
        cwd=workshop.root,
        env=os.environ | {"UPSTREAM_BOT_CACHE": str(workshop.cache)} | workshop.env,
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(code=done.returncode, out=done.stdout, err=done.stderr)


@pytest.mark.parametrize(
    ("deed", "code", "said"),
    [
        ("raise OSError(errno.EIO, 'Input/output error')", 2, "every file is as it was"),
        ("raise KeyboardInterrupt", 130, "nothing is left behind"),
    ],
)
def test_p30_when_the_second_file_fails_the_first_is_put_back(
    workshop: Workshop, deed: str, code: int, said: str
) -> None:
    tree = two_files(workshop)
    before = contents(tree)
    done = sabotaged(workshop, deed, "apply", "till", "--to", str(tree))
    assert (done.code, done.out, said in done.err) == (code, "", True), done.err
    assert contents(tree) == before
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    after = contents(tree)
    done = sabotaged(workshop, deed, "apply", "till", "--to", str(tree), "--reverse")
    assert (done.code, contents(tree)) == (code, after)
    assert workshop.run("apply", "till", "--to", str(tree), "--reverse").code == 0
    assert contents(tree) == before


@pytest.mark.parametrize("more", [(), ("--reverse",)])
def test_p30_a_run_that_was_killed_between_two_files_is_told_and_mended(
    workshop: Workshop, more: tuple[str, ...]
) -> None:
    tree = two_files(workshop)
    before = contents(tree)
    args = ("apply", "till", "--to", str(tree))
    killed = sabotaged(workshop, "os.kill(os.getpid(), signal.SIGKILL)", *args)
    assert killed.code == -signal.SIGKILL
    assert ((tree / BANK).read_text(), text(tree)) == (RICH, BROKEN), "the kill came between the two"
    half = contents(tree)
    checked = workshop.run(*args, "--check", *more)
    assert (checked.code, contents(tree)) == (1, half)
    assert "was interrupted with 1 of 2 files patched" in checked.out
    done = workshop.run(*args, *more)
    assert (done.code, "its files were put back first" in done.out) == (0, True)
    if not more:
        assert ((tree / BANK).read_text(), text(tree)) == (RICH, CURED)
        assert workshop.run(*args, "--reverse").code == 0
    assert contents(tree) == before


def test_p30_a_killed_reverse_is_finished_by_the_next_run(workshop: Workshop) -> None:
    tree = two_files(workshop)
    before = contents(tree)
    args = ("apply", "till", "--to", str(tree))
    assert workshop.run(*args).code == 0
    sabotaged(workshop, "os.kill(os.getpid(), signal.SIGKILL)", *args, "--reverse")
    assert ((tree / BANK).read_text(), text(tree)) == (POOR, CURED)
    done = workshop.run(*args, "--reverse")
    assert (done.code, contents(tree)) == (0, before), done.out


def test_a_half_applied_file_that_people_changed_since_is_not_overwritten(workshop: Workshop) -> None:
    tree = two_files(workshop)
    args = ("apply", "till", "--to", str(tree))
    sabotaged(workshop, "os.kill(os.getpid(), signal.SIGKILL)", *args)
    (tree / BANK).write_text("# mine\n")
    before = contents(tree)
    for more in ((), ("--check",), ("--reverse",)):
        done = workshop.run(*args, *more)
        assert (done.code, f"{BANK} was changed since" in done.out) == (1, True)
        assert contents(tree) == before


def test_two_runs_at_once_apply_it_once(workshop: Workshop, tree: Path) -> None:
    runs = [workshop.start("apply", "till", "--to", str(tree)) for _ in range(3)]
    told = sorted(run.communicate(timeout=60)[0].split(" to ")[0] for run in runs)
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert told == ["till v1 is already applied", "till v1 is already applied", "till v1 is applied"]
    assert text(tree) == CURED


# Taking it back: to the bytes of before, or not at all.


def test_a_file_that_was_changed_since_is_not_taken_back_and_the_line_is_named(
    workshop: Workshop, tree: Path
) -> None:
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    (tree / FILE).write_text(CURED.replace("return sum(amounts)", "return 0"), encoding="utf-8")
    before = contents(tree)
    done = workshop.run("apply", "till", "--to", str(tree), "--reverse")
    assert (done.code, contents(tree)) == (1, before)
    line = CURED.splitlines().index("    return sum(amounts)") + 1
    assert f"{FILE} was changed since it was written: it differs from line {line} on" in done.out


@pytest.mark.parametrize("where", ["sources as the patch's base has them", "a checkout with other lines"])
def test_without_its_record_only_bytes_that_another_vouches_for_come_back(
    workshop: Workshop, where: str
) -> None:
    workshop.patch()
    if where.startswith("sources"):
        place, before = unpack(workshop, {FILE: BROKEN}), BROKEN
    else:
        before = BROKEN.replace("eur", "usd")
        workshop.commit("main", {FILE: before})
        place = workshop.upstream
    assert workshop.run("apply", "till", "--to", str(place)).code == 0
    for record in place.rglob("*upstream-bot/till/*"):
        record.unlink()
    done = workshop.run("apply", "till", "--to", str(place), "--reverse")
    assert (done.code, text(place)) == (0, before)
    assert "there is no record of it" in done.out


def test_p12_a_cure_that_we_did_not_put_there_is_never_taken_out(workshop: Workshop, tree: Path) -> None:
    theirs = CURED.replace("eur", "usd")
    (tree / FILE).write_text(theirs, encoding="utf-8")
    done = workshop.run("apply", "till", "--to", str(tree), "--reverse")
    assert (done.code, contents(tree)) == (1, {FILE: theirs.encode()})
    assert "upstream_identical: the change is already in convert, but no record says" in done.out


def test_an_older_version_of_the_patch_is_taken_back_before_the_next_is_applied(
    workshop: Workshop, tree: Path
) -> None:
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    folder = workshop.patches / "till"
    older = (folder / "v1" / "0001-till.patch").read_bytes()
    (folder / "v2").mkdir()
    (folder / "v2" / "0001-till.patch").write_bytes(older.replace(b"+        rate = 1", b"+        rate = 2"))
    base = workshop.git("rev-parse", "main")
    versions = [
        {
            "id": name,
            "base": origin(workshop, base, FILE),
            "files": [pinned(folder / name / "0001-till.patch")],
        }
        for name in ("v1", "v2")
    ]
    workshop.manifest(base, versions=versions)
    done = workshop.run("apply", "till", "--to", str(tree))
    assert (done.code, text(tree)) == (1, CURED)
    assert "v1 is applied here since" in done.out
    assert workshop.run("apply", "till", "--to", str(tree), "--reverse").code == 0
    assert text(tree) == BROKEN
    assert workshop.run("apply", "till", "--to", str(tree)).code == 0
    assert "rate = 2" in text(tree)
