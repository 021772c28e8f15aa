"""`lint`: everything that is wrong with patches, one line each, before git sees them."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import Exit

if TYPE_CHECKING:
    from bot import catalog


#: Characters of the longest line that is printed.
LONGEST = 500


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", nargs="*", metavar="PATCH", help="the patches to look at (default: all)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of lines")


def run(arguments: argparse.Namespace) -> int:
    import msgspec

    from bot import catalog, config

    folder = config.read(patches=arguments.patches).patches
    report = catalog.lint(folder, arguments.patch)
    if arguments.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    else:
        for line in lines(report, folder):
            print(line)
    return Exit.RED if any(patch.problems for patch in report.patches) else Exit.OK


def lines(report: "catalog.Report", folder: Path) -> Iterator[str]:
    """Yield the problems and notes of each patch, then whether it is refused."""
    from bot.report.escape import terminal

    for patch in report.patches:
        for flaw, kind in (*((one, "") for one in patch.problems), *((one, "note: ") for one in patch.notes)):
            where = folder / patch.id / flaw.file
            yield terminal(f"{where}:{flaw.line}: {kind}{flaw.why}", LONGEST)
            if flaw.hint:
                yield f"  hint: {terminal(flaw.hint, LONGEST)}"
        yield f"{terminal(patch.id)}  {patch.version or 'no version'}  {told(patch)}"


def told(patch: "catalog.Linted") -> str:
    count = len(patch.problems)
    return f"refused: {count} problem{'s' * (count > 1)}" if count else "nothing is refused"
