"""Anchors in the bytes of a Python file: a byte prefilter, then the parser on the enclosing block only."""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.model import Value

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

#: Comments and string literals: a `def` inside one defines nothing.
TEXT = re.compile(
    rb"#[^\n]*"
    rb'|"""(?:[^\\"]++|\\.|"(?!""))*+"""'
    rb"|'''(?:[^\\']++|\\.|'(?!''))*+'''"
    rb'|"(?:[^"\\\n]|\\.)*+"'
    rb"|'(?:[^'\\\n]|\\.)*+'",
    re.DOTALL,
)
#: What stands before the name on a line that defines it.
BEFORE = re.compile(rb"[ \t\f]*(?:async[ \t]+def|def|class)[ \t]+")
#: A line that ends a block of column 0; closing brackets and comments may stand there inside one.
NEXT_BLOCK = re.compile(rb"\n(?=[^\s#)\]}])")
LONE_RETURN = re.compile(rb"\r(?!\n)")


class Span(Value, frozen=True, kw_only=True):
    """First and last line, 1-based and inclusive; decorators belong to it."""

    first: int
    last: int

    @property
    def lines(self) -> range:
        """The same lines, 0-based."""
        return range(self.first - 1, self.last)


class Found(Value, frozen=True, kw_only=True):
    """One span: found. None: absent. Several, or a `problem`: it cannot be told which lines are meant."""

    spans: tuple[Span, ...] = ()
    problem: str = ""

    @property
    def absent(self) -> bool:
        return not self.spans and not self.problem

    @property
    def span(self) -> Span | None:
        return self.spans[0] if len(self.spans) == 1 else None

    @property
    def unclear(self) -> str:
        """Why the anchor cannot be used, when it is there: ready to follow its name."""
        if len(self.spans) > 1:
            return f"is defined {len(self.spans)} times"
        return self.problem


@dataclass(frozen=True, kw_only=True)
class Source:
    """Python text that may be a part of a file: `skipped` lines precede it."""

    data: bytes
    skipped: int = 0


def find(data: bytes, symbol: str) -> Found:
    """The definitions of `symbol`, which is dotted for nested ones (`Runner.step`, `outer.inner`)."""
    names = symbol.split(".")
    lines = defining_lines(data, names[0])
    if not lines or (names[1:] and not defining_lines(data, names[-1])):
        return Found()
    if LONE_RETURN.search(data):
        return Found(problem="cannot be placed: Python and git count the lines of this file differently")
    if len(lines) == 1 and (block := enclosing(data, lines[0])):
        nodes = definitions(block, names)
        if nodes is not None:
            return Found(spans=spans(nodes, block.skipped))
    nodes = definitions(Source(data=data), names)
    if nodes is None:
        return Found(problem="cannot be placed: the file does not parse")
    return Found(spans=spans(nodes, 0))


def defining_lines(data: bytes, name: str) -> list[int]:
    """Offsets of lines that define `name` in some scope; strings and comments do not count."""
    wanted = name.encode()
    found, at = [], data.find(wanted)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        if BEFORE.fullmatch(data, start, at) and not is_word(data[at + len(wanted) : at + len(wanted) + 1]):
            found.append(start)
        at = data.find(wanted, at + 1)
    return [start for start in found if not in_text(data, start)] if found else []


def is_word(byte: bytes) -> bool:
    return byte == b"_" or byte.isalnum() or byte >= b"\x80"


def in_text(data: bytes, offset: int) -> bool:
    """Whether a string or comment reaches over `offset`."""
    # The end is open: a string that begins before the offset must be seen to its own end.
    for match in TEXT.finditer(data):
        if match.start() >= offset:
            return False
        if match.end() > offset:
            return True
    return False


def enclosing(data: bytes, start: int) -> Source | None:
    """The block of column 0 that begins at `start`, with its decorators; None when bytes cannot tell."""
    if data[start : start + 1].isspace():
        return None
    first = start
    for line, offset in lines_above(data, start):
        if line.startswith(b")"):  # the end of a decorator's arguments, or of something else
            return None
        if not line.startswith(b"@"):
            break
        first = offset
    end = NEXT_BLOCK.search(data, data.find(b"\n", start))
    return Source(data=data[first : end.end() if end else None], skipped=data.count(b"\n", 0, first))


def lines_above(data: bytes, offset: int) -> Iterator[tuple[bytes, int]]:
    """Lines above, upwards, without blank ones and comments, each with its offset."""
    while offset > 0:
        start = data.rfind(b"\n", 0, offset - 1) + 1
        line = data[start:offset]
        if line.strip() and not line.lstrip().startswith(b"#"):
            yield line, start
        offset = start


def definitions(source: Source, names: Sequence[str]) -> list[Definition] | None:
    """All nodes that the dotted name means; None when the text does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # upstream's style is not our concern
            found: list[ast.AST] = [ast.parse(source.data)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for name in names:
        found = [node for scope in found for node in scope_definitions(scope) if node.name == name]
    return [node for node in found if isinstance(node, Definition)]


def scope_definitions(scope: ast.AST) -> Iterator[Definition]:
    """Definitions of this scope; branches of `if`, `try`, `with` and loops belong to it."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, Definition):
            yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from scope_definitions(node)


def spans(nodes: Sequence[Definition], skipped: int) -> tuple[Span, ...]:
    return tuple(
        Span(
            first=skipped + min([node.lineno, *(part.lineno for part in node.decorator_list)]),
            last=skipped + (node.end_lineno or node.lineno),
        )
        for node in nodes
    )
