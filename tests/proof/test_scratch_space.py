"""Scratch directories: a full disk is told in a sentence, a test harms itself only, and nothing stays."""

import os
import shlex
import subprocess
import sys

import pytest

from tests.conftest import Done, Workshop
from tests.proof.trials import add_tests, try_tests

#: A user and mount namespace in which a small file system can be had at TMPDIR.
SMALL = ("unshare", "--user", "--map-root-user", "--mount", "--", "sh", "-ec")


def prove_on(workshop: Workshop, size: str) -> Done:
    """Prove with TMPDIR on a file system of `size`; what is left there is listed after a line of its own."""
    args = ("-m", "bot", "prove", "till", "--upstream", str(workshop.upstream), "--branch", "main")
    command = shlex.join([sys.executable, *args, "--no-controls", "--json", "--runs", "1"])
    script = f'mount -t tmpfs -o size={size} tmpfs "$TMPDIR"; code=0; {command} || code=$?; '
    script += 'find "$TMPDIR" -mindepth 1 >&2; exit $code'
    env = os.environ | {"UPSTREAM_BOT_CACHE": str(workshop.cache)} | workshop.env
    done = subprocess.run(
        [*SMALL, script], cwd=workshop.root, env=env, capture_output=True, text=True, check=False
    )
    if done.stderr.startswith(("unshare", "mount")):
        pytest.skip("this machine allows no user namespace")
    return Done(code=done.returncode, out=done.stdout, err=done.stderr)


@pytest.mark.parametrize("size", ["8k", "16k", "24k"])
def test_no_room_for_trees_or_tests_is_a_sentence_and_leaves_nothing(workshop: Workshop, size: str) -> None:
    workshop.patch()
    done = prove_on(workshop, size)
    assert (done.code, done.out) == (2, ""), done.err
    assert "No space left on device" in done.err
    assert str(workshop.env["TMPDIR"]) not in done.err


def test_a_test_that_fills_the_disk_harms_itself_only(workshop: Workshop) -> None:
    workshop.patch()
    add_tests(
        workshop,
        """
        import os
        from pathlib import Path

        def test_fills():
            with Path(os.environ["TMPDIR"], "big").open("ab") as file:
                while True:
                    file.write(b"x" * 65536)
        """,
    )
    done = prove_on(workshop, "2m")
    assert done.code == 1, done.err
    (target,) = done.json["targets"]
    rows = {row["id"]: row for row in target["keep"]}
    assert rows["fills"]["before"][0]["exception"] == "OSError"
    assert rows["known-rate"]["after"][0]["outcome"] == "pass"
    assert done.err == ""


def test_what_tests_write_goes_with_the_run(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import os
        from pathlib import Path

        def test_leaves_files():
            place = Path(os.environ["TMPDIR"], "closed")
            place.mkdir(exist_ok=True)
            (place / str(os.getpid())).write_text("x" * 100_000)
            os.symlink("/", place / f"root-{os.getpid()}")
            place.chmod(0)
        """,
        "--jobs",
        "1",
    )
    assert tried.one("leaves-files", "before")["outcome"] == "pass"
    assert os.listdir(workshop.env["TMPDIR"]) == []
