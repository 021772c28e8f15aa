"""What goes wrong on purpose, seen from outside; the log counts it."""

import http.client
from collections.abc import Callable

import pytest

from bot.sandbox import Hub
from bot.sandbox.faults import Fault, Trouble
from tests.sandbox.talking import PULL, SHOP, TALK, Client

Clients = Callable[[str], Client]


@pytest.mark.parametrize("status", [500, 502, 503])
def test_the_next_answers_are_broken_and_then_it_works(hub: Hub, bob: Client, status: int) -> None:
    hub.fail.status(status, times=2, method="POST", path="*/comments")
    assert [bob.get(PULL).status, bob.post(TALK, body="a").status] == [200, status]
    assert [bob.post(TALK, body="b").status, bob.post(TALK, body="c").status] == [status, 201]
    assert [one["body"] for one in bob.get(TALK).json] == ["c"]


@pytest.mark.parametrize(("status", "wait"), [(403, None), (403, 60), (429, None), (429, 30)])
def test_c45_a_secondary_limit_with_and_without_retry_after(
    hub: Hub, bob: Client, status: int, wait: int | None
) -> None:
    hub.fail.limited(status, retry_after=wait)
    answer = bob.post(TALK, body="hi")
    assert answer.status == status
    assert answer.message.startswith("You have exceeded a secondary rate limit.")
    assert answer.headers.get("retry-after") == (str(wait) if wait else None)
    assert int(answer.headers["x-ratelimit-remaining"]) > 0
    assert bob.post(TALK, body="hi").status == 201


def test_the_hours_requests_run_out_and_come_back(hub: Hub, bob: Client, ada: Client) -> None:
    hub.clock.stop("2026-01-02T03:00:00Z")
    hub.world.limit = 3
    assert [bob.get(PULL).status for _ in range(4)] == [200, 200, 200, 403]
    refused = bob.get(PULL)
    assert refused.message.startswith("API rate limit exceeded for user ID")
    assert (refused.headers["x-ratelimit-remaining"], refused.headers["x-ratelimit-limit"]) == ("0", "3")
    reset = int(refused.headers["x-ratelimit-reset"])
    assert bob.get("/rate_limit").json["rate"]["remaining"] == 0
    assert ada.get(PULL).status == 200
    hub.clock.stop(float(reset))
    assert bob.get(PULL).status == 200


def test_the_limit_is_spent_at_once(hub: Hub, bob: Client) -> None:
    hub.fail.spent()
    assert (bob.get(PULL).status, bob.get(PULL).status) == (403, 403)


def test_a_connection_dies_before_anything_happened(hub: Hub, bob: Client) -> None:
    hub.fail.reset(method="POST")
    with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
        bob.post(TALK, body="hi")
    assert bob.get(TALK).json == []
    assert (hub.log[0].status, hub.log[0].fault, hub.log[0].wrote) == (0, "reset", False)


def test_a_connection_dies_after_the_write_happened(hub: Hub, bob: Client) -> None:
    hub.fail.dead(method="POST")
    with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
        bob.post(TALK, body="hi")
    assert [one["body"] for one in bob.get(TALK).json] == ["hi"]
    assert (hub.log[0].status, hub.log[0].fault, hub.log[0].wrote) == (0, "dead", True)


def test_lists_stay_stale_for_some_reads(hub: Hub, bob: Client) -> None:
    hub.say(SHOP, 1, "ada", "old")
    hub.fail.stale_lists(2)
    made = bob.post(TALK, body="new").json
    assert [len(bob.get(TALK).json) for _ in range(3)] == [1, 1, 2]
    assert made["body"] == "new"


def test_a_stale_list_shows_old_texts_and_what_was_deleted_since(hub: Hub, bob: Client) -> None:
    edited, deleted = hub.say(SHOP, 1, "bob", "before"), hub.say(SHOP, 1, "bob", "doomed")
    hub.fail.stale_lists(1)
    hub.edit(edited, "bob", "after")
    hub.remove(deleted, "bob")
    assert [one["body"] for one in bob.get(TALK).json] == ["before", "doomed"]
    assert [one["body"] for one in bob.get(TALK).json] == ["after"]


def test_lists_lag_behind_by_the_clock_and_settle(hub: Hub, bob: Client) -> None:
    hub.clock.stop("2026-01-02T03:00:00Z")
    hub.fail.lag(30)
    made = bob.post(TALK, body="new").json
    hub.clock.advance(29)
    assert bob.get(TALK).json == []
    assert bob.get(f"/repos/{SHOP}/issues/comments/{made['id']}").status == 200
    hub.clock.advance(1)
    assert len(bob.get(TALK).json) == 1


def test_reactions_are_stale_too(hub: Hub, bob: Client) -> None:
    here = f"/repos/{SHOP}/issues/comments/{hub.say(SHOP, 1, 'ada', 'hi')}/reactions"
    hub.fail.stale_lists(1)
    bob.post(here, content="eyes")
    assert [len(bob.get(here).json) for _ in range(2)] == [0, 1]


def test_an_answer_is_late(hub: Hub, bob: Client) -> None:
    hub.fail.slow(0.2, path=PULL)
    assert bob.get(PULL).status == 200
    assert hub.log[-1].fault == "slow"


def test_c11_an_event_is_delivered_twice_under_one_number(hub: Hub) -> None:
    heard: list[str] = []
    hub.listen(lambda event: heard.append(event.delivery))
    hub.fail.twice()
    hub.say(SHOP, 1, "ada", "/bot test")
    hub.say(SHOP, 1, "ada", "/bot help")
    assert len(heard) == 3
    assert len(set(heard)) == 2


def test_a_fault_waits_for_its_turn(hub: Hub, bob: Client) -> None:
    hub.fail.play(Fault(trouble=Trouble.STATUS, status=401, message="Bad credentials", skip=2))
    assert [bob.get(PULL).status for _ in range(4)] == [200, 200, 401, 200]


def test_faults_are_cleared(hub: Hub, bob: Client) -> None:
    hub.fail.status(500, times=9)
    hub.fail.stale_head(SHOP, 1, 9)
    hub.fail.lag(9)
    hub.fail.clear()
    assert bob.get(PULL).status == 200


def test_the_log_counts_requests_by_who_asked(hub: Hub, ada: Client, bob: Client) -> None:
    ada.get(PULL)
    bob.post(TALK, body="hi")
    assert [(one.method, one.status, one.who) for one in hub.log] == [
        ("GET", 200, "ada"),
        ("POST", 201, "bob"),
    ]
    assert [one.path for one in hub.writes()] == [TALK]
    hub.forget_log()
    assert hub.log == ()
