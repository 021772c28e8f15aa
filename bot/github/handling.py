"""The three steps at once, for one trusted machine: gate, run without our rights, publish."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.github import answering, following, publishing, reacting
from bot.github.carrying import Delivery
from bot.github.desk import Office
from bot.github.events import Event, Ignored, NewComment, PullChanged
from bot.github.facts import Rules
from bot.model import Patch, Value, Verdict
from bot.model.plan import Plan
from bot.report import replies

#: Runs a plan without our token and leaves its files in the directory.
Runner = Callable[[Plan, Path], None]


@dataclass(frozen=True, kw_only=True)
class Means:
    """What commands are carried out with; `patches` by their id."""

    office: Office
    rules: Rules
    patches: Mapping[str, Patch]
    runner: Runner
    delivery: Delivery | None = None


class Handled(Value, frozen=True, kw_only=True):
    """`verdict` is there when a run was judged; `lines` are for the summary, in Markdown.

    `carried`: whether all backports went well, None where none was asked for.
    """

    lines: tuple[str, ...]
    verdict: Verdict | None = None
    carried: bool | None = None


def handle(means: Means, event: Event) -> Handled:
    """May raise Refusal and BotError; the same event once more then goes on from there."""
    if isinstance(event, NewComment):
        return carry_out(means, event)
    return Handled(lines=notice(means.office, event, means.rules))


def notice(office: Office, event: PullChanged | Ignored, rules: Rules) -> tuple[str, ...]:
    """What follows from an event that is no comment. May raise Refusal."""
    match event:
        case Ignored(reason=reason):
            return (replies.decided("nothing to do", reason),)
        case PullChanged():
            return following.follow(office, event, rules)


def carry_out(means: Means, event: NewComment) -> Handled:
    answered = answering.answer(means.office, event, means.rules)
    if answered.plan is None:
        return Handled(lines=answered.lines)
    begin(means.office, answered.plan)
    with tempfile.TemporaryDirectory(prefix="upstream-bot-") as scratch:
        place = Path(scratch)
        means.runner(answered.plan, place)
        run = publishing.Run(plan=answered.plan, place=place, delivery=means.delivery)
        published = publishing.publish(means.office, run, means.patches)
    lines = (*answered.lines, *published.lines)
    return Handled(lines=lines, verdict=published.verdict, carried=published.carried)


def begin(office: Office, plan: Plan) -> None:
    """The plan is on its way to the run."""
    desk = office.desk(plan.frozen.repo, plan.frozen.number)
    reacting.react(desk, plan.frozen.comment, reacting.BEGUN)
