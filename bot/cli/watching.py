"""`watch`: the survey against the last one."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import options, progress, surveying
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.carry.watching import Change, Watch


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    options.add_upstream(parser)
    options.add_targets(parser)
    parser.add_argument(
        "--state",
        type=Path,
        required=True,
        metavar="FILE",
        help="the snapshot of the last time; written anew",
    )
    parser.add_argument(
        "--check", action="store_true", help="say what changed, and leave the snapshot as it is"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a report")


def run(arguments: argparse.Namespace) -> int:
    import msgspec

    from bot.carry import surveying as carrying
    from bot.carry import watching

    last = watching.read(arguments.state)
    order = msgspec.structs.replace(surveying.order_of(arguments), last=watching.heads(last))
    with progress.shown() as show:
        now = watching.snapshot(carrying.survey_refs(order, show))
    made = watching.compare(last, now)
    if not arguments.check:
        keep(arguments.state, msgspec.json.encode(now))
    if arguments.json:
        sys.stdout.write(msgspec.json.encode(made).decode() + "\n")
    else:
        tell(made, now.counts)
    return Exit.RED if any(one.action for one in made.changes) else Exit.OK


def keep(path: Path, data: bytes) -> None:
    """Write the snapshot at once or not at all, through a link to where it leads. Raises BotError."""
    place = path.resolve()
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        try:
            draft.write_bytes(data)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise BotError(
            f"{path} cannot be written: {error.strerror}", "name another file with --state"
        ) from None


def tell(made: "Watch", counts: Mapping[str, int]) -> None:
    """Print the changes, those that need somebody first."""
    from bot.report.escape import terminal

    print(terminal(f"{made.patch} {made.version} on {made.upstream}: {summary(made, counts)}"))
    for one in sorted(made.changes, key=lambda change: not change.action):
        print(f"{'!' if one.action else ' '} {line(one)}")


def summary(made: "Watch", counts: Mapping[str, int]) -> str:
    if made.first:
        states = ", ".join(f"{count} {state}" for state, count in counts.items())
        return f"the first look, remembered for the next: {states or 'no targets'}"
    action = sum(one.action for one in made.changes)
    return f"{len(made.changes)} changed, {action} need somebody" if made.changes else "nothing changed"


def line(one: "Change") -> str:
    from bot.report.escape import terminal

    states = f"{one.before} → {one.after}" if one.before and one.after else one.before or one.after
    return terminal(f"{one.name}: {one.kind} ({states}): {one.detail}", 500)
