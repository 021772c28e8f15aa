"""Mutants of the value that an added statement assigns or returns."""

import ast
from collections.abc import Iterator

from bot.proof.controls import python
from bot.proof.controls.python import Code, Edit, Function
from bot.proof.controls.scope import own

Valued = ast.Assign | ast.AnnAssign | ast.Return


def returned_none(code: Code) -> Iterator[Edit]:
    for number, node, _ in valued(code):
        if isinstance(node, ast.Assign) and code.function(number):
            first, last = code.line(number), code.line(python.last_line(node))
            new = python.indentation(first) + b"return None" + python.ending(last)
            lines = code.replaced(number, python.last_line(node), (new,))
            yield Edit(what=f"return None in place of {code.words(number)}", line=number, lines=lines)


def none(code: Code) -> Iterator[Edit]:
    for _, _, value in valued(code):
        if not empty(value):
            yield code.put(value, b"None")


def copied(code: Code) -> Iterator[Edit]:
    """Give back a copy of an object whose parts the function sets: a constant would be its own copy."""
    for number, node, value in valued(code):
        function = code.function(number)
        if not function or not isinstance(value, ast.Name) or not has_parts(function, value.id):
            continue
        if isinstance(node, ast.Return) or comes_back(function, node):
            yield code.put(value, b'__import__("copy").copy(' + value.id.encode() + b")")


def valued(code: Code) -> Iterator[tuple[int, Valued, ast.expr]]:
    """Yield the added statements that say something new and have a value."""
    for number in sorted(code.fresh):
        node = code.statement(number)
        if isinstance(node, Valued) and node.value:
            yield number, node, node.value


def empty(value: ast.expr) -> bool:
    """Whether None might do as well: for a value that is false, and for a display without elements."""
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(keys=parts):
            return not parts
        case _:
            return False


def has_parts(function: Function, name: str) -> bool:
    """Whether the function sets an attribute or an item of what this name holds."""
    set_here = (
        node.value
        for node in own(function)
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
    )
    return any(isinstance(node, ast.Name) and node.id == name for node in set_here)


def comes_back(function: Function, node: ast.Assign | ast.AnnAssign) -> bool:
    """Whether a name that is bound here is returned, so that callers see which object it is."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    given = (one.value for one in own(function) if isinstance(one, ast.Return))
    return any(isinstance(value, ast.Name) and value.id in names for value in given)
