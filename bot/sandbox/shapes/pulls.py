"""Pull requests as GitHub shows them."""

from typing import Any

from bot.sandbox import standing
from bot.sandbox.clock import iso
from bot.sandbox.records import Label, Pull, Repository
from bot.sandbox.shapes.accounts import node, simple
from bot.sandbox.shapes.repositories import api, whole
from bot.sandbox.world import World

COMMENTS = {"comments_url": "/issues/{n}/comments", "issue_url": "/issues/{n}"}
LINKS = {
    "self": "/pulls/{n}", "issue": "/issues/{n}", "comments": "/issues/{n}/comments",
    "review_comments": "/pulls/{n}/comments", "review_comment": "/pulls/comments{{/number}}",
    "commits": "/pulls/{n}/commits", "statuses": "/statuses/{head}",
}  # fmt: skip


def label(world: World, repo: Repository, one: Label) -> dict[str, Any]:
    return {
        "id": one.id, "node_id": node("LA", one.id), "url": f"{api(world, repo)}/labels/{one.name}",
        "name": one.name, "color": one.color, "default": False, "description": one.description,
    }  # fmt: skip


def labels(world: World, repo: Repository, pull: Pull) -> list[dict[str, Any]]:
    return [label(world, repo, repo.labels[name]) for name in pull.labels]


def side(world: World, repo: Repository | None, branch: str, commit: str) -> dict[str, Any]:
    """One end; a deleted fork leaves `repo` null, and its owner where the account still stands."""
    there = repo is not None and not repo.deleted
    owner = repo.owner if repo else None
    return {
        "label": f"{owner.login}:{branch}" if owner else f"unknown repository:{branch}", "ref": branch,
        "sha": commit, "user": simple(world, owner) if owner else None,
        "repo": whole(world, repo) if repo and there else None,
    }  # fmt: skip


def listed(world: World, repo: Repository, pull: Pull, head: str = "") -> dict[str, Any]:
    """One of a list; `head` replaces the true one where an older one is still shown."""
    head = head or pull.head
    url, html = api(world, repo), f"{world.url}/{repo.full_name}/pull/{pull.number}"
    links = {name: url + end.format(n=pull.number, head=head) for name, end in LINKS.items()}
    source = world.repositories.get(pull.head_repo)
    return {
        "id": pull.id, "node_id": node("PR", pull.id), "number": pull.number, "url": links["self"],
        "html_url": html, "diff_url": f"{html}.diff", "patch_url": f"{html}.patch",
        "issue_url": links["issue"], "commits_url": links["commits"], "comments_url": links["comments"],
        "review_comments_url": links["review_comments"], "review_comment_url": links["review_comment"],
        "statuses_url": links["statuses"], "state": "open" if pull.open else "closed", "locked": pull.locked,
        "title": pull.title, "body": pull.body or None, "user": simple(world, pull.author),
        "labels": labels(world, repo, pull), "milestone": None, "assignee": None, "assignees": [],
        "requested_reviewers": [simple(world, one) for one in pull.reviewers], "requested_teams": [],
        "draft": pull.draft, "created_at": iso(pull.created), "updated_at": iso(pull.updated),
        "closed_at": moment(pull.closed), "merged_at": moment(pull.merged_at), "auto_merge": None,
        "merge_commit_sha": None if pull.thinking else pull.merge_commit,
        "author_association": standing.association(repo, pull.author), "active_lock_reason": None,
        "head": side(world, source, pull.head_branch, head),
        "base": side(world, repo, pull.base, pull.base_commit),
        "_links": {name: {"href": link} for name, link in links.items()} | {"html": {"href": html}},
    }  # fmt: skip


def moment(time: float | None) -> str | None:
    return None if time is None else iso(time)


def whole_pull(world: World, repo: Repository, pull: Pull, head: str = "") -> dict[str, Any]:
    """One that was asked for by its number."""
    ready = None if pull.thinking else pull.mergeable
    state = {None: "unknown", True: "draft" if pull.draft else "clean", False: "dirty"}[ready]
    return listed(world, repo, pull, head) | {
        "merged": pull.merged, "mergeable": ready, "mergeable_state": state, "rebaseable": ready,
        "merged_by": simple(world, pull.merger) if pull.merger else None, "review_comments": 0,
        "comments": len(world.conversation(repo, pull.number, world.present())),
        "maintainer_can_modify": pull.open and pull.head_repo != repo.id,
        "commits": len(pull.commits),
        "additions": sum(file.additions for file in pull.files),
        "deletions": sum(file.deletions for file in pull.files), "changed_files": len(pull.files),
    }  # fmt: skip


def issue(world: World, repo: Repository, pull: Pull) -> dict[str, Any]:
    """The same pull request as an issue, which its conversation is."""
    url, shown = api(world, repo), listed(world, repo, pull)
    here = f"{url}/issues/{pull.number}"
    kept = (
        "id", "node_id", "number", "html_url", "state", "locked", "title", "body", "user", "labels",
        "milestone", "assignee", "assignees", "draft", "created_at", "updated_at", "closed_at",
        "author_association", "active_lock_reason", "comments_url",
    )  # fmt: skip
    linked = {name: shown[name] for name in ("url", "html_url", "diff_url", "patch_url", "merged_at")}
    return {name: shown[name] for name in kept} | {
        "url": here, "repository_url": url, "labels_url": f"{here}/labels{{/name}}",
        "events_url": f"{here}/events", "pull_request": linked, "state_reason": None,
        "comments": len(world.conversation(repo, pull.number, world.present())),
        "reactions": no_reactions(here), "timeline_url": f"{here}/timeline",
        "performed_via_github_app": None,
    }  # fmt: skip


def no_reactions(url: str) -> dict[str, Any]:
    names = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
    return {"url": f"{url}/reactions", "total_count": 0} | dict.fromkeys(names, 0)
