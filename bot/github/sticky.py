"""The one report of a patch on a pull request: made from what GitHub shows now and what was proven."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.github import keeping, vetting
from bot.github.desk import Desk
from bot.github.port import Refusal
from bot.model import Manifest
from bot.model.hub import CheckRun, Comment
from bot.model.vetting import Likeness
from bot.report import answers, replies, vetted
from bot.report.comment import Facts, Marker, compose, newer, parse
from bot.report.context import Context


def read(desk: Desk, manifest: Manifest, likeness: Likeness = Likeness.UNKNOWN) -> Facts:
    """What the report says without news of a run, asked of GitHub now. May raise Refusal."""
    now = desk.now()
    shown = vetting.look(desk.hub, desk.repo, desk.number, manifest.vetting, now)
    seen = replace(
        shown,
        comments=tuple(one for one in shown.comments if not is_said_by_us(desk, one)),
        checks=theirs(shown.checks),
        older_checks=theirs(shown.older_checks),
    )
    return Facts(
        patch=manifest.id,
        upstream=manifest.upstream.repo,
        pull=seen.pull,
        standing=vetting.decide(seen),
        now=now,
        offer=vetting.read_offer(desk.hub, desk.repo, seen, likeness),
        base=base_now(desk, seen.pull.base.branch),
        context=Context(title=manifest.title, rivals=manifest.proposal.rivals),
    )


def is_said_by_us(desk: Desk, comment: Comment) -> bool:
    """The operator may be a vetter: what he writes himself has no mark of ours."""
    return desk.is_ours(comment.author) and replies.is_ours(comment.body)


def theirs(checks: Sequence[CheckRun]) -> tuple[CheckRun, ...]:
    """Without our own, which is no word of upstream's."""
    return tuple(one for one in checks if not one.name.startswith(answers.CHECK))


def base_now(desk: Desk, branch: str) -> str:
    try:
        return desk.hub.ref(desk.repo, f"heads/{branch}") or ""
    except Refusal:
        return ""


def keep(desk: Desk, facts: Facts, *, create: bool = True) -> Comment | None:
    """Write it, or leave it as it is; None where there is none and none is made. May raise Refusal."""

    def is_it(body: str) -> bool:
        return is_report(body, facts.patch, desk.number)

    def write(bodies: Sequence[str]) -> str:
        previous = newest(bodies)
        return compose(as_compared(facts, previous), previous)

    return keeping.keep(desk, keeping.Wanted(is_it=is_it, write=write, holds=holds, create=create))


def as_compared(facts: Facts, previous: str) -> Facts:
    """How a proof of this very head compared its change with the patch's version stays true of it."""
    marker, offer = parse(previous), facts.offer
    known = marker and offer and marker.tested == facts.pull.head.commit
    if not known or offer is None or offer.likeness is not Likeness.UNKNOWN:
        return facts
    told = (kind for kind, sentence in vetted.LIKENESS.items() if sentence in previous)
    return replace(facts, offer=replace(offer, likeness=next(told, Likeness.UNKNOWN)))


def find(desk: Desk, comments: Sequence[Comment], patch: str) -> Comment | None:
    """The newest of our reports among these comments."""
    ours = [one for one in comments if desk.is_ours(one.author) and is_report(one.body, patch, desk.number)]
    newest_body = newest([one.body for one in ours])
    return next((one for one in ours if one.body == newest_body), None)


def is_report(body: str, patch: str, number: int) -> bool:
    marker = parse(body)
    return marker is not None and (marker.patch, marker.number) == (patch, number)


def newest(bodies: Sequence[str]) -> str:
    """The body with the latest run; of equals the oldest comment's; "" where there is none."""
    best, best_marker = "", Marker(patch="", number=0, head="")
    for body in bodies:
        marker = parse(body)
        if marker and (not best or newer(marker, best_marker)):
            best, best_marker = body, marker
    return best


def holds(there: str, ours: str) -> bool:
    """Whether another run's text is as new as ours: then it stays, and nobody writes in turns."""
    now, mine = parse(there), parse(ours)
    if now is None or mine is None:
        return False
    known = {(row.created, row.digest) for row in now.history}
    return not newer(mine, now) and {(row.created, row.digest) for row in mine.history} <= known
