"""Events: the payload's file, the signature, and who hears of what."""

import hashlib
import hmac
import json
from pathlib import Path

from bot.sandbox import Hub
from tests.sandbox.talking import FORK, PULL, SHOP, TALK, Client


def test_a_comment_by_the_api_is_an_event(hub: Hub, bob: Client) -> None:
    made = bob.post(TALK, body="/bot test").json
    event = hub.events[-1]
    assert (event.name, event.action) == ("issue_comment", "created")
    assert event.payload["comment"] == made
    assert (event.payload["sender"]["login"], event.payload["issue"]["number"]) == ("bob", 1)
    assert event.payload["issue"]["pull_request"]["url"] == hub.url + PULL


def test_c9_an_edit_tells_what_stood_there_and_who_edited(hub: Hub) -> None:
    comment = hub.say(SHOP, 1, "eve", "hi")
    hub.edit(comment, "ada", "/bot apply")
    payload = hub.events[-1].payload
    assert payload["changes"] == {"body": {"from": "hi"}}
    assert (payload["sender"]["login"], payload["comment"]["user"]["login"]) == ("ada", "eve")


def test_the_file_is_what_a_workflow_reads(hub: Hub, tmp_path: Path) -> None:
    hub.say(SHOP, 1, "ada", "/bot test")
    path = hub.events[-1].write(tmp_path / "event.json")
    assert json.loads(path.read_bytes())["comment"]["body"] == "/bot test"


def test_the_signature_is_over_the_bytes_that_are_sent(hub: Hub) -> None:
    hub.say(SHOP, 1, "ada", "hi")
    event = hub.events[-1]
    headers = event.headers("secret")
    digest = hmac.new(b"secret", event.data, hashlib.sha256).hexdigest()
    assert headers["X-Hub-Signature-256"] == f"sha256={digest}"
    assert (headers["X-GitHub-Event"], headers["X-GitHub-Delivery"]) == ("issue_comment", event.delivery)


def test_a_push_is_told_once_with_both_ends(hub: Hub, bob: Client) -> None:
    before = hub.ref(SHOP, "pull/1/head")
    after = hub.commit(FORK, "fix", {"till.py": "three\n"})
    bob.get(PULL)
    bob.get(PULL)
    moved = [event.payload for event in hub.events if event.action == "synchronize"]
    assert [(one["before"], one["after"]) for one in moved] == [(before, after)]


def test_c35_a_review_is_an_event_of_its_own(hub: Hub) -> None:
    hub.review(SHOP, 1, "eve", "/bot apply")
    event = hub.events[-1]
    assert (event.name, event.payload["review"]["body"]) == ("pull_request_review", "/bot apply")


def test_refused_writes_are_no_events(hub: Hub, bob: Client) -> None:
    count = len(hub.events)
    bob.post(TALK, body="x" * 70_000)
    bob.post(f"/repos/{SHOP}/issues/1/labels", labels=["bug"])
    assert len(hub.events) == count
