"""The first line of what we post: whose report it is and what it holds, unseen by people."""

import json
import re

import msgspec

#: The whole first line of a sticky report.
REPORT = re.compile(r"<!-- upstream-bot:report (\{.*\}) -->\s*")
MENTION = "upstream-bot:mention"
#: Characters of the longest marker that is read.
LONGEST = 20_000
#: Rows of history that are kept.
KEPT = 10
#: What could end the comment, or be read as a mention, a reference or a command.
ALIVE = ("--", "<", ">", "@", "#", "/", "`", "&")


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """One row of history: what was run on which commit, on which base, and what came out in our own words."""

    created: str
    head: str
    base: str
    outcome: str
    digest: str


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """`head` is the pull request's; `tested`, `base` and `merge` are what the results below are about.

    `created` and `comment` are the command's time and id, by which runs are ordered; `digest` is the
    evidence's; `vetted` the commit that was vetted last; `asked` since when this head is asked for.
    A newer bot's further fields are passed over.
    """

    patch: str
    number: int
    head: str
    tested: str = ""
    base: str = ""
    merge: str = ""
    created: str = ""
    comment: int = 0
    digest: str = ""
    vetted: str = ""
    asked: str = ""
    history: tuple[Ran, ...] = ()


def write(marker: Marker) -> str:
    """One line that nothing in it can end."""
    return f"<!-- upstream-bot:report {encode(msgspec.to_builtins(marker))} -->"


def encode(value: object) -> str:
    """Compact JSON in ASCII, where every living character is written as an escape."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    for word in ALIVE:
        text = text.replace(word, "".join(f"\\u{ord(c):04x}" for c in word))
    return text


def parse(body: str) -> Marker | None:
    """The marker of a body, None where there is none that can be read. Total: it takes any text."""
    first = re.split(r"\r\n|\n|\r", body.lstrip("\ufeff"), maxsplit=1)[0]
    found = REPORT.fullmatch(first) if len(first) <= LONGEST else None
    if found is None:
        return None
    try:
        return msgspec.json.decode(found[1], type=Marker)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def newer(one: Marker, other: Marker) -> bool:
    """Whether `one` holds the later run: by the command's time, then by the comment's id."""
    return order(one) > order(other)


def order(marker: Marker) -> tuple[str, int]:
    """GitHub's times are all of one form, so that their text sorts as they do."""
    return marker.created.replace("+00:00", "Z"), marker.comment


def mention_marker(number: int, head: str) -> str:
    """The first line of the one comment that mentions somebody for this head."""
    return f"<!-- {MENTION} {encode({'number': number, 'head': head})} -->"
