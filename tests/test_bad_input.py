"""Bad input, from the command line: one sentence, a hint, exit 2, nothing on stdout and nothing lost."""

import os
import re
from pathlib import Path

import pytest

from tests.conftest import Done, Workshop


def refused(done: Done, sentence: str, hint: str = "") -> None:
    """Hold that a command was refused in the agreed form."""
    assert (done.code, done.out) == (2, ""), done
    lines = done.err.splitlines()
    assert re.search(sentence, lines[0]), done.err
    assert lines[0].startswith("upstream-bot: ")
    assert len(lines) == 2, done.err
    assert lines[1].startswith("hint: ")
    assert re.search(hint, lines[1]), done.err


def test_an_unknown_command_names_the_nearest(workshop: Workshop) -> None:
    refused(workshop.run("proove"), "unknown command 'proove'", "prove")


def test_no_command_points_to_the_help(workshop: Workshop) -> None:
    refused(workshop.run(), "no command", "--help")


def test_an_unknown_option_points_to_the_commands_help(workshop: Workshop) -> None:
    refused(workshop.run("prove", "till", "--colour"), "--colour", "--help")


@pytest.mark.parametrize("runs", ["0", "-1", "many", "1.5"])
def test_a_senseless_number_of_runs(workshop: Workshop, runs: str) -> None:
    refused(workshop.run("prove", "till", f"--runs={runs}"), "at least 1", "--help")


def test_an_unknown_patch_names_the_nearest(workshop: Workshop) -> None:
    workshop.patch()
    refused(workshop.run("prove", "tilll"), "unknown patch 'tilll'", "till")


@pytest.mark.parametrize("name", ["../till", "/etc", "-x", "till/../till", ""])
def test_a_patch_name_that_is_a_path_is_unknown(workshop: Workshop, name: str) -> None:
    workshop.patch()
    done = workshop.run("prove", "--branch", "main", "--", name)
    assert (done.code, done.out) == (2, "")
    assert "unknown patch" in done.err


def test_no_patches_folder(workshop: Workshop) -> None:
    refused(workshop.run("patches"), "no patches in patches", "--patches")


def test_an_unknown_branch_names_the_nearest(workshop: Workshop) -> None:
    workshop.patch()
    refused(workshop.prove("--branch", "mian"), "no branch 'mian'", "main")


@pytest.mark.parametrize(
    "name", ["--upload-pack=touch x", "../main", "main@{1}", "HEAD", "x" * 300, "a b", "$(id)"]
)
def test_a_hostile_branch_name_is_only_an_unknown_one(workshop: Workshop, name: str) -> None:
    workshop.patch()
    done = workshop.prove(f"--branch={name}")
    assert (done.code, done.out) == (2, "")
    assert "there is no branch" in done.err
    assert not list(workshop.root.rglob("x"))


def test_a_glob_that_matches_nothing(workshop: Workshop) -> None:
    workshop.patch()
    refused(workshop.prove("--branch", "release/*"), "no branch matches")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("title:", "titel:", r"patch.yml line \d+: unknown key 'titel'"),
        ("schema: 1\n", "schema: 1\nschema: 1\n", r"patch.yml line 2: .*schema"),
        ("schema: 1\n", "schema: one\n", r"patch.yml line 1: .*schema"),
        ("world: 2", "world: two", r"patch.yml line \d+: .*world"),
        ("title: keep the amount when there is no rate\n", "", r"patch.yml line \d+: .*title"),
        ("  expect: affected", "  expect: efected", r"patch.yml line \d+: .*expect"),
        ("id: till\n", "id: [till\n", r"patch.yml line \d+"),
    ],
    ids=[
        "unknown key",
        "repeated key",
        "mistyped value",
        "mistyped in a list",
        "missing key",
        "unknown word",
        "no YAML",
    ],
)
def test_a_wrong_manifest_names_key_and_line(workshop: Workshop, old: str, new: str, sentence: str) -> None:
    manifest = workshop.patch() / "patch.yml"
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new, 1))
    done = workshop.prove()
    assert (done.code, done.out) == (2, "")
    assert re.search(sentence, done.err.splitlines()[0]), done.err


def test_patch_bytes_that_are_not_the_pinned_ones(workshop: Workshop) -> None:
    patch = workshop.patch() / "v1" / "0001-till.patch"
    patch.write_bytes(patch.read_bytes() + b"\n")
    refused(workshop.prove(), "SHA-256", "never changes")


def test_p2_a_patch_checked_out_with_crlf_is_told_why_it_does_not_match(workshop: Workshop) -> None:
    patch = workshop.patch() / "v1" / "0001-till.patch"
    patch.write_bytes(patch.read_bytes().replace(b"\n", b"\r\n"))
    refused(workshop.prove(), "SHA-256", "CRLF")


