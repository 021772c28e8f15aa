"""Which lines of a Markdown text are plain: of a paragraph at the top level, outside every other element."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.github import tags

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

#: Characters of the longest paragraph that is looked into; all text in a longer one is not plain.
LONGEST = 16_000
#: A private character around the line's number; nobody's text has it, for it is taken out first.
FENCE = "\ue000"
MARK = re.compile(rf"{FENCE}(\d+){FENCE}")
#: Marks in the lines straight above that may hold a line which only looks free: a list or quote (lazy
#: continuation, nested deeper than the parser follows), a footnote and a table as GitHub reads them.
HOLDER = re.compile(r"[ \t]*(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|\[\^[^\]]+\]:)")
CONTAINERS = frozenset({"blockquote", "list_item"})


@cache
def reader() -> "MarkdownIt":
    """GitHub's Markdown as far as it decides what a line is; only blocks at first, their inside later."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def lines(text: str, marks: Mapping[int, tuple[str, str]]) -> set[int]:
    """Which of the marked lines are plain.

    `marks` gives for a line's number its indentation and what follows the mark: the mark stands for the text
    that it is about, so that it is found again wherever Markdown has put it.
    """
    rows = text.replace(FENCE, "?").split("\n")
    free = marks.keys() - held(rows)
    for number, (indent, rest) in marks.items():
        rows[number] = f"{indent}{FENCE}{number}{FENCE}{rest.replace(FENCE, '?')}"
    return set(free).intersection(found("\n".join(rows)))


def held(rows: list[str]) -> frozenset[int]:
    """The lines that a line straight above, with no blank one between, may hold."""
    numbers: set[int] = set()
    holding = False
    for number, row in enumerate(rows):
        if holding and row.strip():
            numbers.add(number)
        holding = bool(row.strip()) and (holding or bool(HOLDER.match(row)) or rules_table(row))
    return frozenset(numbers)


def rules_table(row: str) -> bool:
    """Whether this may be the row of dashes below a table's head."""
    return set(row) <= set(" \t|:-") and "-" in row and not set(row).isdisjoint("|:")


def found(text: str) -> Iterator[int]:
    env: dict[str, Any] = {}
    tokens = reader().parse(text, env)
    opened: tuple[str, ...] = ()
    outside: list[tuple[str, ...]] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        kind, _, edge = token.type.rpartition("_")
        if kind in CONTAINERS and edge == "open":
            outside.append(opened)
        elif kind in CONTAINERS:
            opened = outside.pop()
        elif token.type == "html_block":
            opened = tags.after(opened, token.content)
        elif token.type == "inline":
            top = before is not None and before.type == "paragraph_open" and before.level == 0
            marked, opened = inside(token.content, env, opened)
            yield from marked if top else ()


def inside(content: str, env: dict[str, Any], opened: tuple[str, ...]) -> tuple[list[int], tuple[str, ...]]:
    """The plain marks in a paragraph, and the HTML elements that are open after it."""
    if FENCE not in content and "<" not in content:
        return [], opened
    if len(content) > LONGEST:
        return [], (tags.ENDLESS,)
    children: list[Token] = []
    reader().inline.parse(content, reader(), env, children)
    marks: list[int] = []
    dollars = 0
    for before, token in zip([None, *children], children, strict=False):
        start = before is None or before.type in {"softbreak", "hardbreak"}
        mark = MARK.match(token.content) if token.type == "text" and token.level == 0 and start else None
        if mark and not opened and dollars % 2 == 0:
            marks.append(int(mark[1]))
        if token.type == "html_inline":
            opened = tags.after(opened, token.content)
        if token.type == "text":
            dollars += token.content.count("$$")  # GitHub's mark around mathematics
    return marks, opened
