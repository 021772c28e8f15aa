"""Pages for people: a pull request's conversation as they would see it, without any script."""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape

from bot.sandbox import heads
from bot.sandbox.answers import Answer
from bot.sandbox.page import layout
from bot.sandbox.page.style import STYLE
from bot.sandbox.world import World

PULL = re.compile(r"/([^/]+)/([^/]+)/pull/([0-9]{1,9})")
HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def find(world: World, method: str, path: str) -> Answer | None:
    """The page at that path; None where it is the API's."""
    if method not in ("GET", "HEAD"):
        return None
    if path == "/":
        return page("Pull requests", layout.index(world))
    hit = PULL.fullmatch(path)
    return show(world, f"{hit[1]}/{hit[2]}", int(hit[3])) if hit else None


def show(world: World, name: str, number: int) -> Answer:
    """One conversation; a private repository's is shown too, for this page is for who runs the sandbox."""
    repo = world.find(name)
    pull = repo.pulls.get(number) if repo else None
    if repo is None or pull is None:
        return page("Not found", "<main><h1>Not found</h1></main>", 404)
    heads.refresh(world, repo)
    return page(f"{pull.title} · {repo.full_name}#{number}", layout.conversation(world, repo, pull))


def page(title: str, body: str, status: int = 200) -> Answer:
    text = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>{body}</body></html>\n"
    )
    return Answer(status=status, text=text.encode(), kind="text/html; charset=utf-8", headers=HEADERS)
