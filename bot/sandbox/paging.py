"""Pages of a list, and answers that need not be sent again."""

import hashlib
import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from bot.sandbox.answers import Answer

USUAL, MOST = 30, 100


def cut(answer: Answer, url: str, query: dict[str, str]) -> Answer:
    """One page of a list, or of the list that an object holds beside its `total_count`."""
    if isinstance(answer.body, list):
        part, link = page(answer.body, url, query)
        return replace(answer, body=part, headers={**answer.headers, **link})
    if isinstance(answer.body, dict) and len(answer.body) == 1:
        ((name, items),) = answer.body.items()
        part, link = page(items, url, query)
        body = {"total_count": len(items), name: part}
        return replace(answer, body=body, headers={**answer.headers, **link})
    return answer


def page(items: list[Any], url: str, query: dict[str, str]) -> tuple[list[Any], dict[str, str]]:
    size = min(number(query.get("per_page", ""), USUAL), MOST)
    here, last = number(query.get("page", ""), 1), max(1, -(-len(items) // size))
    pages = {"prev": here - 1, "next": here + 1, "last": last, "first": 1}
    shown = [name for name in pages if (here > 1 if name in ("prev", "first") else here < last)]
    links = [f'<{url}?{urlencode({**query, "page": pages[name]})}>; rel="{name}"' for name in shown]
    return items[(here - 1) * size : here * size], {"link": ", ".join(links)} if links else {}


def number(text: str, usual: int) -> int:
    """GitHub takes what is no positive number for the usual one."""
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else usual


def encode(answer: Answer) -> bytes:
    if answer.text is not None:
        return answer.text
    return b"" if answer.body is None else json.dumps(answer.body).encode()


def tag(data: bytes) -> str:
    return f'W/"{hashlib.sha256(data).hexdigest()}"'
