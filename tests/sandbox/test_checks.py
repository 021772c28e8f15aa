"""Check runs and workflow runs."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.sandbox import Hub
from tests.sandbox.talking import SHOP, Client

CHECKS = f"/repos/{SHOP}/check-runs"
Clients = Callable[[str], Client]


@pytest.fixture
def head(hub: Hub) -> str:
    return str(hub.ref(SHOP, "pull/1/head"))


def notes(count: int) -> list[dict[str, Any]]:
    note = {"path": "till.py", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "no"}
    return [note] * count


def output(count: int, **more: Any) -> dict[str, Any]:
    return {"title": "t", "summary": "s", "annotations": notes(count)} | more


def test_people_may_not_make_check_runs(hub: Hub, ada: Client, client: Clients, head: str) -> None:
    answer = ada.post(CHECKS, name="bot", head_sha=head)
    assert (answer.status, answer.message) == (403, "You must authenticate via a GitHub App.")
    fine = client(hub.fine_token("ada", SHOP, rights={"checks": "write"})).post(
        CHECKS, name="bot", head_sha=head
    )
    assert (fine.status, fine.message) == (403, "Resource not accessible by personal access token")


def test_a_workflow_makes_and_finishes_one(actions: Client, ada: Client, head: str) -> None:
    made = actions.post(CHECKS, name="bot", head_sha=head, status="in_progress", external_id="7")
    assert (made.status, made.json["status"], made.json["conclusion"]) == (201, "in_progress", None)
    done = actions.patch(f"{CHECKS}/{made.json['id']}", conclusion="neutral", output=output(1)).json
    assert (done["status"], done["conclusion"], done["external_id"]) == ("completed", "neutral", "7")
    (listed,) = ada.get(f"/repos/{SHOP}/commits/{head}/check-runs").json["check_runs"]
    assert listed["app"]["slug"] == "github-actions"


def test_c44_annotations_come_fifty_a_request_and_add_up(actions: Client, head: str) -> None:
    here = f"{CHECKS}/{actions.post(CHECKS, name='bot', head_sha=head).json['id']}"
    for count in (50, 50, 37):
        assert actions.patch(here, output=output(count)).status == 200
    refused = actions.patch(here, output=output(51))
    assert refused.status == 422
    assert refused.message.endswith("No more than 50 items are allowed; 51 were supplied.")
    assert actions.get(here).json["output"]["annotations_count"] == 137
    assert len(actions.get(f"{here}/annotations?per_page=100").json) == 100


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "completed"},
        {"conclusion": "fine"},
        {"status": "done"},
        {"output": {"title": "no summary"}},
        {"output": {"summary": "no title"}},
        {"output": output(0, summary="x" * 65_536)},
        {"output": output(0, annotations=[{"path": "till.py"}])},
        {"output": output(0, annotations=[notes(1)[0] | {"annotation_level": "loud"}])},
        {"conclusion": "success", "completed_at": "late"},
    ],
)
def test_wrong_check_runs_are_refused_and_leave_nothing(
    actions: Client, head: str, wrong: dict[str, Any]
) -> None:
    assert actions.post(CHECKS, name="bot", head_sha=head, **wrong).status == 422
    assert actions.get(f"/repos/{SHOP}/commits/{head}/check-runs").json["total_count"] == 0


def test_a_commit_that_is_not_there_is_refused(actions: Client) -> None:
    answer = actions.post(CHECKS, name="bot", head_sha="0" * 40)
    assert (answer.status, answer.message) == (422, f"No commit found for SHA: {'0' * 40}")


def test_only_the_app_that_made_it_changes_it(hub: Hub, actions: Client, client: Clients, head: str) -> None:
    here = f"{CHECKS}/{actions.post(CHECKS, name='bot', head_sha=head).json['id']}"
    answer = client(hub.app_token("other", SHOP)).patch(here, conclusion="success")
    assert answer.status == 403
    assert answer.message.startswith("Invalid app_id")


def test_the_newest_of_each_name_is_listed_unless_all_are_asked_for(hub: Hub, ada: Client, head: str) -> None:
    hub.check(SHOP, head, "CI", conclusion="failure")
    hub.check(SHOP, head, "CI", status="in_progress")
    hub.check(SHOP, head, "lint")
    here = f"/repos/{SHOP}/commits/{head}/check-runs"
    assert [(one["name"], one["status"]) for one in ada.get(here).json["check_runs"]] == [
        ("CI", "in_progress"), ("lint", "completed"),
    ]  # fmt: skip
    assert ada.get(f"{here}?filter=all&per_page=2").json["total_count"] == 3
    assert ada.get(f"{here}?check_name=lint").json["total_count"] == 1


def test_workflow_runs_are_filtered_and_newest_first(hub: Hub, ada: Client, head: str) -> None:
    hub.run(SHOP, branch="pull-request/1", commit=head, status="waiting", conclusion=None)
    hub.run(SHOP, branch="main", commit=str(hub.ref(SHOP, "heads/main")), attempt=2)
    here = f"/repos/{SHOP}/actions/runs"
    assert [one["head_branch"] for one in ada.get(here).json["workflow_runs"]] == ["main", "pull-request/1"]
    for query in (f"head_sha={head}", "branch=pull-request/1", "status=waiting"):
        (run,) = ada.get(f"{here}?{query}").json["workflow_runs"]
        assert (run["status"], run["conclusion"]) == ("waiting", None)
    assert ada.get(f"{here}?event=pull_request").json["workflow_runs"] == []
