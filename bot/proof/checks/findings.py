"""How a finding is written: a sentence that stays the same when lines move, and tells no path of ours."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from bot.proof.evidence import clean

#: Characters of foreign code that are quoted, and of a whole finding.
QUOTED, LONGEST = 100, 400
#: `line 12`, `12:4:` move with every line that is added above.
PLACE = re.compile(r"\b(lines?) \d+\b|\b\d+:\d+\b:?")


def sentence(path: str, *parts: str) -> str:
    """Build `path: F821 in make_weakref: …` with what moves taken out of the parts."""
    told = ": ".join(" ".join(part.split()) for part in parts if part.strip())
    return clean(f"{path}: {PLACE.sub(still, told)}", "")[:LONGEST]


def still(found: re.Match[str]) -> str:
    return f"{found[1]} N" if found[1] else ""


def numbered(sentences: Iterable[str]) -> Iterator[str]:
    """Sort, and give equal sentences a number, so that one more of them is a sentence of its own."""
    seen: Counter[str] = Counter()
    for one in sorted(sentences):
        seen[one] += 1
        yield one if seen[one] == 1 else f"{one} ({seen[one]})"


def around(source: bytes, row: int) -> str:
    """Name the function or class around the 1-based line `row`, found by indentation; empty at the top."""
    lines = source.decode("utf-8", "replace").splitlines()[:row]
    limit = indent(lines[-1]) if lines else 0
    for line in reversed(lines):
        if not line.strip() or indent(line) >= limit:
            continue
        limit = indent(line)
        if found := re.match(r"\s*(?:async\s+def|def|class)\s+(\w+)", line):
            return found[1]
    return ""


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def quoted(source: bytes, row: int) -> str:
    """Return the text of the 1-based line `row`, shortened."""
    lines = source.decode("utf-8", "replace").splitlines()
    return lines[row - 1].strip()[:QUOTED] if 0 < row <= len(lines) else ""
