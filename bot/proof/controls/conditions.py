"""Mutants of what an added line asks or says: conditions, truth values, fields of a text."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from bot.proof.controls import python
from bot.proof.controls.python import Code, Edit

FIELD = re.compile(rb"\{[^{}]+\}")


def negated(code: Code) -> Iterator[Edit]:
    for value in conditions(code):
        if code.fresh.issuperset(range(value.lineno, python.last_line(value) + 1)):
            yield code.put(value, b"not (" + code.text(value) + b")")


def conditions(code: Code) -> Iterator[ast.expr]:
    """Yield what an `if` or an `assert` asks, and comparisons that are kept as a value; never a loop's."""
    for node in code.placed:
        if isinstance(node, ast.If | ast.IfExp | ast.Assert):
            yield node.test
        elif isinstance(node, ast.Assign | ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp):
            yield node.value


def flipped(code: Code) -> Iterator[Edit]:
    for node in code.placed:
        if isinstance(node, ast.Constant) and isinstance(node.value, bool) and node.lineno in code.fresh:
            yield code.put(node, str(not node.value).encode())


def joined(code: Code) -> Iterator[Edit]:
    """Put `or` in place of `and`, and the other way round."""
    for node in code.placed:
        if isinstance(node, ast.BoolOp):
            old, new = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
            for left, right in pairwise(node.values):
                if left.end_lineno == right.lineno and right.lineno in code.fresh:
                    yield from swapped(code, left, right, (old, new))


def swapped(code: Code, left: ast.expr, right: ast.expr, words: tuple[bytes, bytes]) -> Iterator[Edit]:
    line = code.line(right.lineno)
    gap = line[left.end_col_offset : right.col_offset]
    new = line[: left.end_col_offset] + gap.replace(*words) + line[right.col_offset :]
    if gap.count(words[0]) == 1:
        yield code.rewritten(right.lineno, new)


def unsaid(code: Code) -> Iterator[Edit]:
    """Leave a field out of an f-string."""
    for number in sorted(code.fresh):
        line = code.line(number)
        for match in FIELD.finditer(line):
            edit = code.rewritten(number, line[: match.start()] + line[match.end() :])
            tree = python.read(b"".join(edit.lines))
            if tree is not None and fields(list(ast.walk(tree))) == fields(code.nodes) - 1:
                yield edit


def fields(nodes: list[ast.AST]) -> int:
    return sum(isinstance(node, ast.FormattedValue) for node in nodes)
