"""Comments and reactions as GitHub shows them."""

from typing import Any

from bot.sandbox import standing
from bot.sandbox.clock import iso
from bot.sandbox.records import Comment, Reaction, Repository
from bot.sandbox.shapes.accounts import node, simple
from bot.sandbox.shapes.checks import app
from bot.sandbox.shapes.pulls import no_reactions
from bot.sandbox.shapes.repositories import api
from bot.sandbox.world import Moment, World


def comment(world: World, repo: Repository, one: Comment, text: str, moment: Moment) -> dict[str, Any]:
    url = f"{api(world, repo)}/issues/comments/{one.id}"
    seen = [version for version in one.versions if moment.sees(version)]
    return {
        "url": url, "html_url": f"{world.url}/{repo.full_name}/pull/{one.number}#issuecomment-{one.id}",
        "issue_url": f"{api(world, repo)}/issues/{one.number}", "id": one.id, "node_id": node("IC", one.id),
        "user": simple(world, one.author), "created_at": iso(one.created), "updated_at": iso(seen[-1].moment),
        "author_association": standing.association(repo, one.author), "body": text,
        "reactions": counted(world, url, one.id, moment),
        "performed_via_github_app": app(world, one.app) if one.app else None,
    }  # fmt: skip


def counted(world: World, url: str, number: int, moment: Moment) -> dict[str, Any]:
    counts = no_reactions(url)
    for one in world.reactions_to(number, moment):
        counts[one.content] += 1
        counts["total_count"] += 1
    return counts


def reaction(world: World, one: Reaction) -> dict[str, Any]:
    return {
        "id": one.id, "node_id": node("REA", one.id), "user": simple(world, one.author),
        "content": one.content, "created_at": iso(one.created.moment),
    }  # fmt: skip
