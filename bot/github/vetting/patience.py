"""When a vetter may be called: once for each head, after the manifest's business days, in a new comment."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from bot.model.hub import Comment
from bot.model.patch import Vetting
from bot.model.vetting import Standing, Turn
from bot.report import requests
from bot.report.comment.marker import mention_marker

SATURDAY = 5
#: Business days of ten years: whoever waits for longer never asks.
LONGEST = 2_600


def mention_due(
    vetting: Vetting, standing: Standing, number: int, clock: tuple[str, str], ours: Iterable[Comment]
) -> str | None:
    """The new comment to write now, or None. `clock`: since when this head is asked for, and now (UTC).

    `ours` are comments by our own account: a mention of this head among them was the only one.
    """
    asked, now = (moment(text) for text in clock)
    if standing.request is None or standing.turn is not Turn.VETTER:
        return None
    if not requests.MENTION.fullmatch(vetting.ask):
        return None
    if now < due(asked, vetting.after_business_days):
        return None
    marker = mention_marker(number, standing.head)
    if any(first_line(one.body) == marker for one in ours):
        return None
    return f"{marker}\n{requests.mention(vetting.ask, number, standing.head)}\n"


def first_line(body: str) -> str:
    return re.split(r"\r?\n", body, maxsplit=1)[0].rstrip()


def moment(text: str) -> datetime:
    """A time of GitHub's; one without a zone is UTC."""
    time = datetime.fromisoformat(text)
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def due(asked: datetime, days: int) -> datetime:
    """`days` business days after `asked`; what was asked on a weekend counts from Monday's beginning."""
    time = asked
    if time.weekday() >= SATURDAY:
        time = next_day(time).replace(hour=0, minute=0, second=0, microsecond=0)
    for _ in range(min(days, LONGEST)):
        time = next_day(time)
    return time


def next_day(time: datetime) -> datetime:
    """The same hour of the next day that is no weekend."""
    time += timedelta(days=1)
    while time.weekday() >= SATURDAY:
        time += timedelta(days=1)
    return time
