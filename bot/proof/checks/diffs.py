"""Black and isort: what they would change, from the diff that they print."""

import re
from collections.abc import Iterator

from bot import proc
from bot.proof.checks.findings import QUOTED, sentence
from bot.proof.checks.order import Batch

#: Clean, would change, and black's code for a file that it cannot format.
ENDED = frozenset({0, 1, 123})
#: A header ends in a tab and a time; the paths in it hold the name that cannot be guessed.
HEADER = re.compile(r"--- (.+?)(?::before)?\t")
REFUSED = re.compile(r"error: cannot format (.+?): (.*)")


def read(batch: Batch, done: proc.Completed) -> dict[str, list[str]] | None:
    """Findings by the key of their unit; None when what came out does not fit the exit code."""
    found: dict[str, list[str]] = {unit.key: [] for unit in batch.units}
    for key, finding in (*changes(batch, done.out), *refusals(batch, done.err)):
        found[key].append(finding)
    sound = done.code in ENDED and bool(done.code) == any(found.values())
    return found if sound else None


def changes(batch: Batch, out: bytes) -> Iterator[tuple[str, str]]:
    """Yield each run of changed lines: the key of its unit, and the finding."""
    place, run = None, list[str]()
    for line in (*out.decode("utf-8", "replace").split("\n"), ""):
        # Nobody's code can hold the name of our directory, so a header is never mistaken.
        is_header = batch.root.name in line
        if line.startswith(("-", "+")) and not is_header:
            run.append(line)
            continue
        if run and place:
            yield place[0].key, sentence(place[1], f"would change: {shortened(run)}")
        run = []
        if is_header and (old := HEADER.match(line)):
            place = batch.locate(old[1])


def shortened(lines: list[str]) -> str:
    """Join the lines' first characters, in order, with their signs."""
    return " | ".join(f"{line[0]} {' '.join(line[1:].split())[:QUOTED]}" for line in lines)


def refusals(batch: Batch, err: bytes) -> Iterator[tuple[str, str]]:
    """Yield the files that black could not read."""
    for line in err.decode("utf-8", "replace").splitlines():
        refused = REFUSED.match(line)
        place = batch.locate(refused[1]) if refused else None
        if refused and place:
            yield place[0].key, sentence(place[1], "cannot be formatted", refused[2])
