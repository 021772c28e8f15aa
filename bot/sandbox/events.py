"""Webhook events: built as GitHub builds them, kept in the world, and told to whoever listens."""

import hashlib
import hmac
import http.client
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bot.model.hub import Account
from bot.sandbox.clock import iso
from bot.sandbox.records import Comment, Label, Pull, Repository, Review
from bot.sandbox.shapes import accounts, conversation, pulls, repositories
from bot.sandbox.world import World


@dataclass(frozen=True, kw_only=True)
class Event:
    """`name` as in X-GitHub-Event; a second delivery of it has the same `delivery`."""

    name: str
    action: str
    delivery: str
    payload: Mapping[str, Any]

    @property
    def data(self) -> bytes:
        return json.dumps(self.payload).encode()

    def headers(self, secret: str) -> dict[str, str]:
        """What GitHub sends beside the payload, signed with `secret`."""
        digest = hmac.new(secret.encode(), self.data, hashlib.sha256).hexdigest()
        return {
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/sandbox",
            "X-GitHub-Event": self.name,
            "X-GitHub-Delivery": self.delivery,
            "X-Hub-Signature-256": f"sha256={digest}",
        }

    def write(self, path: Path) -> Path:
        """Write the payload as the file that GITHUB_EVENT_PATH names in a workflow."""
        path.write_bytes(self.data)
        return path


def post(event: Event, url: str, secret: str) -> int:
    """Deliver an event to an address, as a webhook; return the status that came back."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "localhost", place.port, timeout=10)
    try:
        connection.request("POST", place.path or "/", event.data, event.headers(secret))
        return connection.getresponse().status
    finally:
        connection.close()


def emit(world: World, name: str, action: str, payload: dict[str, Any]) -> Event:
    delivery = str(uuid.UUID(int=world.new_id()))
    event = Event(name=name, action=action, delivery=delivery, payload={"action": action, **payload})
    for _ in range(world.faults.deliveries()):
        world.events.append(event)
        world.outbox.append(event)
    return event


def surrounding(world: World, repo: Repository, sender: Account) -> dict[str, Any]:
    return {"repository": repositories.whole(world, repo), "sender": accounts.simple(world, sender)}


def issue_comment(world: World, repo: Repository, comment: Comment, action: str, sender: Account) -> Event:
    """`action` is created, edited or deleted."""
    pull = repo.pulls[comment.number]
    payload = {
        "issue": pulls.issue(world, repo, pull),
        "comment": conversation.comment(world, repo, comment, comment.body or "", world.present()),
    }
    if action == "edited":
        payload["changes"] = {"body": {"from": comment.versions[-2].text}}
    return emit(world, "issue_comment", action, payload | surrounding(world, repo, sender))


def pull_request(
    world: World, repo: Repository, pull: Pull, action: str, sender: Account, **more: Any
) -> Event:
    """`action` is opened, closed, reopened, converted_to_draft, ready_for_review, locked, …"""
    payload = {"number": pull.number, "pull_request": pulls.whole_pull(world, repo, pull)} | more
    return emit(world, "pull_request", action, payload | surrounding(world, repo, sender))


def moved(world: World, repo: Repository, pull: Pull, before: str) -> Event:
    """The head was pushed; it was `before`."""
    sender = world.repositories[pull.head_repo].owner
    ends = {"before": before, "after": pull.head}
    return pull_request(world, repo, pull, "synchronize", sender, **ends)


def labelled(world: World, repo: Repository, pull: Pull, label: Label, sender: Account) -> Event:
    """Whether it was put on or taken off is seen from the pull request."""
    action = "labeled" if label.name in pull.labels else "unlabeled"
    return pull_request(world, repo, pull, action, sender, label=pulls.label(world, repo, label))


def review(world: World, repo: Repository, pull: Pull, one: Review) -> Event:
    """A review that was handed in."""
    api = f"{repositories.api(world, repo)}/pulls/{pull.number}"
    html = f"{world.url}/{repo.full_name}/pull/{pull.number}#pullrequestreview-{one.id}"
    shown = {
        "id": one.id, "node_id": accounts.node("PRR", one.id), "user": accounts.simple(world, one.author),
        "body": one.body or None, "commit_id": one.commit, "submitted_at": iso(one.submitted),
        "state": one.state, "html_url": html, "pull_request_url": api, "author_association": "NONE",
        "_links": {"html": {"href": html}, "pull_request": {"href": api}},
    }  # fmt: skip
    listed = pulls.listed(world, repo, pull)
    payload = {"review": shown, "pull_request": listed} | surrounding(world, repo, one.author)
    return emit(world, "pull_request_review", "submitted", payload)
