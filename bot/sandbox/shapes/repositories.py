"""Repositories and their refs as GitHub shows them."""

from typing import Any

from bot.sandbox import backing
from bot.sandbox.clock import iso
from bot.sandbox.records import Repository
from bot.sandbox.shapes.accounts import node, simple
from bot.sandbox.world import World

LINKS = {
    "archive": "/{archive_format}{/ref}", "assignees": "/assignees{/user}", "blobs": "/git/blobs{/sha}",
    "branches": "/branches{/branch}", "collaborators": "/collaborators{/collaborator}",
    "comments": "/comments{/number}", "commits": "/commits{/sha}", "compare": "/compare/{base}...{head}",
    "contents": "/contents/{+path}", "contributors": "/contributors", "deployments": "/deployments",
    "downloads": "/downloads", "events": "/events", "forks": "/forks", "git_commits": "/git/commits{/sha}",
    "git_refs": "/git/refs{/sha}", "git_tags": "/git/tags{/sha}", "hooks": "/hooks",
    "issue_comment": "/issues/comments{/number}", "issue_events": "/issues/events{/number}",
    "issues": "/issues{/number}", "keys": "/keys{/key_id}", "labels": "/labels{/name}",
    "languages": "/languages", "merges": "/merges", "milestones": "/milestones{/number}",
    "notifications": "/notifications{?since,all,participating}", "pulls": "/pulls{/number}",
    "releases": "/releases{/id}", "stargazers": "/stargazers", "statuses": "/statuses/{sha}",
    "subscribers": "/subscribers", "subscription": "/subscription", "tags": "/tags", "teams": "/teams",
    "trees": "/git/trees{/sha}",
}  # fmt: skip
COUNTS = {
    "forks": 0, "forks_count": 0, "open_issues": 0, "open_issues_count": 0, "size": 0, "stargazers_count": 0,
    "watchers": 0, "watchers_count": 0,
}  # fmt: skip
FEATURES = {
    "has_projects": False,
    "has_wiki": False,
    "has_pages": False,
    "has_downloads": True,
    "has_discussions": False,
}


def api(world: World, repo: Repository) -> str:
    return f"{world.url}/repos/{repo.full_name}"


def minimal(world: World, repo: Repository) -> dict[str, Any]:
    url = api(world, repo)
    return {
        "id": repo.id, "node_id": node("R", repo.id), "name": repo.name, "full_name": repo.full_name,
        "owner": simple(world, repo.owner), "private": repo.private, "description": None,
        "html_url": f"{world.url}/{repo.full_name}", "fork": repo.parent is not None, "url": url,
    } | {f"{name}_url": url + end for name, end in LINKS.items()}  # fmt: skip


def whole(world: World, repo: Repository) -> dict[str, Any]:
    html, born = f"{world.url}/{repo.full_name}", iso(repo.created)
    return minimal(world, repo) | COUNTS | FEATURES | {
        "clone_url": f"{html}.git", "git_url": f"{html}.git", "ssh_url": f"{html}.git", "svn_url": html,
        "default_branch": repo.default_branch, "homepage": None, "language": None, "license": None,
        "archived": False, "disabled": False, "mirror_url": None, "has_issues": repo.issues,
        "visibility": "private" if repo.private else "public", "topics": [],
        "custom_properties": {}, "is_template": False,
        "allow_forking": True, "web_commit_signoff_required": False,
        "pushed_at": born, "created_at": born, "updated_at": born,
    }  # fmt: skip


def full(world: World, repo: Repository) -> dict[str, Any]:
    """One repository, asked for by name."""
    parent = world.repositories.get(repo.parent or 0)
    kin = {"parent": whole(world, parent), "source": whole(world, parent)} if parent else {}
    return whole(world, repo) | {"network_count": 0, "subscribers_count": 0} | kin


def branch(world: World, repo: Repository, name: str, commit: str) -> dict[str, Any]:
    link = f"{api(world, repo)}/commits/{commit}"
    return {"name": name, "commit": {"sha": commit, "url": link}, "protected": False}


def ref(world: World, repo: Repository, name: str, commit: str) -> dict[str, Any]:
    base = f"{api(world, repo)}/git"
    return {
        "ref": f"refs/{name}", "node_id": node(f"REF:{name}", repo.id), "url": f"{base}/refs/{name}",
        "object": {"type": "commit", "sha": commit, "url": f"{base}/commits/{commit}"},
    }  # fmt: skip


def commit(world: World, repo: Repository, logged: backing.Logged) -> dict[str, Any]:
    url = f"{api(world, repo)}/commits/{logged.id}"
    git_url = f"{api(world, repo)}/git"
    html = f"{world.url}/{repo.full_name}/commit/"
    return {
        "sha": logged.id, "node_id": node(f"C:{logged.id}", repo.id), "url": url,
        "html_url": html + logged.id,
        "comments_url": f"{url}/comments", "author": taken_for(world, logged.author),
        "committer": taken_for(world, logged.committer),
        "commit": {
            "message": logged.message, "comment_count": 0, "url": f"{git_url}/commits/{logged.id}",
            "author": person(logged.author), "committer": person(logged.committer),
            "tree": {"sha": logged.tree, "url": f"{git_url}/trees/{logged.tree}"},
            "verification": {
                "verified": False, "reason": "unsigned", "signature": None, "payload": None,
                "verified_at": None
            },
        },
        "parents": [
            {"sha": one, "url": f"{api(world, repo)}/commits/{one}", "html_url": html + one}
            for one in logged.parents
        ],
    }  # fmt: skip


def taken_for(world: World, who: backing.Person) -> dict[str, Any] | None:
    """Return the account whose address it is: `<login>@…` or `<id>+<login>@…`."""
    account = world.account(who.email.partition("@")[0].rpartition("+")[2])
    return simple(world, account) if account else None


def person(who: backing.Person) -> dict[str, Any]:
    return {"name": who.name, "email": who.email, "date": who.date}


def changed_file(world: World, repo: Repository, commit: str, file: backing.Changed) -> dict[str, Any]:
    html = f"{world.url}/{repo.full_name}"
    shown = {
        "sha": file.blob, "filename": file.path, "status": file.status, "additions": file.additions,
        "deletions": file.deletions, "changes": file.additions + file.deletions,
        "blob_url": f"{html}/blob/{commit}/{file.path}", "raw_url": f"{html}/raw/{commit}/{file.path}",
        "contents_url": f"{api(world, repo)}/contents/{file.path}?ref={commit}",
    }  # fmt: skip
    return shown | ({"previous_filename": file.previous} if file.previous else {})