@pytest.mark.parametrize(
    "upstream", ["/nowhere/at/all", "https://localhost:9/x.git", "file:///nowhere/x.git", "ext::sh -c id"]
)
def test_an_unreachable_upstream(workshop: Workshop, upstream: str) -> None:
    workshop.patch()
    done = workshop.run("prove", "till", "--upstream", upstream)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("upstream-bot: ")
    assert "hint: " in done.err


def test_an_unreachable_index(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.run(
        "prove",
        "till",
        "--upstream",
        "pypi:till",
        "--branch",
        "1.0",
        PIP_INDEX_URL="http://localhost:9/simple",
    )
    assert (done.code, done.out) == (2, "")
    assert "hint: " in done.err


def test_an_environment_without_the_locked_packages(workshop: Workshop) -> None:
    lock = workshop.patch() / "requirements.txt"
    lock.write_text(lock.read_text() + "triton==0.0.1\n")
    refused(workshop.prove(), "triton==0.0.1", "upstream-bot env till")


def test_a_lock_that_pins_nothing(workshop: Workshop) -> None:
    lock = workshop.patch() / "requirements.txt"
    lock.write_text("pytest>=9\n")
    refused(workshop.prove(), "line 1: 'pytest>=9' is not pinned", "name==1.2.3")


def test_a_cache_that_cannot_be_written(workshop: Workshop) -> None:
    workshop.patch()
    (workshop.root / "file").touch()
    refused(
        workshop.prove(UPSTREAM_BOT_CACHE=str(workshop.root / "file" / "cache")),
        "cache",
        "UPSTREAM_BOT_CACHE",
    )


def test_no_room_for_scratch_directories(workshop: Workshop) -> None:
    workshop.patch()
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this machine")
    done = workshop.prove("--branch", "main", TMPDIR=str(workshop.root / "nowhere"))
    assert done.code in (0, 2)  # Python falls back to /tmp where TMPDIR is no directory


def test_an_evidence_file_that_cannot_be_written_is_said_before_and_nothing_is_lost(
    workshop: Workshop,
) -> None:
    workshop.patch()
    done = workshop.prove("--branch", "main", "--out", "no/such/folder/evidence.json")
    assert (done.code, done.out) == (2, "")
    assert "evidence" in done.err


def test_a_full_disk_for_the_report(workshop: Workshop) -> None:
    workshop.patch()
    workshop.prove("--branch", "main", "--out", "evidence.json")
    with Path("/dev/full").open("w") as full:
        process = workshop.start("report", "evidence.json", "--format", "markdown")
        assert process.stdout
        process.communicate()
        import subprocess
        import sys

        done = subprocess.run(
            [sys.executable, "-m", "bot", "report", "evidence.json", "--format", "markdown"],
            cwd=workshop.root,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | workshop.env,
            check=False,
        )
    assert done.returncode == 2
    assert "No space left" in done.stderr


def test_an_unknown_setting_in_the_environment(workshop: Workshop) -> None:
    workshop.patch()
    refused(
        workshop.prove(UPSTREAM_BOT_UPSTRAEM="x"),
        "unknown setting UPSTREAM_BOT_UPSTRAEM",
        "UPSTREAM_BOT_UPSTREAM",
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [(b"{}", "no evidence file"), (b"\xff\xfe", "no evidence file"), (b"[" * 100_000, "no evidence file")],
    ids=["empty object", "no text", "too deep"],
)
def test_what_is_no_evidence_file(workshop: Workshop, data: bytes, sentence: str) -> None:
    (workshop.root / "evidence.json").write_bytes(data)
    refused(workshop.run("report", "evidence.json"), sentence, "upstream-bot prove")


def test_changed_evidence_is_refused(workshop: Workshop) -> None:
    workshop.patch()
    text = workshop.prove("--branch", "main").out
    (workshop.root / "evidence.json").write_text(text.replace("cured_uncontrolled", "proven"))
    refused(workshop.run("report", "evidence.json"), "changed after it was sealed")


def test_an_unknown_report_format_names_those_there_are(workshop: Workshop) -> None:
    workshop.patch()
    workshop.prove("--branch", "main", "--out", "evidence.json")
    refused(workshop.run("report", "evidence.json", "--format", "markdwon"), "unknown format", "markdown")


def test_replay_of_evidence_from_a_local_clone_asks_for_a_clone(workshop: Workshop) -> None:
    workshop.patch()
    workshop.prove("--branch", "main", "--out", "evidence.json")
    refused(workshop.run("replay", "evidence.json"), "local clone", "--upstream")
