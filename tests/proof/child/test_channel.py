"""Messages between processes that do not trust each other: whole, told by sender, never too large."""

import os
import socket
from collections.abc import Iterator

import pytest

from bot.proof.child import channel, outcome

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, theirs = channel.pair()
    with ours, theirs:
        yield ours, theirs


def test_the_kernel_names_the_sender_even_after_its_end(ends: Ends) -> None:
    ours, theirs = ends
    child = os.fork()
    if child == 0:
        channel.send(theirs, {"sender": 1})  # whatever it claims to be
        os._exit(0)
    os.waitpid(child, 0)
    assert channel.hear(ours) == channel.Heard(sender=child, message={"sender": 1})


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"[" * 100_000, b"\xff", b'"text"', b"1" * 5000])
def test_v27_what_is_no_object_is_heard_as_nothing_and_is_not_the_end(ends: Ends, data: bytes) -> None:
    ours, theirs = ends
    theirs.send(data)
    channel.send(theirs, {"after": "it"})
    assert channel.hear(ours) == channel.Heard(sender=os.getpid(), message=None)
    assert channel.receive(ours) == {"after": "it"}


def test_descriptors_that_come_along_are_not_taken(ends: Ends) -> None:
    ours, theirs = ends
    before = set(os.listdir("/proc/self/fd"))
    socket.send_fds(theirs, [b"{}"], [0] * 100)
    assert channel.receive(ours) == {}
    assert set(os.listdir("/proc/self/fd")) == before


def test_the_end_of_all_writers_and_an_empty_queue_are_none(ends: Ends) -> None:
    ours, theirs = ends
    assert channel.hear(ours, wait=False) is None
    theirs.close()
    assert channel.hear(ours) is None


def test_the_largest_outcome_fits_and_a_larger_message_hurts_nobody(ends: Ends) -> None:
    ours, theirs = ends
    wide = "\0" * 9999
    made = outcome.make("fail", wide, exception=wide, message="\U0001f600" * 9999, function="\ud800" * 9999)
    channel.send(theirs, {"about": "unit", "outcome": made})
    heard = channel.receive(ours)
    assert heard is not None
    assert heard["outcome"] == made
    channel.send(theirs, {"too": "large" * 100_000})
    assert channel.hear(ours, wait=False) is None


@pytest.mark.parametrize(
    "said", [{}, {"outcome": "timeout"}, {"outcome": None}, {"outcome": "pass", "reason": 1}]
)
def test_v27_what_is_no_outcome_becomes_missing(said: dict[str, object]) -> None:
    assert outcome.checked(said)["outcome"] == "missing"


def test_an_outcome_keeps_what_the_contract_knows_and_nothing_else() -> None:
    said = outcome.make("fail", "why", exception="E", message="m", function="f", fault_hits=2, seconds=0.5)
    assert outcome.checked(said | {"secret": "x", "signal": 9}) == said
