"""The command line: one row per command; everything heavy is imported by the command that needs it."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import bot
from bot.cli import (
    applying,
    backporting,
    demo,
    environment,
    gating,
    handling,
    linting,
    listing,
    polling,
    proving,
    refreshing,
    reporting,
    surveying,
    vetting,
    watching,
)
from bot.errors import BotError, nearest

Arguments = argparse.Namespace


@dataclass(frozen=True, kw_only=True)
class Command:
    """`add` declares the arguments, `run` does the work and returns the exit code."""

    name: str
    help: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments], int]


COMMANDS = (
    Command(
        name="demo",
        help="prove the fix on real released code, and print where to look",
        add=demo.add,
        run=demo.run,
    ),
    Command(name="patches", help="list the patches", add=listing.add, run=listing.run),
    Command(
        name="lint",
        help="say what is wrong with patches, before git sees them",
        add=linting.add,
        run=linting.run,
    ),
    Command(
        name="env",
        help="build a patch's locked environment in the cache",
        add=environment.add,
        run=environment.run,
    ),
    Command(
        name="survey",
        help="say what the patch is to every branch, from the object store",
        add=surveying.add,
        run=surveying.run,
    ),
    Command(
        name="watch",
        help="survey again, and say what changed since the last time",
        add=watching.add,
        run=watching.run,
    ),
    Command(
        name="prove", help="run the same tests before and after the patch", add=proving.add, run=proving.run
    ),
    Command(
        name="apply",
        help="put the patch into a tree or an installed package, or take it back",
        add=applying.add,
        run=applying.run,
    ),
    Command(
        name="refresh",
        help="write a patch's next version on a branch that moved",
        add=refreshing.add,
        run=refreshing.run,
    ),
    Command(
        name="backport",
        help="carry the proven patch to each target: commit, branch, draft pull request",
        add=backporting.add,
        run=backporting.run,
    ),
    Command(name="report", help="make a report of an evidence file", add=reporting.add, run=reporting.run),
    Command(
        name="replay",
        help="run an evidence file again and say whether the verdicts hold",
        add=proving.add_replay,
        run=proving.replay,
    ),
    Command(
        name="vet",
        help="say where a pull request stands in upstream's vetting, and whose turn it is",
        add=vetting.add,
        run=vetting.run,
    ),
    Command(
        name="gate",
        help="decide on an event: reply, and plan what is to run",
        add=gating.add_gate,
        run=gating.gate,
    ),
    Command(
        name="run",
        help="prove what a plan froze, without a token",
        add=gating.add_run,
        run=gating.run,
    ),
    Command(
        name="publish",
        help="judge a run's evidence anew and tell it on the pull request",
        add=gating.add_publish,
        run=gating.publish,
    ),
    Command(
        name="handle",
        help="gate, run and publish at once, on a machine that is trusted",
        add=handling.add,
        run=handling.run,
    ),
    Command(
        name="poll",
        help="look after a pull request where no event reaches us",
        add=polling.add,
        run=polling.run,
    ),
)


class Parser(argparse.ArgumentParser):
    """argparse, but a usage error is one sentence and a hint like every other."""

    def error(self, message: str) -> NoReturn:
        raise BotError(message, f"see `{self.prog} --help`")


def build() -> Parser:
    """Build the whole parser, which the tests compare with the README."""
    parser = Parser(
        prog="upstream-bot",
        description="Carries a fix upstream, with proof.",
        epilog="Exit: 0 as expected, 1 something is red, 2 usage or configuration, 3 a bug, 130 interrupted.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"upstream-bot {bot.VERSION}")
    rows = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        row = rows.add_parser(
            command.name, help=command.help, description=sentence(command.help), allow_abbrev=False
        )
        row.add_argument(
            "--patches", default="", metavar="DIR", help="where the patches are (default: ./patches)"
        )
        command.add(row)
        row.set_defaults(run=command.run)
    return parser


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def main(argv: Sequence[str]) -> int:
    """Run one command. Raises BotError for what people can mend."""
    refuse_unknown(argv)
    parsed = build().parse_args(argv)
    if parsed.command is None:
        raise BotError("no command was given", "see `upstream-bot --help`")
    return int(parsed.run(parsed))


def refuse_unknown(argv: Sequence[str]) -> None:
    """Name the nearest commands, which argparse does not."""
    names = [command.name for command in COMMANDS]
    if argv and not argv[0].startswith("-") and argv[0] not in names:
        near = nearest(argv[0], names)
        hint = f"did you mean {near}?" if near else f"there are: {', '.join(names)}"
        raise BotError(f"unknown command {argv[0]!r}", hint)
