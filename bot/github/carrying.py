"""`/bot backport`: the proof of each branch judged anew, carried, and told in one reply."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from bot.carry import backporting, proving
from bot.carry.backporting import Order, Row
from bot.errors import BotError
from bot.github import pulls
from bot.github.desk import Desk
from bot.model import Evidence, Patch, Value
from bot.model.plan import Plan, Verb
from bot.proof import evidence as files
from bot.report import backports


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Where branches are read ("": the manifest's upstream) and go.

    `ours` is `owner/name` of where they go, "" for the conversation's own repository.
    """

    spec: str
    cache: Path
    push_to: backporting.Place
    committer: backporting.Person
    ours: str = ""


class Carried(Value, frozen=True, kw_only=True):
    """`fine`: nothing is left to do by hand; `text` is the reply, in Markdown."""

    fine: bool
    text: str


def branches(plan: Plan) -> tuple[str, ...]:
    """The targets of all the plan's backports, each once, in the order asked."""
    words = (word for wish in plan.wishes if wish.verb == Verb.BACKPORT for word in wish.words)
    return tuple(dict.fromkeys(words))


def carry(desk: Desk, plan: Plan, patch: Patch, data: bytes, delivery: Delivery) -> Carried:
    """Carry the pull request to its targets; `data` is a stranger's evidence. May raise Refusal.

    No code of the pull request runs here: trees are made anew, and compared with those that were proven.
    """
    order = order_of(plan, patch, delivery)
    try:
        evidence = read(data, patch)
        rows = backporting.backport(order, quiet, evidence)
    except BotError as error:
        return Carried(fine=False, text=backports.nothing(error.message))
    ends = pulls.Ends(upstream=plan.frozen.repo, ours=delivery.ours or plan.frozen.repo)
    told = tuple(pulls.propose(desk.hub, ends, order, row) for row in rows)
    left = tuple(row.target for row in told if backporting.is_red(row))
    return Carried(fine=not left, text=backports.comment(patch.id, tuple(map(line, told)), left))


def order_of(plan: Plan, patch: Patch, delivery: Delivery) -> Order:
    return Order(
        proof=proving.Order(
            patch=patch, spec=delivery.spec or proving.default_spec(patch), cache=delivery.cache
        ),
        committer=delivery.committer,
        targets=branches(plan),
        push_to=delivery.push_to,
        proposal=plan.frozen.number,
        base=plan.frozen.base,
    )


def read(data: bytes, patch: Patch) -> Evidence:
    """Raises BotError for what is no evidence about this patch."""
    try:
        claimed = files.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BotError("the run left no evidence about the branches") from None
    if claimed.patch != patch.id:
        raise BotError("the evidence is about another patch than the one that was planned")
    return claimed


def line(row: Row) -> backports.Line:
    """The row for a table."""
    return backports.Line(
        target=row.target,
        result=row.result,
        reason=row.reason,
        branch=row.branch or "",
        commit=row.commit or "",
        pull_request=row.pull_request,
        recovery=row.recovery,
    )


def quiet(_done: int, _total: int, _what: str) -> None:
    """A comment shows no progress."""
