"""`gate`, `run` and `publish`: a comment command in three steps; who holds the token runs no foreign code."""

import argparse
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli import options, progress, reaching, summary
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.carry.proving import Order
    from bot.config import Settings
    from bot.github.carrying import Delivery
    from bot.github.desk import Office
    from bot.github.events import Event
    from bot.github.facts import Rules
    from bot.model import Patch
    from bot.model.plan import Plan


def add_event(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--event",
        required=True,
        type=Path,
        metavar="F",
        help="the event as GitHub sends it; GITHUB_EVENT_PATH names the file in a workflow",
    )


def add_gate(parser: argparse.ArgumentParser) -> None:
    add_event(parser)
    parser.add_argument(
        "--out", required=True, type=Path, metavar="F", help="where to write the plan, if anything is to run"
    )
    add_push(parser)


def add_push(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--push-to",
        default="",
        metavar="REMOTE",
        help="where the branches of /bot backport go (default: it is not carried out)",
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plan", required=True, type=Path, metavar="F", help="the plan that `gate` wrote")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="where to leave the evidence")
    options.add_repository(parser)


def add_dry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="write nothing, and say what would be written")


def add_publish(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plan", required=True, type=Path, metavar="F", help="the plan that `gate` wrote")
    parser.add_argument(
        "--evidence", required=True, type=Path, metavar="DIR", help="where `run` left the evidence"
    )
    options.add_repository(parser)
    add_push(parser)
    add_dry(parser)


def gate(arguments: argparse.Namespace) -> int:
    """Write the plan only where something is to run; say why not where nothing is."""
    import msgspec

    from bot.github import answering, handling
    from bot.github.events import NewComment

    arguments.out.unlink(missing_ok=True)
    event = read_event(arguments)
    office, rules = open_office(), read_rules(settings(arguments), carries=bool(arguments.push_to))
    if not isinstance(event, NewComment):
        summary.tell(handling.notice(office, event, rules))
        return Exit.OK
    answered = answering.answer(office, event, rules)
    if answered.plan is not None:
        arguments.out.write_bytes(msgspec.json.encode(answered.plan) + b"\n")
        handling.begin(office, answered.plan)
    summary.tell(answered.lines)
    return Exit.OK


def run(arguments: argparse.Namespace) -> int:
    from bot.github import running

    if os.environ.get("GH_TOKEN") or os.environ.get("GITHUB_TOKEN"):
        raise BotError("`run` must not hold a token: it runs code of the pull request", "unset GH_TOKEN")
    plan = running.read_plan(arguments.plan)
    order = read_order(plan, arguments)
    with progress.shown() as show:
        outcome = running.run(plan, order, arguments.out, show)
    if outcome.problem:
        raise BotError(f"nothing was proven: {outcome.problem}", "`publish` tells it", Exit.RED)
    return Exit.OK


def read_order(plan: "Plan", arguments: argparse.Namespace) -> "Order":
    from bot import catalog
    from bot.carry import proving
    from bot.github import running

    held = settings(arguments)
    patch = catalog.load(held.patches, plan.patch)
    return proving.Order(
        patch=patch,
        spec=arguments.upstream or held.upstream or proving.default_spec(patch),
        cache=held.cache,
        jobs=os.cpu_count() or 1,
        fresh=running.is_fresh(plan),
    )


def publish(arguments: argparse.Namespace) -> int:
    from bot.carry import proving
    from bot.github import publishing, running

    plan = running.read_plan(arguments.plan)
    office = open_office(dry=arguments.dry_run)
    patches = read_patches(settings(arguments))
    run = publishing.Run(plan=plan, place=arguments.evidence, delivery=delivery(arguments))
    published = publishing.publish(office, run, patches)
    summary.tell(published.lines)
    red = published.verdict is not None and proving.is_red(published.verdict, controls=True)
    told = published.verdict is not None or published.carried is not None
    return Exit.OK if told and not red and published.carried is not False else Exit.RED


def delivery(arguments: argparse.Namespace) -> "Delivery | None":
    """Where backports go, if anywhere; a rehearsal pushes nothing."""
    if not arguments.push_to or arguments.dry_run:
        return None
    from bot.cli import backporting
    from bot.github import pulls
    from bot.github.carrying import Delivery

    held = settings(arguments)
    return Delivery(
        spec=arguments.upstream or held.upstream,
        cache=held.cache,
        push_to=backporting.read_place(arguments.push_to),
        committer=backporting.committer(),
        ours=pulls.repository_of(arguments.push_to, reaching.address()),
    )


def settings(arguments: argparse.Namespace) -> "Settings":
    from bot import config

    return config.read(patches=arguments.patches)


def read_event(arguments: argparse.Namespace) -> "Event":
    from bot.github import events

    return events.read(
        arguments.event,
        os.environ.get("GITHUB_EVENT_NAME", ""),
        repo=os.environ.get("GITHUB_REPOSITORY", ""),
        attempt=int(os.environ.get("GITHUB_RUN_ATTEMPT") or 1),
    )


def open_office(*, dry: bool = False) -> "Office":
    from bot.github.desk import Office
    from bot.github.rehearsing import Rehearsal

    hub: Any = Late()
    return Office(hub=Rehearsal(hub, would) if dry else hub, sleep=time.sleep, now=now)


class Late:
    """A hub that connects when it is first asked: most events need no GitHub, and the client is heavy."""

    def __init__(self) -> None:
        self._hub: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._hub is None:
            self._hub = reaching.connect()
        return getattr(self._hub, name)


def would(what: str, body: str) -> None:
    from bot.report import answers

    print(answers.would(what, body))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def read_patches(held: "Settings") -> "dict[str, Patch]":
    """The patches that the linter lets through, by their id; a refused one is nobody's."""
    from bot import catalog
    from bot.model import Patch

    judged = [catalog.judge(held.patches, name) for name in catalog.names(held.patches)]
    return {one.id: one for one in judged if isinstance(one, Patch)}


def read_rules(held: "Settings", *, operator_only: bool = False, carries: bool = False) -> "Rules":
    from bot.github.facts import Rules

    manifests = tuple(one.manifest for one in read_patches(held).values())
    return Rules(patches=manifests, allow=held.allow, operator_only=operator_only, carries=carries)
