"""Which ways lead through a compound statement, so that no mutant is made that runs as the cure does."""

import ast
from collections.abc import Sequence


def completes(body: Sequence[ast.stmt]) -> bool:
    """Whether a block can come to its end, as far as its own statements tell."""
    return all(map(passes, body))


def passes(node: ast.stmt) -> bool:
    match node:
        case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
            return False
        case ast.If():
            return completes(node.body) or completes(node.orelse)
        case ast.With() | ast.AsyncWith():
            return completes(node.body)
        case ast.Try() | ast.TryStar():
            ways = [[*node.body, *node.orelse], *(one.body for one in node.handlers)]
            return any(map(completes, ways)) and completes(node.finalbody)
        case ast.While(test=ast.Constant(value=True)):
            return any(isinstance(inner, ast.Break) for inner in ast.walk(node))
        case _:
            return True


def another_way(node: ast.AST, block: Sequence[ast.stmt]) -> bool:
    """Whether the compound statement can end without having come through this block of it.

    Only then does it matter whether a statement is the last of the block or the first behind it.
    """
    match node:
        case ast.If():
            return completes(node.orelse if block is node.body else node.body)
        case ast.Try() | ast.TryStar():
            main = [*node.body, *node.orelse]
            others = [one.body for one in node.handlers if one.body is not block]
            if block is not node.body and block is not node.orelse:
                others.append(main)
            return block is not node.finalbody and any(map(completes, others))
        case ast.For() | ast.AsyncFor() | ast.While() | ast.Match():
            return True
        case _:
            return False


def blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of a compound statement, in the order of its text."""
    match node:
        case ast.Try() | ast.TryStar():
            found = [node.body, *(one.body for one in node.handlers), node.orelse, node.finalbody]
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            found = [node.body, node.orelse]
        case ast.Match():
            found = [case.body for case in node.cases]
        case _:
            found = []
    return [block for block in found if block]
