"""`handle`: gate, run and publish at once, for one trusted machine; the run is a process without token."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import gating, options, summary
from bot.errors import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.github.handling import Means
    from bot.model.plan import Plan

#: What the run may see beside what every tool sees. The token is not among it.
SHOWN = ("UPSTREAM_BOT_CACHE", "UPSTREAM_BOT_PATCHES", "UPSTREAM_BOT_UPSTREAM", "PYTHONPATH")
#: Seconds of the longest run.
LONGEST = 4 * 3600.0


def add(parser: argparse.ArgumentParser) -> None:
    gating.add_event(parser)
    options.add_repository(parser)
    gating.add_push(parser)
    gating.add_dry(parser)


def run(arguments: argparse.Namespace) -> int:
    from bot.github import handling

    handled = handling.handle(means(arguments), gating.read_event(arguments))
    summary.tell(handled.lines)
    fine = handled.verdict is None or not is_red(handled.verdict)
    return red(fine and handled.carried is not False)


def is_red(verdict: object) -> bool:
    from bot.carry import proving
    from bot.model import Verdict

    return proving.is_red(Verdict(str(verdict)), controls=True)


def red(fine: bool) -> int:
    return Exit.OK if fine else Exit.RED


def means(arguments: argparse.Namespace, *, operator_only: bool = False) -> "Means":
    from bot.github.handling import Means

    held = gating.settings(arguments)
    patches = gating.read_patches(held)
    delivery = gating.delivery(arguments)
    return Means(
        office=gating.open_office(dry=arguments.dry_run),
        rules=gating.read_rules(held, operator_only=operator_only, carries=delivery is not None),
        patches=patches,
        runner=runner(arguments),
        delivery=delivery,
    )


def runner(arguments: argparse.Namespace) -> "Callable[[Plan, Path], None]":
    """Start `run` as a process of its own, with an environment by allow-list."""
    import msgspec

    from bot import proc

    def start(plan: "Plan", place: Path) -> None:
        file = Path(place, "plan.json")
        file.write_bytes(msgspec.json.encode(plan))
        where = ["--upstream", arguments.upstream] if arguments.upstream else []
        patches = ["--patches", arguments.patches] if arguments.patches else []
        command = [sys.executable, "-m", "bot", "run", *patches, "--plan", file, "--out", place, *where]
        done = proc.run(command, env=proc.environment(also=SHOWN), timeout=LONGEST)
        if done.code not in {Exit.OK, Exit.RED}:
            print(done.err.decode("utf-8", "replace"), file=sys.stderr)

    return start
