"""Sections of a sticky report: marked when they are written, found again in our own earlier body."""

import re
from collections.abc import Iterable

from bot.report.escape import PART
from bot.report.markdown import Section

MARK = re.compile(r"^<!-- upstream-bot:section ([a-z]+) -->\n", re.MULTILINE)
#: Results that outlive the evidence file. The others are folded away, and are of the newest run only.
LASTING = ("headline", "targets", "proven", "gaps", "objections")
RESULTS = (*LASTING, "controls", "environment", "isolation", "outcomes")


TITLED = re.compile(r"### ([^\n]*)\n\n(.*)", re.DOTALL)
FOLDED = re.compile(r"<details><summary>([^\n]*)</summary>\n\n(.*)\n\n</details>", re.DOTALL)


class Marked(Section, frozen=True, kw_only=True):
    mark: str

    def __str__(self) -> str:
        return f"{open_mark(self.mark)}\n{super().__str__()}"


def open_mark(name: str) -> str:
    return f"<!-- upstream-bot:section {name} -->"


def read(body: str) -> dict[str, str]:
    """Mark → text of our own earlier body; of two equal marks the first. Total: it takes any text."""
    _, *pieces = MARK.split(body.replace("\r\n", "\n"))
    found: dict[str, str] = {}
    for name, text in zip(pieces[::2], pieces[1::2], strict=True):
        found.setdefault(name, still(text.strip("\n")))
    return {name: text for name, text in found.items() if name in RESULTS}


def still(text: str) -> str:
    """People with rights here may have edited our comment: nobody is mentioned in what we say again."""
    return re.sub(r"@(?!\u200b)", f"@{PART}", text)


def again(name: str, text: str) -> Marked:
    """A section as it was, taken apart as it was put together."""
    for shape in (FOLDED, TITLED):
        found = shape.fullmatch(text)
        if found:
            title, body = found.groups()
            return Marked(mark=name, title=title, body=body, folded=shape is FOLDED)
    return Marked(mark=name, title="", body=text, whole=True)


def together(sections: Iterable[Marked]) -> str:
    """The lasting results as one text, still marked, so that the next rendering finds them too."""
    parts = [str(section) for section in sections if section.mark in LASTING]
    return "\n".join((*parts, open_mark("end")))
