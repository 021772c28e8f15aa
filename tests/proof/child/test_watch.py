"""One outcome per slot from a sibling's messages: who may say what, and what happens when nothing comes."""

import os
import signal
import time
from typing import Any

import pytest

from bot.proof.child import channel
from bot.proof.child.job import Family, Sibling, Unit
from bot.proof.child.watch import Watch

PASS = {"outcome": "pass"}
#: Processes that there never are, so that nothing is killed here.
PARENT, SIBLING, RANK, STRANGER = (1 << 30) + 1, (1 << 30) + 2, (1 << 30) + 3, (1 << 30) + 4


class Watched:
    """A watch with two units of one rank, and what it forwarded."""

    def __init__(self, *, timeout: float = 60, setup: float = 60, ranks: tuple[int, ...] = (0,)) -> None:
        units = tuple(
            Unit(
                number=number, test="t", launcher="fake", device="cpu", world=1, ranks=ranks, run=0,
                timeout=timeout,
            )
            for number in (0, 1)
        )  # fmt: skip
        mine = Sibling(key="k", files={}, blobs={}, units=units)
        family = Family(
            root="", tests="", place="", anchors=(), imports=(), stubs=(), setup_timeout=setup,
            memory=1 << 40, siblings=(mine,),
        )  # fmt: skip
        self.told: list[channel.Message] = []
        self.watch = Watch(mine, family, PARENT, self.told.append)

    def say(self, sender: int, about: str, **more: Any) -> None:
        self.watch.hear(channel.Heard(sender=sender, message={"about": about, **more}))

    def begin(self) -> "Watched":
        self.say(PARENT, "born", pid=SIBLING)
        self.say(SIBLING, "ready")
        self.say(SIBLING, "start", unit=0, rank=0, pid=RANK)
        return self

    @property
    def outcomes(self) -> list[tuple[int, int, str]]:
        return [
            (one["unit"], one["rank"], one["outcome"]["outcome"])
            for one in self.told
            if one["about"] == "outcome"
        ]


def test_a_rank_s_own_word_counts_when_it_ends_well() -> None:
    seen = Watched().begin()
    seen.say(RANK, "unit", unit=0, rank=0, outcome=PASS)
    assert seen.outcomes == []
    seen.say(SIBLING, "end", unit=0, rank=0, status=0)
    assert seen.outcomes == [(0, 0, "pass")]


def test_v27_nobody_speaks_for_another() -> None:
    seen = Watched().begin()
    for sender in (STRANGER, RANK):
        seen.say(sender, "unit", unit=1, rank=0, outcome=PASS)
        for about in ("all", "born", "gone", "ready", "after", "start", "end"):
            seen.say(sender, about, unit=1, rank=0, pid=1, status=0, outcome=PASS, left=1)
    seen.say(STRANGER, "unit", unit=0, rank=0, outcome=PASS)
    seen.say(SIBLING, "gone", status=0)  # this one is not its to say, and makes it doubtful
    assert {outcome for _, _, outcome in seen.outcomes} == {"missing"}
    assert len(seen.outcomes) == 2


def test_the_first_word_of_a_rank_stands_and_how_it_ended_weighs_more() -> None:
    seen = Watched().begin()
    seen.say(RANK, "unit", unit=0, rank=0, outcome=PASS)
    seen.say(RANK, "unit", unit=0, rank=0, outcome={"outcome": "fail"})
    seen.say(SIBLING, "end", unit=0, rank=0, status=int(signal.SIGSEGV))
    assert seen.outcomes == [(0, 0, "crash")]
    assert seen.told[0]["outcome"]["signal"] == signal.SIGSEGV


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGRTMIN + 3])
def test_v17_every_signal_has_a_name_or_number(number: int) -> None:
    seen = Watched().begin()
    seen.say(SIBLING, "end", unit=0, rank=0, status=number)
    assert seen.told[0]["outcome"]["signal"] == number


def test_words_before_the_news_of_the_birth_are_heard_after_it() -> None:
    seen = Watched()
    seen.say(SIBLING, "ready")
    seen.say(SIBLING, "all", outcome={"outcome": "import_error"})
    assert seen.outcomes == []
    seen.say(PARENT, "born", pid=SIBLING)
    assert [outcome for _, _, outcome in seen.outcomes] == ["import_error"] * 2


def test_each_process_starts_and_ends_once_so_that_no_deadline_moves_for_ever() -> None:
    seen = Watched().begin()
    seen.say(SIBLING, "start", unit=0, rank=0, pid=RANK)
    assert [outcome for _, _, outcome in seen.outcomes] == ["missing"] * 2
    assert seen.watch.deadline is None


def test_v15_a_rank_has_its_time_and_its_sibling_no_more_than_the_grace() -> None:
    seen = Watched(timeout=0, setup=0).begin()
    seen.watch.enforce()
    assert seen.outcomes == []  # it was killed; its end is still to come
    time.sleep(0.001)
    seen.watch.enforce()
    assert [outcome for _, _, outcome in seen.outcomes] == ["timeout"] * 2
    assert seen.watch.deadline is None


def test_v19_the_rank_that_crashed_and_the_one_that_waited_are_told_apart() -> None:
    seen = Watched(timeout=0, ranks=(0, 1)).begin()
    seen.say(SIBLING, "start", unit=0, rank=1, pid=STRANGER)
    seen.say(SIBLING, "end", unit=0, rank=1, status=int(signal.SIGABRT))
    seen.watch.enforce()
    seen.say(SIBLING, "end", unit=0, rank=0, status=int(signal.SIGKILL))
    assert seen.outcomes == [(0, 1, "crash"), (0, 0, "timeout")]


def test_v18_after_its_death_what_is_open_ends_as_it_did_and_the_rest_stays() -> None:
    seen = Watched().begin()
    seen.say(RANK, "unit", unit=0, rank=0, outcome=PASS)
    seen.say(SIBLING, "end", unit=0, rank=0, status=0)
    seen.say(PARENT, "gone", status=int(signal.SIGKILL))
    assert seen.outcomes == [(0, 0, "pass"), (1, 0, "crash")]
    seen.watch.settle(0)
    assert len(seen.outcomes) == 2


def test_a_process_that_is_not_below_the_sibling_is_never_killed() -> None:
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        seen = Watched(timeout=0)
        seen.say(PARENT, "born", pid=SIBLING)
        seen.say(SIBLING, "start", unit=0, rank=0, pid=child)
        seen.watch.enforce()
        seen.watch.distrust()
        assert os.waitpid(child, os.WNOHANG) == (0, 0)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("left", [True, -1, 1 << 40, 0])
def test_a_senseless_count_of_what_was_left_is_no_leak(left: object) -> None:
    seen = Watched().begin()
    seen.say(SIBLING, "after", unit=0, left=left)
    assert [one.get("left") for one in seen.told if type(one.get("left")) is not int] == []
    assert all(one["left"] == 1 for one in seen.told)
