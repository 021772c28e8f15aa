"""Mutants of the exception handler that an added line belongs to: dropped, or catching more."""

import ast
from collections.abc import Iterator

from bot.proof.controls import python
from bot.proof.controls.python import Code, Edit

#: What needs no widening.
WIDE = frozenset({"Exception", "BaseException"})


def dropped(code: Code) -> Iterator[Edit]:
    """Raise again at once what the handler caught, as if it were not there."""
    for number, handler in handlers(code):
        body = handler.body[0]
        first, last = python.first_line(body), python.last_line(handler)
        line = code.line(first)
        alone = first > handler.lineno
        head = python.indentation(line) if alone else line[: body.col_offset]
        new = head + b"raise" + (python.ending(code.line(last)) or b"\n")
        yield Edit(
            what=f"the handler {words(handler)} dropped",
            line=number,
            lines=code.replaced(first, last, (new,)),
        )


def to_exception(code: Code) -> Iterator[Edit]:
    for number, handler in handlers(code):
        yield from widened(code, number, handler, "Exception")


def to_everything(code: Code) -> Iterator[Edit]:
    for number, handler in handlers(code):
        yield from widened(code, number, handler, "BaseException" if handler.name else "")


def widened(code: Code, number: int, handler: ast.ExceptHandler, to: str) -> Iterator[Edit]:
    kind = handler.type
    if kind is None or kind.lineno != python.last_line(kind) or wide(kind):
        return
    line = code.line(kind.lineno)
    head = line[: kind.col_offset]
    new = (head if to else head.rstrip()) + to.encode() + line[kind.end_col_offset :]
    name = f" as {handler.name}" if handler.name else ""
    what = f"except {to}{name}" if to else "a bare except"
    yield Edit(
        what=f"{what} in place of {words(handler)}",
        line=number,
        lines=code.replaced(kind.lineno, kind.lineno, (new,)),
    )


def wide(kind: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id in WIDE for node in ast.walk(kind))


def words(handler: ast.ExceptHandler) -> str:
    kind = f" {ast.unparse(handler.type)}" if handler.type else ""
    return f"except{kind}" + (f" as {handler.name}" if handler.name else "")


def handlers(code: Code) -> Iterator[tuple[int, ast.ExceptHandler]]:
    """Yield each handler once, with the added line that it is around, or that makes its `try`."""
    found: dict[ast.ExceptHandler, int] = {}
    for number in sorted(code.added):
        around = [node for node in code.nodes if isinstance(node, ast.ExceptHandler) and within(node, number)]
        new = [
            handler
            for node in code.nodes
            if isinstance(node, ast.Try | ast.TryStar) and node.lineno == number
            for handler in node.handlers
        ]
        for handler in (*around[-1:], *new):
            found.setdefault(handler, number)
    yield from ((number, handler) for handler, number in found.items())


def within(node: ast.ExceptHandler, number: int) -> bool:
    return node.lineno <= number <= python.last_line(node)
