"""`poll`: one look at a pull request where no event reaches us, commanded by the token's owner alone."""

import argparse
import time

from bot.cli import gating, handling, options, summary
from bot.cli.vetting import number, repository
from bot.errors import Exit


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repo", required=True, type=repository, metavar="O/R", help="the upstream repository"
    )
    parser.add_argument("--pr", required=True, type=number, metavar="N", help="the pull request's number")
    parser.add_argument(
        "--watch", type=options.at_least_one, metavar="SECONDS", help="look again and again (default: once)"
    )
    options.add_repository(parser)
    gating.add_push(parser)
    gating.add_dry(parser)


def run(arguments: argparse.Namespace) -> int:
    from bot.github import polling
    from bot.github.events import NewComment
    from bot.github.handling import carry_out

    means = handling.means(arguments, operator_only=True)

    def carry(event: NewComment) -> tuple[str, ...]:
        return carry_out(means, event).lines

    while True:
        summary.tell(polling.poll(means.office, (arguments.repo, arguments.pr), means.rules, carry))
        if not arguments.watch:
            return Exit.OK
        time.sleep(arguments.watch)
