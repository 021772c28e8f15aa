"""What the bot says of backports: the table of a run, and title and body of a draft pull request."""

import json
import re
from collections.abc import Iterator, Sequence

from bot.model import Value
from bot.report import escape
from bot.report.comment.marker import encode
from bot.report.escape import PART, code, inline, terminal
from bot.report.sentences import VERDICTS

MARK = re.compile(r"<!-- upstream-bot:backport (\{.*\}) -->")
BY_A_BOT = (
    "A bot writes this for the owner of this account, who answers for it. It ticks no box of a template: "
    "those are for people."
)
#: Characters of the longest title that GitHub takes.
TITLE = 250


class Carried(Value, frozen=True, kw_only=True):
    """What a pull request of ours carries, all of it foreign text in part: `what` to `target`, and why.

    `subject` is the patch's title, `reason` the row's, `repeat` the command that runs the proof again.
    """

    what: str
    patch: str
    subject: str
    target: str
    commit: str
    tree: str
    verdict: str
    reason: str
    repeat: str


def title(carried: Carried) -> str:
    """`[target] subject`, in which nobody is mentioned and nothing is referred to. A title is plain text."""
    text = escape.flatten(f"[{carried.target}] {carried.subject}", TITLE - 20)
    return escape.defuse(escape.ALIVE.sub(lambda hit: hit[0] + PART, text))


def body(carried: Carried) -> str:
    """The whole body; its first line is a marker that tells our words from a person's."""
    words = escape.defuse("\n\n".join(paragraphs(carried)))
    return f"<!-- upstream-bot:backport {encode(marked(carried, words))} -->\n{words}\n"


def marked(carried: Carried, words: str) -> dict[str, str]:
    return {"patch": carried.patch, "target": carried.target, "digest": digest(words)}


def digest(words: str) -> str:
    import hashlib

    return hashlib.sha256(" ".join(words.split()).encode("utf-8", "replace")).hexdigest()[:32]


def is_untouched(text: str) -> bool:
    """Whether a body is ours and nobody has written in it since."""
    first, _, rest = text.replace("\r\n", "\n").partition("\n")
    found = MARK.fullmatch(first.strip())
    try:
        said = json.loads(found[1]) if found else None
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("digest") == digest(rest)


def paragraphs(carried: Carried) -> Iterator[str]:
    yield f"This carries {code(carried.what)} to {code(carried.target)}: {inline(carried.subject)}"
    yield BY_A_BOT
    told = {str(verdict): sentence for verdict, sentence in VERDICTS.items()}.get(carried.verdict, "")
    yield f"**{inline(carried.verdict)}**: {inline(told or 'see the evidence')}. {inline(carried.reason)}."
    tree, commit = code(carried.tree), code(carried.commit)
    yield f"The commit is {commit}. Its tree {tree} was compared with the proven one before the push."
    yield f"To run the proof again:\n\n{escape.block(carried.repeat)}"


class Line(Value, frozen=True, kw_only=True):
    """One target for the table: all of it may be foreign text."""

    target: str
    result: str
    reason: str
    branch: str = ""
    commit: str = ""
    pull_request: int | None = None
    recovery: Sequence[str] = ()


def render(lines: Sequence[Line]) -> str:
    """The table of a run for a terminal: each target with its reason, then what to do about it."""
    return "".join(f"{line}\n" for one in lines for line in told(one))


def comment(patch: str, lines: Sequence[Line], left: Sequence[str]) -> str:
    """The reply to a command: a row for each target; those that are left get a command to paste.

    The commands name nothing of the machine that the bot runs on.
    """
    rows = [f"| {' | '.join(cells(one))} |" for one in lines]
    table = "\n".join(("| target | result | pull request | why |", "|---|---|---|---|", *rows))
    words = [word for target in left for word in ("--to", target)]
    again = escape.block(escape.shell("upstream-bot", "backport", patch, *words))
    return f"{table}\n\nWhat is left, from a command line:\n\n{again}" if left else table


def cells(one: Line) -> tuple[str, ...]:
    number = f"#{one.pull_request}" if one.pull_request else ""
    return code(one.target), f"`{one.result}`", number, inline(one.reason, 500)


def nothing(reason: str) -> str:
    """The reply where nothing could be carried anywhere; `reason` is foreign in part."""
    return f"Nothing was carried: {inline(reason, 500)}."


def told(one: Line) -> Iterator[str]:
    yield f"{terminal(one.target)}: {one.result}: {terminal(one.reason, 1_000)}"
    if one.commit:
        yield f"  {terminal(one.branch)} {one.commit}"
    if one.pull_request:
        yield f"  pull request {one.pull_request}"
    for command in one.recovery:
        yield f"  {terminal(command, 1_000)}"
