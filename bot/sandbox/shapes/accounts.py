"""Accounts as GitHub shows them."""

from base64 import b64encode
from typing import Any

from bot.model.hub import Account
from bot.sandbox.clock import iso
from bot.sandbox.world import World

LINKS = {
    "followers": "/followers", "following": "/following{/other_user}", "gists": "/gists{/gist_id}",
    "starred": "/starred{/owner}{/repo}", "subscriptions": "/subscriptions", "organizations": "/orgs",
    "repos": "/repos", "events": "/events{/privacy}", "received_events": "/received_events",
}  # fmt: skip


def node(kind: str, number: int) -> str:
    return b64encode(f"{kind}:{number}".encode()).decode()


def simple(world: World, account: Account) -> dict[str, Any]:
    url = f"{world.url}/users/{account.login}"
    return {
        "login": account.login, "id": account.id, "node_id": node("U", account.id),
        "avatar_url": f"{world.url}/avatars/{account.id}", "gravatar_id": "", "url": url,
        "html_url": f"{world.url}/{account.login}", "type": account.kind, "site_admin": False,
    } | {f"{name}_url": url + end for name, end in LINKS.items()}  # fmt: skip


def public(world: World, account: Account) -> dict[str, Any]:
    born = iso(0)
    return simple(world, account) | {
        "name": account.login, "company": None, "blog": "", "location": None, "email": None,
        "hireable": None, "bio": None, "twitter_username": None, "public_repos": 0, "public_gists": 0,
        "followers": 0, "following": 0, "created_at": born, "updated_at": born,
    }  # fmt: skip
