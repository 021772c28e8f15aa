"""Reports: evidence in, text for people out. A new format is one function and one row here."""

from collections.abc import Callable
from typing import TextIO

from bot.model import Evidence
from bot.report.context import Context

__all__ = ["FORMATS", "Context", "Format"]

Format = Callable[[Evidence, Context, TextIO], None]


def write_text(evidence: Evidence, context: Context, out: TextIO) -> None:
    """A coloured table where `out` is a terminal, plain text elsewhere."""
    from rich.console import Console

    from bot.report.text import render

    render(evidence, Console(file=out, highlight=False), context)


def write_markdown(evidence: Evidence, context: Context, out: TextIO) -> None:
    from bot.report.markdown import render

    out.write(render(evidence, context))


FORMATS: dict[str, Format] = {"text": write_text, "markdown": write_markdown}
