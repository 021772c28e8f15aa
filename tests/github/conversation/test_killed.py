"""Killed with `kill -9` after a write, then run again: one report, one set of reactions, newest content.

A child that is killed while the answer to its n-th write is still on its way has written n times and knows of
n - 1. `KILLS=200` tries as many places, some of them twice in a row; by default each write once.
"""

import os
import random
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.report.comment import parse
from bot.sandbox.faults import Fault, Trouble
from tests.github.conversation.stage import SHOP, Stage

if TYPE_CHECKING:
    import subprocess

#: Writes of one `/bot tset` + `/bot test` on a pull request without a report: 👀, a reply, 🚀, the report,
#: the check run twice, 😕.
WRITES = 7
KILLS = int(os.environ.get("KILLS", "12"))
#: Seconds in which a child that has written must have been killed.
HANGING = 30.0


def place(kill: int) -> tuple[int, ...]:
    """After which write of each run in a row it is killed."""
    chance = random.Random(kill)
    if kill < WRITES:
        return (kill + 1,)
    return tuple(chance.randint(1, 3 if turn else WRITES) for turn in range(chance.randint(1, 3)))


@pytest.mark.parametrize("share", range(4))
def test_c40_killed_anywhere_and_run_again_it_leaves_one_of_each(stage: Stage, share: int) -> None:
    for kill in range(share, KILLS, 4):
        check_one(stage, place(kill))


def check_one(stage: Stage, places: tuple[int, ...]) -> None:
    for one in stage.connect(stage.token).comments(SHOP, 1):
        stage.hub.remove(one.id, "acme")
    stage.hub.world.checks.clear()
    stage.hub.clock.advance(7200)
    comment = stage.hub.say(SHOP, 1, "ada", "/bot tset\n/bot test")
    event = stage.hub.events[-1].write(stage.shop.root / "event.json")
    written = [kill_after(stage, event, after) for after in places]
    assert written[0] == places[0], "it ended before it could be killed"
    done = start(stage, event)
    _, err = done.communicate(timeout=100)
    assert done.returncode == 0, err
    reports = [marker for body in stage.bodies() if (marker := parse(body))]
    assert [len(marker.history) for marker in reports] == [1], places
    assert (reports[0].tested, reports[0].comment) == (stage.head, comment)
    replies = [body for body in stage.bodies() if body.rstrip().endswith(f"reply {comment} -->")]
    assert len(replies) == 1, places
    assert stage.reactions(comment) == ["eyes", "rocket", "confused"], places
    assert len(stage.connect(stage.token).check_runs(SHOP, stage.head)) == 1, places


def kill_after(stage: Stage, event: Path, writes: int) -> int:
    """Let a child handle the event, and kill it while its n-th write's answer is on its way.

    Return how many writes there were: after an earlier run that was killed late, fewer may be left to do.
    """
    stage.hub.forget_log()
    slow = Fault(trouble=Trouble.SLOW, seconds=HANGING, skip=writes - 1, method="P*")
    stage.hub.fail.play(slow)
    child = start(stage, event)
    deadline = time.monotonic() + 60
    while child.poll() is None and len(stage.hub.writes()) < writes and time.monotonic() < deadline:
        time.sleep(0.01)
    written = len(stage.hub.writes())
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    stage.hub.fail.clear()
    sweep(stage)
    return written


def start(stage: Stage, event: Path) -> "subprocess.Popen[str]":
    """Start `handle` as people start it."""
    return stage.shop.start(
        "handle", "--event", str(event), "--upstream", str(stage.hub.git_dir(SHOP)),
        GH_TOKEN=stage.token, GITHUB_API_URL=stage.hub.url, GITHUB_EVENT_NAME="issue_comment",
    )  # fmt: skip


def sweep(stage: Stage) -> None:
    """What a killed run leaves in its scratch directory is the machine's to sweep."""
    for left in (stage.shop.root / "tmp").iterdir():
        if left.is_dir():
            for file in left.iterdir():
                file.unlink()
            left.rmdir()
