"""The names that a function binds, and which of them may hold the same object or parts of one another."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bot.proof.controls.python import Definition, Function

RELATING = (
    ast.Assign
    | ast.AnnAssign
    | ast.AugAssign
    | ast.NamedExpr
    | ast.For
    | ast.AsyncFor
    | ast.comprehension
    | ast.withitem
    | ast.Compare
)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """`bound` in the order of the text; the names of one group depend on each other somehow."""

    bound: tuple[str, ...]
    groups: tuple[frozenset[str], ...]

    def related(self, one: str, other: str) -> bool:
        return one == other or any({one, other} <= group for group in self.groups)


def scope(function: Function) -> Scope:
    names = [one.arg for one in arguments(function.args)]
    nodes = list(own(function))
    stored = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names += [node.id for node in sorted(stored, key=lambda node: (node.lineno, node.col_offset))]
    bound = tuple(dict.fromkeys(names))
    return Scope(
        bound=bound, groups=merged([mentioned(node) & set(bound) for node in nodes if relates(node)])
    )


def arguments(args: ast.arguments) -> list[ast.arg]:
    extra = [one for one in (args.vararg, args.kwarg) if one]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]


def own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what belongs to the function itself, not to one inside it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Definition | ast.Lambda):
            yield from own(child)


def relates(node: ast.AST) -> bool:
    """Whether the names in it may come to hold the same: whatever assigns, and whatever compares."""
    return isinstance(node, RELATING)


def mentioned(node: ast.AST) -> set[str]:
    parts = [node.target, node.iter] if isinstance(node, ast.For | ast.AsyncFor) else [node]
    return {name.id for part in parts for name in ast.walk(part) if isinstance(name, ast.Name)}


def merged(groups: list[set[str]]) -> tuple[frozenset[str], ...]:
    """Join groups that share a name."""
    found: list[frozenset[str]] = []
    for group in groups:
        touching = [one for one in found if one & group]
        found = [one for one in found if not one & group] + [frozenset(group).union(*touching)]
    return tuple(found)
