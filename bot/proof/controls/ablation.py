"""Ablations: the cure with one changed line left out, or one statement where a line cannot go alone."""

from collections.abc import Iterator

from bot.proof.controls import python
from bot.proof.controls.python import Code
from bot.proof.controls.region import Region


def ablations(region: Region) -> Iterator[tuple[str, bytes]]:
    """Yield in plain words what is left out, and the region's text without it.

    A line that says nothing to Python, such as a comment, gives none; nor does one that cannot be left out.
    """
    code = region.code()
    seen = {means(region, region.after)}
    for at in region.changed:
        for steps in candidates(region, code, at):
            text = region.without(steps)
            meaning = means(region, text)
            if meaning is not None:
                if meaning not in seen:
                    yield named(region, steps), text
                seen.add(meaning)
                break


def means(region: Region, text: bytes) -> str | None:
    """What the text says; of a text that is not Python its words are all that is known."""
    if region.python:
        return python.meaning(text)
    return "\n".join(line.decode("utf-8", "replace") for line in text.splitlines() if line.strip())


def candidates(region: Region, code: Code | None, at: int) -> Iterator[list[int]]:
    """Yield the steps to leave out together: the line, else its statement, else the run of changed lines."""
    yield [at]
    line = region.numbers[at]
    made = code.made(line) if code and region.steps[at].new is not None else None
    if made:
        yield [step for step in region.changed if region.numbers[step] in python.span(made)]
    first = last = at
    while first > 0 and region.steps[first - 1].changed:
        first -= 1
    while last + 1 < len(region.steps) and region.steps[last + 1].changed:
        last += 1
    if region.python:
        yield list(range(first, last + 1))


def named(region: Region, steps: list[int]) -> str:
    new = said(region, [region.steps[at].new for at in steps])
    old = said(region, [region.steps[at].old for at in steps])
    texts = new or old
    verb = "left out" if new else "put back"
    rest = len(texts) - 1
    more = f" and {rest} more line{'s' if rest > 1 else ''}" if rest > 0 else ""
    return f"{verb}: {texts[0] if texts else 'a line'}{more}"


def said(region: Region, lines: list[bytes | None]) -> list[str]:
    """The lines that say something; in Python a comment does not."""
    texts = [python.plain(line) for line in lines if line and line.strip()]
    return [text for text in texts if not (region.python and text.startswith("#"))]
