"""The one table of routes."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.calls import accounts, checks, conversation, labels, pulls, repositories


@dataclass(frozen=True, kw_only=True)
class Route:
    """`areas`: the rights of which a token that has rights needs one. A name with a `*` takes in slashes."""

    method: str
    path: str
    call: Callable[[Asked], Answer]
    areas: tuple[str, ...] = ()

    def match(self, path: str) -> dict[str, str] | None:
        """The names in the path, or None where it is another's."""
        pattern = re.sub(r"\{(\w+)(\*?)\}", group, self.path)
        found = re.fullmatch(pattern, path)
        return found.groupdict() if found else None


def group(hit: re.Match[str]) -> str:
    return f"(?P<{hit[1]}>{'.+' if hit[2] else '[^/]+'})"


def rows(areas: tuple[str, ...], *found: tuple[str, str, Callable[[Asked], Answer]]) -> tuple[Route, ...]:
    return tuple(Route(method=method, path=path, call=call, areas=areas) for method, path, call in found)


REPO = "/repos/{owner}/{repo}"
COMMENT = f"{REPO}/issues/comments/{{comment}}"
TALK = ("issues", "pull_requests")

ROUTES = (
    *rows(
        (),
        ("GET", "/user", accounts.get_me),
        ("GET", "/users/{login}", accounts.get_user),
        ("GET", "/rate_limit", accounts.get_rate),
        ("POST", "/app/installations/{installation}/access_tokens", accounts.make_installation_token),
    ),
    *rows(
        ("metadata",),
        ("GET", REPO, repositories.get),
        ("GET", f"{REPO}/collaborators/{{login}}/permission", repositories.get_permission),
    ),
    *rows(
        ("contents",),
        ("GET", f"{REPO}/branches", repositories.list_branches),
        ("GET", f"{REPO}/branches/{{branch*}}", repositories.get_branch),
        ("GET", f"{REPO}/git/ref/{{ref*}}", repositories.get_ref),
        ("GET", f"{REPO}/commits/{{commit}}", repositories.get_commit),
        ("GET", f"{REPO}/compare/{{basehead*}}", repositories.compare),
    ),
    *rows(
        ("pull_requests",),
        ("GET", f"{REPO}/pulls", pulls.list_all),
        ("POST", f"{REPO}/pulls", pulls.create),
        ("GET", f"{REPO}/pulls/{{number}}", pulls.get),
        ("PATCH", f"{REPO}/pulls/{{number}}", pulls.edit),
        ("GET", f"{REPO}/pulls/{{number}}/commits", pulls.list_commits),
        ("GET", f"{REPO}/pulls/{{number}}/files", pulls.list_files),
    ),
    *rows(
        TALK,
        ("GET", f"{REPO}/issues/{{number}}", conversation.get_issue),
        ("GET", f"{REPO}/issues/{{number}}/comments", conversation.list_comments),
        ("POST", f"{REPO}/issues/{{number}}/comments", conversation.create_comment),
        ("GET", COMMENT, conversation.get_comment),
        ("PATCH", COMMENT, conversation.edit_comment),
        ("DELETE", COMMENT, conversation.delete_comment),
        ("GET", f"{COMMENT}/reactions", conversation.list_reactions),
        ("POST", f"{COMMENT}/reactions", conversation.create_reaction),
        ("DELETE", f"{COMMENT}/reactions/{{reaction}}", conversation.delete_reaction),
        ("GET", f"{REPO}/issues/{{number}}/labels", labels.list_all),
        ("POST", f"{REPO}/issues/{{number}}/labels", labels.add),
        ("DELETE", f"{REPO}/issues/{{number}}/labels/{{name*}}", labels.remove),
    ),
    *rows(
        ("checks",),
        ("GET", f"{REPO}/commits/{{ref*}}/check-runs", checks.list_for_ref),
        ("POST", f"{REPO}/check-runs", checks.create),
        ("GET", f"{REPO}/check-runs/{{check}}", checks.get),
        ("PATCH", f"{REPO}/check-runs/{{check}}", checks.update),
        ("GET", f"{REPO}/check-runs/{{check}}/annotations", checks.list_annotations),
    ),
    *rows(("actions",), ("GET", f"{REPO}/actions/runs", checks.list_runs)),
)


def find(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """The first route of that method whose path fits, with the names found in it."""
    for route in ROUTES:
        if route.method == method and (names := route.match(path)) is not None:
            return route, names
    return None
