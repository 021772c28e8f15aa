"""Impatient people and killed runs: what was begun is cleaned up, by the run itself or by the next."""

import os
import signal
import time
from pathlib import Path

import pytest

from bot.proof import scratch
from tests.conftest import Workshop

SLEEPS = "import time\n\n\ndef test_the_amount_is_kept():\n    time.sleep(60)\n"


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.2])
def test_three_interrupts_in_a_row_still_clean_up(workshop: Workshop, pause: float) -> None:
    workshop.patch()
    workshop.proofs("test_till.py", SLEEPS)
    workshop.manifest(workshop.git("rev-parse", "main"), keep=None, hazards=None)
    process = workshop.start("prove", "till", "--upstream", str(workshop.upstream), "--branch", "main")
    deadline = time.monotonic() + 20
    while not list(Path(workshop.env["TMPDIR"]).glob("*/*/proofs")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.5)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert err == "upstream-bot: interrupted; nothing is left behind but what was fetched, which is kept\n"
    # The workshop looks for scratch directories, processes and locks that are left.


def test_a_signal_that_our_parent_ignores_stays_ignored(workshop: Workshop) -> None:
    workshop.patch()
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = workshop.start("prove", "till", "--upstream", str(workshop.upstream), "--no-controls")
    finally:
        signal.signal(signal.SIGHUP, before)
    time.sleep(0.3)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_directory_without_a_lock_is_swept_once_its_maker_had_time_to_lock_it(tmp_path: Path) -> None:
    old, young = (tmp_path / f"{scratch.PREFIX}{name}" for name in ("old", "young"))
    for place in (old, young):
        (place / "tree").mkdir(parents=True)
    long_ago = time.time() - 2 * scratch.UNLOCKED
    os.utime(old, (long_ago, long_ago))
    scratch.sweep(tmp_path)
    assert list(tmp_path.iterdir()) == [young]


def test_one_directory_that_cannot_be_removed_keeps_no_other(tmp_path: Path) -> None:
    (tmp_path / f"{scratch.PREFIX}a").write_text("no directory", encoding="utf-8")
    killed = tmp_path / f"{scratch.PREFIX}b"
    killed.mkdir()
    (killed / "lock").touch()
    scratch.sweep(tmp_path)
    assert not killed.exists()
