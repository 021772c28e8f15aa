"""The process launcher: what goes in and comes out, however large, and deadlines."""

import time

import pytest

from bot import proc
from bot.errors import BotError
from bot.git.beside import beside

LARGE = b"0123456789abcdef" * 400_000


def test_what_is_larger_than_any_pipe_goes_through_both_ways() -> None:
    done = proc.run(["sh", "-c", "tee /dev/stderr"], data=LARGE)
    assert (done.code, done.out, done.err) == (0, LARGE, LARGE)


def test_a_process_that_wants_none_of_its_input_is_no_failure() -> None:
    assert proc.run(["true"], data=LARGE).code == 0


def test_the_exit_code_and_the_last_complaint_are_kept() -> None:
    done = proc.run(["sh", "-c", "echo out; echo first >&2; echo last >&2; exit 3"])
    assert (done.code, done.text, done.complaint) == (3, "out", "last")


@pytest.mark.parametrize("command", ["sleep 60", "exec >&- 2>&-; sleep 60", "yes"])
def test_what_does_not_end_in_time_is_killed(command: str) -> None:
    began = time.monotonic()
    with pytest.raises(BotError, match="did not end within"):
        proc.run(["sh", "-c", command], timeout=0.3)
    assert time.monotonic() - began < 30


def test_work_beside_other_work_gives_its_result_or_raises_where_it_is_waited_for() -> None:
    assert beside(lambda: 7).result() == 7

    def fail() -> int:
        raise BotError("no", "")

    failing = beside(fail)
    with pytest.raises(BotError, match="no"):
        failing.result()
