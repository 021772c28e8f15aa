"""Mutants that move an added statement one indentation level out or in."""

import ast
from collections.abc import Iterator

from bot.proof.controls import paths, python
from bot.proof.controls.python import Code, Edit


def outward(code: Code) -> Iterator[Edit]:
    for number in sorted(code.added):
        node = code.statement(number)
        owner = compound(code, node) if node else None
        if node and owner:
            block = next(block for block in paths.blocks(owner) if node in block)
            if block[-1] is node and paths.another_way(owner, block):
                yield moved(code, node, python.indentation(code.line(owner.lineno)), "out")


def inward(code: Code) -> Iterator[Edit]:
    """Move a statement to the end of the block that ends right above it."""
    for number in sorted(code.added):
        node = code.statement(number)
        above = neighbour(code, node) if node else None
        block = paths.blocks(above)[-1] if above and paths.blocks(above) else []
        if node and above and block and paths.another_way(above, block):
            yield moved(code, node, python.indentation(code.line(python.first_line(block[0]))), "in")


def compound(code: Code, node: ast.stmt) -> ast.stmt | None:
    """The statement whose block holds this one; None for functions, classes and what runs as it stands."""
    found = next((one for one in code.around(node) if isinstance(one, ast.stmt)), None)
    return found if found and paths.blocks(found) else None


def neighbour(code: Code, node: ast.stmt) -> ast.stmt | None:
    """The statement right above in the same block."""
    for _, value in ast.iter_fields(code.parents[node]):
        if isinstance(value, list) and node in value and value.index(node):
            above: ast.stmt = value[value.index(node) - 1]
            return above
    return None


def moved(code: Code, node: ast.stmt, to: bytes, way: str) -> Edit:
    first, last = python.first_line(node), python.last_line(node)
    old = python.indentation(code.line(first))
    lines = tuple(
        to + line.removeprefix(old) if line.strip() else line for line in code.lines[first - 1 : last]
    )
    return Edit(
        what=f"{code.words(first)} one level {way}", line=first, lines=code.replaced(first, last, lines)
    )
