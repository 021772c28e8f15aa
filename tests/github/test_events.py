"""Payloads of our own making: what becomes a comment, and why the others are ignored."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from bot import config
from bot.errors import BotError
from bot.github import events
from bot.github.events import Ignored, NewComment, PullChanged
from bot.report import replies

ANN = {"id": 11, "login": "ann", "type": "User"}


def payload(**changes: Any) -> dict[str, Any]:
    comment = {
        "id": 1,
        "user": ANN,
        "body": "/bot test",
        "created_at": "2026-08-01T00:00:00Z",
        "updated_at": "2026-08-01T00:00:00Z",
        "performed_via_github_app": None,
    }
    fields = {
        "action": "created",
        "comment": comment | changes.pop("comment", {}),
        "issue": {"number": 7, "pull_request": {}},
        "repository": {"id": 1, "full_name": "acme/shop"},
        "sender": ANN,
    }
    return fields | changes


def parse(fields: object, name: str = "", repo: str = "acme/shop") -> events.Event:
    return events.parse(json.dumps(fields).encode(), name, repo=repo)


def test_a_new_comment_is_read_whole() -> None:
    event = parse(payload())
    assert isinstance(event, NewComment)
    assert (event.repo, event.number, event.comment.body, event.sender.id) == (
        "acme/shop",
        7,
        "/bot test",
        11,
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (payload(action="edited"), replies.comment_action("edited")),
        (payload(action="deleted"), replies.comment_action("deleted")),
        (payload(issue={"number": 7}), replies.PLAIN_ISSUE),
        (payload(sender={"id": 5, "login": "eve"}), replies.OTHER_SENDER),
        (payload(repository={"id": 2, "full_name": "eve/shop"}), replies.OTHER_REPOSITORY),
        (payload(comment={"performed_via_github_app": {"id": 3}}), replies.BY_A_BOT),
        (payload(comment={"user": {"id": 11, "login": "x[bot]"}}), replies.BY_A_BOT),
        (payload(issue={"number": "7"}), replies.MALFORMED),
        ({"zen": "x"}, replies.other_event("")),
    ],
)
def test_c9_c36_what_is_not_for_us_is_ignored_with_its_reason(fields: dict[str, Any], reason: str) -> None:
    assert parse(fields) == Ignored(reason=reason)


def test_c35_a_review_is_never_read() -> None:
    assert parse({"action": "submitted", "review": {"body": "/bot apply"}}) == Ignored(reason=replies.REVIEW)


def test_a_changed_pull_request_is_told_by_its_action() -> None:
    fields = payload(action="synchronize", pull_request={"number": 7})
    event = parse(fields, "pull_request")
    assert isinstance(event, PullChanged)
    assert event.action == "synchronize"
    assert isinstance(parse(fields | {"action": "assigned"}, "pull_request"), Ignored)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'{"a":' * 9_000, b"[" * 90_000])
def test_what_is_no_event_stops_with_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(data)
    with pytest.raises(BotError, match="no JSON object"):
        events.read(path)
    with pytest.raises(BotError, match="cannot read"):
        events.read(tmp_path / "none.json")


def test_only_the_holder_of_the_secret_can_sign() -> None:
    good = "sha256=" + hmac.new(b"s", b"x", hashlib.sha256).hexdigest()
    assert events.is_signed(b"x", "s", good)
    assert not events.is_signed(b"y", "s", good)
    assert not events.is_signed(b"x", "", good)


def test_the_allow_list_holds_numbers_only() -> None:
    assert config.read({"UPSTREAM_BOT_ALLOW": "11, 12"}).allow == {11, 12}
    with pytest.raises(BotError, match="'ann'"):
        config.read({"UPSTREAM_BOT_ALLOW": "11,ann"})
