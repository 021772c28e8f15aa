"""The parts of a file that a patch changes, widened to whole top-level statements."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.proof.controls import python, script
from bot.proof.controls.python import Code
from bot.proof.controls.script import Step


@dataclass(frozen=True, kw_only=True)
class Region:
    """`steps` between the `head` and `tail` that the file at `path` has after.

    `above` counts the lines above it before. `python`: the after side is text that this Python accepts.
    """

    path: str
    above: int
    head: bytes
    steps: tuple[Step, ...]
    tail: bytes
    python: bool

    @property
    def place(self) -> tuple[str, int]:
        return self.path, len(self.head)

    def whole(self, text: bytes) -> bytes:
        """The text of the file after, with this text in the region."""
        return self.head + text + self.tail

    @cached_property
    def before(self) -> bytes:
        return b"".join(step.old for step in self.steps if step.old is not None)

    @cached_property
    def after(self) -> bytes:
        return self.without(())

    def without(self, left_out: Iterable[int]) -> bytes:
        """The after side of the region with the old text at these steps."""
        out = set(left_out)
        lines = (step.old if at in out else step.new for at, step in enumerate(self.steps))
        return b"".join(line for line in lines if line is not None)

    @property
    def changed(self) -> list[int]:
        return [at for at, step in enumerate(self.steps) if step.changed]

    @cached_property
    def numbers(self) -> list[int]:
        return numbered(self.steps)

    def code(self) -> Code | None:
        """The after side as Python, with the lines that the patch made."""
        tree = python.parse(self.after) if self.python else None
        if tree is None:
            return None
        new = [(n, step) for n, step in zip(self.numbers, self.steps, strict=True) if step.new]
        return Code(
            file=self.whole(self.after),
            lines=tuple(step.new or b"" for _, step in new),
            tree=tree,
            added=frozenset(n for n, step in new if step.changed),
            fresh=frozenset(n for n, step in new if step.fresh),
        )


def cut(path: str, before: bytes, after: bytes) -> list[Region]:
    """The regions of one file, from its top; a text that is not Python is one region, or none."""
    steps = script.steps(before, after)
    if not any(step.changed for step in steps):
        return []
    tree = python.read(after) if path.endswith((".py", ".pyi")) else None
    if tree is None:
        return [Region(path=path, above=0, head=b"", steps=steps, tail=b"", python=False)]
    numbers = numbered(steps)
    spans = merged(widened(tree, touched(steps, numbers)))
    insides = [within(numbers, span) for span in spans]
    return [
        Region(
            path=path,
            above=sum(step.old is not None for step in steps[:start]),
            head=joined(steps[:start]),
            steps=steps[start:end],
            tail=joined(steps[end:]),
            python=True,
        )
        for start, end in insides
    ]


def numbered(steps: Sequence[Step]) -> list[int]:
    """For each step the 1-based line of the after side on which it stands, or above which it was."""
    found, line = [], 1
    for step in steps:
        found.append(line)
        line += step.new is not None
    return found


def touched(steps: Sequence[Step], numbers: Sequence[int]) -> Iterator[range]:
    """Yield the lines of the after side that each change is on: both around a line that was taken out."""
    for step, line in zip(steps, numbers, strict=True):
        if step.changed:
            yield range(line if step.new is not None else line - 1, line + 1)


def widened(tree: ast.Module, changes: Iterable[range]) -> Iterator[range]:
    """Widen each change to the top-level statements that it is on."""
    spans = [python.span(node) for node in tree.body]
    for change in changes:
        whole = [change, *(span for span in spans if meet(span, change))]
        yield range(min(one.start for one in whole), max(one.stop for one in whole))


def merged(spans: Iterable[range]) -> list[range]:
    found: list[range] = []
    for span in spans:
        if found and meet(found[-1], span):
            last = found.pop()
            span = range(min(last.start, span.start), max(last.stop, span.stop))  # noqa: PLW2901 (it grows)
        found.append(span)
    return found


def meet(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def within(numbers: Sequence[int], span: range) -> tuple[int, int]:
    """Which steps stand on these lines; a line that was taken out stands on the one below it."""
    inside = [at for at, line in enumerate(numbers) if line in span]
    return inside[0], inside[-1] + 1


def joined(steps: Sequence[Step]) -> bytes:
    return b"".join(step.new or b"" for step in steps)
