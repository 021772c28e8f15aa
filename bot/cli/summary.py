"""The run's summary: printed, and appended to the file that GitHub names for it."""

import os
from collections.abc import Iterable
from pathlib import Path


def tell(lines: Iterable[str]) -> None:
    """`lines` are Markdown of ours, with all foreign text in them made inert."""
    from bot.report import standings

    told = tuple(lines)
    for line in told:
        print(standings.plain(line))
    place = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in told)
