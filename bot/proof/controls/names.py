"""Mutants that read or bind a wrong name in an added line."""

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.proof.controls import python
from bot.proof.controls.python import Code, Edit
from bot.proof.controls.scope import Scope, scope

WORD = re.compile(rb"(?<![\w.])[A-Za-z_]\w*")


@dataclass(frozen=True, kw_only=True)
class Use:
    """One name on one added line; `start` and `end` are columns in bytes."""

    line: int
    start: int
    end: int
    name: str


def undefined(code: Code) -> Iterator[Edit]:
    """Put a name that nothing binds in the place of each name."""
    for use in uses(code):
        new = unbound(code, use.name)
        lines = renamed(code, use, new)
        node = changed_name(code, lines)
        if node:
            role = "an undefined name" if isinstance(node.ctx, ast.Load) else "another name"
            text = python.plain(lines[use.line - 1])
            yield Edit(what=f"{text}: {role} in place of {use.name}", line=use.line, lines=lines)


def swapped(code: Code) -> Iterator[Edit]:
    """Read another name of the function, one that no assignment makes equal or derives from the same."""
    for use in uses(code):
        other = stranger(code, use)
        lines = renamed(code, use, other) if other else code.lines
        node = changed_name(code, lines)
        if node and isinstance(node.ctx, ast.Load):
            text = python.plain(lines[use.line - 1])
            yield Edit(what=f"{text}: {other} in place of {use.name}", line=use.line, lines=lines)


def uses(code: Code) -> Iterator[Use]:
    """Yield every word of the fresh lines that may be a name; only the parser can tell whether it is one."""
    known = {node.id for node in code.nodes if isinstance(node, ast.Name)}
    for number in sorted(code.fresh):
        for match in WORD.finditer(code.line(number)):
            name = match[0].decode("ascii", "replace")
            if name in known:
                yield Use(line=number, start=match.start(), end=match.end(), name=name)


def renamed(code: Code, use: Use, new: str) -> tuple[bytes, ...]:
    line = code.line(use.line)
    return code.replaced(use.line, use.line, (line[: use.start] + new.encode() + line[use.end :],))


def changed_name(code: Code, lines: tuple[bytes, ...]) -> ast.Name | None:
    """The one name of the cure that the edit changed; None when it changed anything else, or no value.

    Two trees are compared because positions inside an f-string are not to be trusted before Python 3.12.
    """
    tree = python.read(b"".join(lines))
    if tree is None:
        return None
    old = [node for node in code.nodes if isinstance(node, ast.Name)]
    new = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    if len(old) != len(new):
        return None
    found = [a for a, b in zip(old, new, strict=True) if a.id != b.id]
    return found[0] if len(found) == 1 and not annotates(code, found[0]) else None


def annotates(code: Code, name: ast.Name) -> bool:
    """Whether the name stands in an annotation, which need not be looked up at all."""
    child: ast.AST = name
    for node in code.around(name):
        if child in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            return True
        child = node
    return False


def unbound(code: Code, name: str) -> str:
    new = f"{name}_"
    while (
        re.search(rb"\b" + new.encode() + rb"\b", code.file)
        or hasattr(builtins, new)
        or keyword.iskeyword(new)
    ):
        new += "_"
    return new


def stranger(code: Code, use: Use) -> str | None:
    """The first name bound in the function that can hold something else than this local name holds."""
    function = code.function(use.line)
    known: Scope = scope(function) if function else Scope(bound=(), groups=())
    if use.name not in known.bound:
        return None
    return next((other for other in known.bound if not known.related(use.name, other)), None)
