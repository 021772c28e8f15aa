"""`backport`: the proven patch as a commit, a branch and a draft pull request for each target."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import options, progress, reaching
from bot.cli.options import at_least_one
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.carry.backporting import Order, Person, Place, Row
    from bot.carry.proving import Order as ProofOrder
    from bot.github.port import Hub

SCHEMA = "upstream-bot/backport/1"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    parser.add_argument(
        "--to",
        action="append",
        default=[],
        metavar="BRANCH",
        help="a branch of the upstream; repeat for more (default: the affected ones)",
    )
    parser.add_argument(
        "--push-to",
        default="",
        metavar="REMOTE",
        help="a git URL or a path (default: the commits are kept in the cache)",
    )
    parser.add_argument(
        "--from-pr",
        type=at_least_one,
        metavar="N",
        help="carry the diff of this pull request, if it is the patch's or a right cure",
    )
    options.add_repository(parser)
    parser.add_argument("--dry-run", action="store_true", help="do all but push")
    add_proof(parser)


def add_proof(parser: argparse.ArgumentParser) -> None:
    options.add_runs(parser)
    options.add_jobs(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a report")


def run(arguments: argparse.Namespace) -> int:
    from bot.carry import backporting

    order = read_order(arguments)
    hub = reaching.connect() if reaching.token() else None
    if hub:
        order = with_base(hub, order)
    with progress.shown() as show:
        backporting.refuse_unknown(order, show)
        rows = backporting.backport(order, show)
    told = proposed(hub, order, rows) if hub and not order.dry_run else rows
    deliver(order, told, as_json=arguments.json)
    return Exit.RED if any(map(backporting.is_red, told)) else Exit.OK


def read_order(arguments: argparse.Namespace) -> "Order":
    from bot.carry import backporting

    return backporting.Order(
        proof=read_proof(arguments),
        committer=committer(),
        targets=tuple(arguments.to),
        push_to=read_place(arguments.push_to) if arguments.push_to else None,
        proposal=arguments.from_pr,
        dry_run=arguments.dry_run,
    )


def read_proof(arguments: argparse.Namespace) -> "ProofOrder":
    from bot import catalog, config
    from bot.carry import proving

    settings = config.read(patches=arguments.patches)
    patch = catalog.load(settings.patches, arguments.patch)
    return proving.Order(
        patch=patch,
        spec=arguments.upstream or settings.upstream or proving.default_spec(patch),
        cache=settings.cache,
        runs=arguments.runs,
        jobs=arguments.jobs,
    )


def committer() -> "Person":
    """Who signs off, as git would have it. Raises BotError where git knows nobody."""
    from bot import git
    from bot.carry import backporting

    def known(variable: str, key: str) -> str:
        done = git.call(git.Repo(path=Path(".git")), "config", "--get", key)
        return os.environ.get(variable, "") or done.text

    name = known("GIT_COMMITTER_NAME", "user.name")
    email = known("GIT_COMMITTER_EMAIL", "user.email")
    if not name or not email:
        hint = "set git's user.name and user.email, or GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL"
        raise BotError("nobody is named who commits and signs off", hint)
    return backporting.Person(name=name, email=email)


def read_place(typed: str) -> "Place":
    """Where to push; our token goes to the GitHub that it is for, and to nobody else."""
    from bot.carry import backporting
    from bot.github import pulls

    known = pulls.repository_of(typed, reaching.address())
    return backporting.place(typed, reaching.token() if known else "")


def with_base(hub: "Hub", order: "Order") -> "Order":
    """The order with the base of its pull request, where GitHub tells it."""
    from msgspec import structs

    from bot.github import pulls

    repo = pulls.upstream_of(order, reaching.address())
    if not order.proposal or not repo:
        return order
    return structs.replace(order, base=pulls.own_base(hub, repo, order.proposal))


def proposed(hub: "Hub", order: "Order", rows: "Sequence[Row]") -> "Sequence[Row]":
    """The rows, with a draft pull request for each branch that stands on a GitHub of ours."""
    from bot.github import pulls

    ends = pulls.ends(order, reaching.address())
    return tuple(pulls.propose(hub, ends, order, row) for row in rows) if ends else rows


def deliver(order: "Order", rows: "Sequence[Row]", *, as_json: bool) -> None:
    patch = order.proof.patch
    if as_json:
        import msgspec

        told = {"schema": SCHEMA, "patch": patch.id, "version": patch.version.id, "rows": rows}
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
        return
    from bot.github.carrying import line
    from bot.report import backports

    print(backports.render(tuple(map(line, rows))), end="")
