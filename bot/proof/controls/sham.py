"""The sham control: before, with one comment more beside the place that the patch changes."""

import ast
from collections.abc import Iterator, Sequence

from bot.model import Anchor
from bot.proof.controls import python, script
from bot.proof.controls.region import Region

COMMENT = b"# one more comment"


def commented(before: bytes, regions: Sequence[Region], anchors: Sequence[Anchor]) -> bytes | None:
    """The text of one file before, with the comment; None where no place for one can be told."""
    lines = script.split(before)
    for region in regions:
        text = beside(region, [one.symbol for one in anchors if one.file == region.path])
        if text is not None:
            own = sum(step.old is not None for step in region.steps)
            return b"".join([*lines[: region.above], text, *lines[region.above + own :]])
    return None


def beside(region: Region, symbols: Sequence[str]) -> bytes | None:
    """The region's before text with the comment, inside what the symbols define."""
    tree = python.parse(region.before) if region.python else None
    if tree is None:
        return None
    plain, lines = ast.dump(tree), script.split(region.before)
    for at in places(region, spans(tree, symbols), anchored=bool(symbols)):
        text = b"".join([*lines[:at], comment(lines, at), *lines[at:]])
        again = python.parse(text)
        if again is not None and ast.dump(again) == plain:
            return text
    return None


def places(region: Region, anchors: Sequence[range], *, anchored: bool) -> Iterator[int]:
    """Where the comment may go, best first: 0-based lines of the before side, above which it would stand."""
    at, changed = 0, []
    for step in region.steps:
        if step.changed:
            changed.append(at)
        at += step.old is not None
    if not anchored:
        yield from changed
    # A comment above the first line of a definition stands outside it.
    yield from (at for at in changed if any(at in span[1:] for span in anchors))
    for span in anchors:
        yield from sorted(span[1:], key=lambda line: abs(line - changed[0]))


def comment(lines: Sequence[bytes], at: int) -> bytes:
    """The comment, as far in as the line below it, or above it where nothing is below."""
    near = next((line for line in (*lines[at : at + 1], *lines[at - 1 : at][::-1]) if line.strip()), b"")
    return python.indentation(near) + COMMENT + (python.ending(b"".join(lines[:1])) or b"\n")


def spans(tree: ast.Module, symbols: Sequence[str]) -> list[range]:
    """The 0-based lines of what the dotted names define."""
    found = []
    for symbol in symbols:
        scopes: list[ast.AST] = [tree]
        for name in symbol.split("."):
            scopes = [node for scope in scopes for node in defined(scope) if node.name == name]
        lines = [python.span(node) for node in scopes if isinstance(node, ast.stmt)]
        found += [range(one.start - 1, one.stop - 1) for one in lines]
    return found


def defined(scope: ast.AST) -> Iterator[python.Definition]:
    """Definitions of this scope; branches of `if`, `try`, `with` and loops belong to it."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, python.Definition):
            yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from defined(node)
