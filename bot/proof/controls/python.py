"""What Python text means: whether it compiles, whether two texts say the same, what encloses what."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bot.model import Value

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


class Edit(Value, frozen=True, kw_only=True):
    """A changed text of a region; `what` says it in plain words, `line` is the added line it is about."""

    what: str
    line: int
    lines: tuple[bytes, ...]


@dataclass(frozen=True, kw_only=True)
class Code:
    """Whole top-level statements of a file. Line numbers are 1-based in `lines`; `file` is the whole text.

    `added` are the lines that the patch made or moved, `fresh` those that say something new.
    """

    file: bytes
    lines: tuple[bytes, ...]
    tree: ast.Module
    added: frozenset[int]
    fresh: frozenset[int]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def placed(self) -> list[ast.AST]:
        """Nodes with a place of their own: those inside an f-string have none before Python 3.12."""
        inside = (part for node in self.nodes if isinstance(node, ast.JoinedStr) for part in ast.walk(node))
        hidden = {id(part) for part in inside}
        return [node for node in self.nodes if id(node) not in hidden]

    def line(self, number: int) -> bytes:
        return self.lines[number - 1]

    def words(self, number: int) -> str:
        return plain(self.line(number))

    def replaced(self, first: int, last: int, new: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """All lines, with `new` in place of those from `first` to `last`, both included."""
        return self.lines[: first - 1] + new + self.lines[last:]

    def rewritten(self, number: int, new: bytes) -> Edit:
        """Put another text in the place of one line."""
        what = f"{plain(new)} in place of {self.words(number)}"
        return Edit(what=what, line=number, lines=self.replaced(number, number, (new,)))

    def text(self, node: ast.expr) -> bytes:
        """The text of an expression that is no part of an f-string."""
        lines = list(self.lines[node.lineno - 1 : last_line(node)])
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"".join(lines)

    def put(self, node: ast.expr, new: bytes) -> Edit:
        """Put another text in the place of an expression that is no part of an f-string."""
        first, last = node.lineno, last_line(node)
        text = self.line(first)[: node.col_offset] + new + self.line(last)[node.end_col_offset :]
        what = f"{plain(text)} in place of {self.words(first)}"
        return Edit(what=what, line=first, lines=self.replaced(first, last, (text,)))

    def statement(self, number: int) -> ast.stmt | None:
        """The outermost statement that begins on this line, when the patch made all of its lines."""
        begun = (node for node in self.nodes if isinstance(node, ast.stmt) and first_line(node) == number)
        node = next(begun, None)
        return node if node and self.added.issuperset(span(node)) else None

    def made(self, number: int) -> ast.stmt | None:
        """The innermost statement around a line all of whose lines the patch made."""
        found = [node for node in self.nodes if isinstance(node, ast.stmt) and number in span(node)]
        whole = [node for node in found if self.added.issuperset(span(node))]
        return max(whole, key=first_line, default=None)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What encloses the node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function(self, number: int) -> Function | None:
        """The innermost function around a line."""
        found = [node for node in self.nodes if isinstance(node, Function) and number in span(node)]
        return max(found, key=lambda node: node.lineno, default=None)


def parse(data: bytes) -> ast.Module | None:
    """The tree of a text that Python would run; None of one that it refuses."""
    tree = read(data)
    return tree if tree and runs(tree) else None


def runs(tree: ast.Module) -> bool:
    """Whether the compiler takes what the parser took: it refuses a `return` outside a function."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(tree, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def read(data: bytes) -> ast.Module | None:
    """The tree of a text that parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # upstream's style is not our concern
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree


def meaning(data: bytes) -> str | None:
    """Equal for texts that differ in comments, layout and docstrings only; None where Python refuses."""
    tree = parse(data)
    if tree is None:
        return None
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [part for part in value if not is_remark(part)]
    return ast.dump(tree)


def is_remark(node: object) -> bool:
    """Whether a text stands alone as a statement, as docstrings do."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def first_line(node: ast.stmt) -> int:
    marks = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(mark.lineno for mark in marks)])


def last_line(node: ast.stmt | ast.expr | ast.excepthandler) -> int:
    return node.end_lineno or node.lineno


def span(node: ast.stmt) -> range:
    return range(first_line(node), last_line(node) + 1)


def plain(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()


def indentation(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip(b" \t"))]


def ending(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]
