"""One comment of ours of a kind: found by its mark and our own id, written once, mended when there are more.

Lists lag by up to half a minute, runs are killed anywhere, and several may go at once. So each write is
followed by another look, until a look finds nothing to do and shows what we made: lists that show it show
everything older, too, and the oldest stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.errors import BotError
from bot.github.desk import Desk
from bot.github.port import Refusal
from bot.model.hub import Comment, Why

#: Seconds between looks; in sum more than lists are known to lag.
WAITS = (2.0, 2.0, 4.0, 8.0, 10.0, 10.0)
NOT_THERE = frozenset({Why.MISSING, Why.GONE})
#: Nobody knows whether the write happened.
LOST = frozenset({Why.BROKEN, Why.UNREACHABLE})


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """`write` makes the one body of those that are there, oldest first; `holds` says whether what is there is
    as new as what we have written, once we have. Without `create` only what is there is kept.
    """

    is_it: Callable[[str], bool]
    write: Callable[[Sequence[str]], str]
    holds: Callable[[str, str], bool]
    create: bool = True


@dataclass(frozen=True, kw_only=True)
class Seen:
    """`there`: ours as they are now, oldest first; `shown`: whether the list shows all that we made."""

    there: tuple[Comment, ...]
    shown: bool


def keep(desk: Desk, wanted: Wanted) -> Comment | None:
    """The one comment, as wanted; None where there is none and none is made. May raise Refusal."""
    made: tuple[int, ...] = ()
    wrote = False
    lost: Refusal | None = None
    seen = Seen(there=(), shown=True)
    for wait in WAITS:
        seen = look(desk, wanted, made)
        if not seen.there and not wanted.create:
            return None
        body = wanted.write([one.body for one in seen.there])
        if not seen.there:
            new, lost = say(desk, body)
            made += new
        elif settled(desk, wanted, seen, body, wrote=wrote):
            return seen.there[0]
        wrote = True
        desk.sleep(wait)
    if lost and not seen.there:
        raise lost
    return seen.there[0] if seen.there else None


def look(desk: Desk, wanted: Wanted, made: tuple[int, ...]) -> Seen:
    """Each is read on its own: lists may show an older text, and comments that are gone."""
    listed = [
        one.id
        for one in desk.hub.comments(desk.repo, desk.number)
        if desk.is_ours(one.author) and wanted.is_it(one.body)
    ]
    read = [fresh(desk, one) for one in sorted({*listed, *made})]
    there = tuple(one for one in read if one and wanted.is_it(one.body))
    return Seen(there=there, shown=set(made) <= set(listed))


def fresh(desk: Desk, comment: int) -> Comment | None:
    try:
        return desk.hub.comment(desk.repo, comment)
    except Refusal as refusal:
        if refusal.why not in NOT_THERE:
            raise
        return None


def say(desk: Desk, body: str) -> tuple[tuple[int, ...], Refusal | None]:
    """The new comment's id; none when the answer was lost: the next look tells."""
    try:
        made = desk.hub.say(desk.repo, desk.number, body)
    except Refusal as refusal:
        if refusal.why not in LOST:
            raise
        return (), refusal
    if not desk.is_ours(made.author):
        remove(desk, made)
        raise BotError(
            f"this token writes as {made.author.login} and does not say so: nothing of it is found again",
            "give a person's token, or the one that a workflow has of its own",
        )
    return (made.id,), None


def settled(desk: Desk, wanted: Wanted, seen: Seen, body: str, *, wrote: bool) -> bool:
    """Whether nothing was left to do; what was left is done."""
    keeper, *others = seen.there
    fine = same(keeper.body, body) or (wrote and not others and wanted.holds(keeper.body, body))
    if not fine:
        edit(desk, keeper, body)
    for other in others:
        remove(desk, other)
    return fine and not others and seen.shown


def edit(desk: Desk, comment: Comment, body: str) -> None:
    try:
        desk.hub.edit(desk.repo, comment.id, body)
    except Refusal as refusal:
        if refusal.why not in NOT_THERE | LOST:
            raise


def remove(desk: Desk, comment: Comment) -> None:
    """Another run may have been faster."""
    try:
        desk.hub.remove(desk.repo, comment.id)
    except Refusal as refusal:
        if refusal.why not in NOT_THERE | LOST:
            raise


def same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()
