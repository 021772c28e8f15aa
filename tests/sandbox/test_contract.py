"""Every route of the table is walked once, and what it answers is what GitHub's own description says."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from bot.sandbox import Hub
from bot.sandbox.routes import ROUTES, find
from tests.sandbox.conftest import EVENTS
from tests.sandbox.contract import Contract, judge_event, strange_keys
from tests.sandbox.talking import PULL, SHOP, TALK, Client

REPO = f"/repos/{SHOP}"
#: Keys that the schemas have and the older examples have not.
YOUNGER = (
    "allow_forking",
    "has_discussions",
    "custom_properties",
    "pull_request",
    "state_reason",
    "timeline_url",
)


def walk(hub: Hub, ada: Client, actions: Client, app: Client) -> list[tuple[str, str, int]]:
    """Ask for everything once, as somebody who may; return what was asked, with the status."""
    walked: list[tuple[str, str, int]] = []

    def ask(client: Client, method: str, path: str, **body: Any) -> Any:
        answer = client.ask(method, path, body or None)
        walked.append((method, path.partition("?")[0], answer.status))
        return answer.json if answer.data else None

    head = hub.ref(SHOP, "pull/1/head")
    hub.run(SHOP, branch="pull-request/1", commit=str(head))
    for path in ("/user", "/users/bob", "/rate_limit", REPO, f"{REPO}/collaborators/bob/permission"):
        ask(ada, "GET", path)
    ask(app, "POST", "/app/installations/7/access_tokens")
    for path in (
        "branches",
        "branches/main",
        "git/ref/heads/main",
        f"commits/{head}",
        f"compare/main...{head}",
    ):
        ask(ada, "GET", f"{REPO}/{path}")
    walk_pulls(hub, ada, ask)
    comment = f"{REPO}/issues/comments/{ask(ada, 'POST', TALK, body='hello')['id']}"
    reaction = ask(ada, "POST", f"{comment}/reactions", content="eyes")["id"]
    for path in (TALK, comment, f"{comment}/reactions", f"{REPO}/issues/1"):
        ask(ada, "GET", path)
    ask(ada, "DELETE", f"{comment}/reactions/{reaction}")
    ask(ada, "PATCH", comment, body="hello again")
    ask(ada, "DELETE", comment)
    labels = f"{REPO}/issues/1/labels"
    ask(ada, "POST", labels, labels=["needs vetting"])
    ask(ada, "GET", labels)
    ask(ada, "DELETE", f"{labels}/needs%20vetting")
    walk_checks(actions, str(head), ask)
    return walked


def walk_pulls(hub: Hub, ada: Client, ask: Callable[..., Any]) -> None:
    hub.commit(SHOP, "topic", {"topic.py": "x\n"})
    for path in (f"{REPO}/pulls?state=all", PULL, PULL, f"{PULL}/commits", f"{PULL}/files"):
        ask(ada, "GET", path)
    ask(ada, "POST", f"{REPO}/pulls", title="A topic", head="topic", base="main", body="why", draft=True)
    ask(ada, "PATCH", PULL, title="Fix the till at last", body="It was broken.")


def walk_checks(actions: Client, head: str, ask: Callable[..., Any]) -> None:
    made = ask(
        actions,
        "POST",
        f"{REPO}/check-runs",
        name="bot",
        head_sha=head,
        status="in_progress",
        external_id="1",
    )
    here = f"{REPO}/check-runs/{made['id']}"
    note = {
        "path": "till.py",
        "start_line": 1,
        "end_line": 1,
        "annotation_level": "notice",
        "message": "look",
    }
    output = {"title": "done", "summary": "all of it", "annotations": [note]}
    ask(actions, "PATCH", here, conclusion="neutral", output=output)
    for path in (here, f"{here}/annotations", f"{REPO}/commits/{head}/check-runs", f"{REPO}/actions/runs"):
        ask(actions, "GET", path)


def test_every_route_is_walked_and_answers_as_github_describes(
    hub: Hub, ada: Client, actions: Client, client: Callable[[str], Client], github: Contract | None
) -> None:
    if github is None:
        pytest.skip("GitHub's OpenAPI description is not there: npm or the network is missing")
    walked = walk(hub, ada, actions, client(hub.app_jwt("upstream-bot")))
    assert {status for _, _, status in walked} == {200, 201, 204}
    found = [find(method, path) for method, path, _ in walked]
    assert {id(hit[0]) for hit in found if hit} == {id(route) for route in ROUTES}


def test_an_answer_that_github_would_not_give_is_noticed(ada: Client, github: Contract | None) -> None:
    if github is None:
        pytest.skip("GitHub's OpenAPI description is not there: npm or the network is missing")
    right = ada.get(PULL)
    for wrong in ({"head": None}, {"number": "1"}, {"created_at": "yesterday"}, {"state": "ajar"}):
        github.problems.clear()
        github.check("GET", PULL, 200, json.dumps(right.json | wrong).encode())
        assert github.problems, wrong


def test_every_route_is_one_of_githubs(github: Contract | None) -> None:
    if github is None:
        pytest.skip("GitHub's OpenAPI description is not there: npm or the network is missing")
    theirs = {
        (method.upper(), re.sub(r"{\w+}", "{}", path))
        for path, calls in github.openapi["paths"].items()
        for method in calls
    }
    ours = {(route.method, re.sub(r"{\w+\*?}", "{}", route.path)) for route in ROUTES}
    assert ours <= theirs


def test_events_are_shaped_as_githubs(
    hub: Hub, webhooks: tuple[Any, Any], pytestconfig: pytest.Config
) -> None:
    schemas, examples = webhooks
    make_events(hub)
    counts: dict[str, int] = {}
    problems: list[str] = []
    for event in hub.events:
        payload = dict(event.payload)
        counts[f"{event.name} {event.action}"] = counts.get(f"{event.name} {event.action}", 0) + 1
        problems += judge_event(schemas, event.name, event.action, payload)
        known = next(one["examples"] for one in examples if one["name"] == event.name)
        strange = strange_keys(payload, known)
        problems += [one for one in strange if not one.partition(":")[0].endswith(YOUNGER)]
    pytestconfig.stash[EVENTS] = counts
    assert sorted(set(problems)) == []
    assert len(counts) == 12


def make_events(hub: Hub) -> None:
    comment = hub.say(SHOP, 1, "ada", "/bot test")
    hub.edit(comment, "ada", "/bot help")
    hub.remove(comment, "ada")
    hub.commit("bob/shop", "fix", {"till.py": "three\n"})
    hub.refresh(SHOP)
    hub.review(SHOP, 1, "ada", "good")
    hub.label(SHOP, 1, "bug")
    hub.draft(SHOP, 1)
    hub.draft(SHOP, 1, draft=False)
    hub.lock(SHOP, 1)
    hub.lock(SHOP, 1, locked=False)
    hub.merge(SHOP, 1)
