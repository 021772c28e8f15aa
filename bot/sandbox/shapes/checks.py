"""Check runs, workflow runs and Apps as GitHub shows them."""

import zlib
from typing import Any

from bot.model.hub import Account, Annotation
from bot.sandbox import backing
from bot.sandbox.clock import iso
from bot.sandbox.records import Check, Repository, Run
from bot.sandbox.shapes.accounts import node, simple
from bot.sandbox.shapes.repositories import api, minimal
from bot.sandbox.world import World


def app(world: World, slug: str) -> dict[str, Any]:
    """An App: its number comes from its slug, so that it is the same each time."""
    number = zlib.crc32(slug.encode()) % 1_000_000
    owner = Account(id=9919, login="github", kind="Organization")
    return {
        "id": number, "slug": slug, "node_id": node("A", number), "client_id": f"Iv1.{number:08x}",
        "owner": simple(world, owner), "name": slug, "description": "", "external_url": world.url,
        "html_url": f"{world.url}/apps/{slug}", "created_at": iso(0), "updated_at": iso(0),
        "permissions": {"checks": "write", "metadata": "read"}, "events": [],
    }  # fmt: skip


def check(world: World, repo: Repository, one: Check) -> dict[str, Any]:
    url, html = f"{api(world, repo)}/check-runs/{one.id}", f"{world.url}/{repo.full_name}/runs/{one.id}"
    output = {
        "title": one.title, "summary": one.summary, "text": one.text,
        "annotations_count": len(one.annotations), "annotations_url": f"{url}/annotations",
    }  # fmt: skip
    return {
        "id": one.id, "name": one.name, "node_id": node("CR", one.id), "head_sha": one.commit,
        "external_id": one.external, "url": url, "html_url": html, "details_url": one.details or html,
        "status": one.status, "conclusion": one.conclusion, "started_at": iso(one.started),
        "completed_at": None if one.completed is None else iso(one.completed), "output": output,
        "check_suite": {"id": one.id + 500_000}, "app": app(world, one.app), "pull_requests": [],
    }  # fmt: skip


def annotation(one: Annotation, blob: str) -> dict[str, Any]:
    return {
        "path": one.path, "start_line": one.first_line, "end_line": one.last_line, "start_column": None,
        "end_column": None, "annotation_level": one.level, "title": one.title, "message": one.message,
        "raw_details": None, "blob_href": blob,
    }  # fmt: skip


def run(world: World, repo: Repository, one: Run) -> dict[str, Any]:
    base = f"{api(world, repo)}/actions"
    url = f"{base}/runs/{one.id}"
    actor, made = simple(world, repo.owner), iso(one.created)
    return {
        "id": one.id, "name": one.name, "node_id": node("WFR", one.id), "head_branch": one.branch,
        "head_sha": one.commit, "path": one.path, "display_title": one.name, "run_number": one.id,
        "event": one.event, "status": one.status, "conclusion": one.conclusion, "workflow_id": 1,
        "check_suite_id": one.id, "check_suite_node_id": node("CS", one.id), "url": url,
        "html_url": f"{world.url}/{repo.full_name}/actions/runs/{one.id}", "pull_requests": [],
        "created_at": made, "updated_at": made, "run_started_at": made, "actor": actor,
        "triggering_actor": actor, "run_attempt": one.attempt, "referenced_workflows": [],
        "jobs_url": f"{url}/jobs", "logs_url": f"{url}/logs", "artifacts_url": f"{url}/artifacts",
        "check_suite_url": f"{api(world, repo)}/check-suites/{one.id}", "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun", "previous_attempt_url": None, "workflow_url": f"{base}/workflows/1",
        "head_commit": head_commit(repo, one.commit), "repository": minimal(world, repo),
        "head_repository": minimal(world, repo),
    }  # fmt: skip


def head_commit(repo: Repository, commit: str) -> dict[str, Any] | None:
    if backing.resolve(repo.git, commit) is None:
        return None
    (one,) = backing.log(repo.git, commit, limit=1)
    people = ({"name": who.name, "email": who.email} for who in (one.author, one.committer))
    author, committer = people
    return {
        "id": one.id, "tree_id": one.tree, "message": one.message, "timestamp": one.committer.date,
        "author": author, "committer": committer,
    }  # fmt: skip
