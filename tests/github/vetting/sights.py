"""Pull requests as upstream's API shows them, one fact changed at a time."""

from typing import Any

from bot.model.hub import Account, CheckRun, Comment, Commit, Pull, Repository, Side, WorkflowRun
from bot.model.patch import Vetting
from bot.model.vetting import Seen

HEAD, OLD, BASE = "a1" * 20, "b2" * 20, "c3" * 20
NOW = "2026-08-12T12:00:00Z"
GATE = Account(id=9, login="copy-pr-bot[bot]", kind="Bot")
VETTER = Account(id=2, login="vetter")
STRANGER = Account(id=3, login="stranger")
US = Account(id=4, login="carrier")
RULES = Vetting(ask="@NVIDIA/mcore-oncall")


def a_pull(**changed: Any) -> Pull:
    place = Repository(id=1, name="NVIDIA/Megatron-LM", default_branch="main")
    fork = Repository(id=7, name="carrier/Megatron-LM", default_branch="main")
    plain: dict[str, Any] = {
        "number": 6856,
        "title": "Keep the promised strong reference",
        "body": "",
        "author": US,
        "base": Side(branch="main", commit=BASE, repository=place),
        "head": Side(branch="fix", commit=HEAD, repository=fork),
        "open": True,
        "merged": False,
        "draft": False,
        "locked": False,
        "labels": (),
        "merge_commit": "d4" * 20,
        "created": "2026-08-10T09:00:00Z",
        "url": "",
    }
    return Pull(**plain | changed)


def a_comment(number: int, author: Account, body: str) -> Comment:
    return Comment(id=number, author=author, body=body, created=NOW, updated=NOW)


def waits() -> Comment:
    return a_comment(
        100, GATE, "This pull request requires additional validation before any workflows can run"
    )


def a_check(
    name: str, conclusion: str = "success", commit: str = HEAD, app: str = "github-actions"
) -> CheckRun:
    status = "completed" if conclusion else "in_progress"
    return CheckRun(
        id=abs(hash(name)) % 10**6,
        name=name,
        status=status,
        conclusion=conclusion,
        app=app,
        commit=commit,
        url="",
    )


def a_run(**changed: Any) -> WorkflowRun:
    plain: dict[str, Any] = {
        "id": 1, "name": "CICD", "event": "push", "branch": "pull-request/6856", "commit": HEAD,
        "status": "completed", "conclusion": "success", "attempt": 1, "created": NOW, "url": "",
    }  # fmt: skip
    return WorkflowRun(**plain | changed)


def a_commit(**changed: Any) -> Commit:
    plain: dict[str, Any] = {
        "id": HEAD,
        "message": "Keep it\n\nSigned-off-by: Ann Author <ann@example.org>",
        "author": "Ann Author <ann@example.org>",
        "committer": "Ann Author <ann@example.org>",
        "account": US,
        "verified": True,
        "verification": "valid",
    }
    return Commit(**plain | changed)


def a_sight(**changed: Any) -> Seen:
    """Opened, and the gate waits for a vetter."""
    plain: dict[str, Any] = {
        "vetting": RULES,
        "pull": a_pull(),
        "now": NOW,
        "comments": (waits(),),
        "me": US.id,
    }
    return Seen(**plain | changed)


def vetted(**changed: Any) -> Seen:
    return a_sight(mirror=HEAD, **changed)
