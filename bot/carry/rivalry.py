"""Rivals: found by content, checked against the manifest's list, told in the order they came, and judged."""

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec import structs

from bot import git, survey, upstream
from bot.carry.surveying import Surveyed
from bot.model import PROVABLE, Patch, Ref, RivalRow, Row, TargetEvidence
from bot.upstream.choosing import HEADS

PULLS = "refs/pull/*/head"
NUMBER = re.compile(r"refs/pull/([0-9]+)/head", re.ASCII)


def rivals(patch: Patch, done: Surveyed) -> tuple[RivalRow, ...]:
    """Every rival, the earliest first; and each that the manifest lists and that is none here, with why.

    A pull request's number tells when it was opened; whether it is still open only the host can say.
    """
    source = done.source
    branches = affected(patch, done.survey.rows)
    pulls = pull_requests(source)
    paths = sorted({change.path for changes in patch.variants.values() for change in changes})
    source.bring_versions([ref.head for ref in pulls if ref.head], paths)
    own = patch.manifest.proposal.pull_request
    found = [
        one for one in survey.rivals(source.store, patch, branches, pulls) if number_of(one.ref.full) != own
    ]
    listed = {one.pull_request for one in patch.manifest.proposal.rivals}
    rows = [row_of(one, listed, own) for one in found if not one.merged or number_of(one.ref.full) in listed]
    known = {ref.full: ref.head for ref in pulls}
    absent = [
        lacking(number, known.get(f"refs/pull/{number}/head"), done, bool(branches))
        for number in sorted(listed - {row.number for row in rows})
    ]
    return tuple(sorted([*rows, *absent], key=lambda row: (row.number is None, row.number or 0, row.when)))


def affected(patch: Patch, rows: Iterable[Row]) -> list[Row]:
    """The manifest's branches that take the patch; all such branches when it names none of them."""
    able = [row for row in rows if row.state in PROVABLE and row.ref.startswith(HEADS)]
    named = {one.name for one in patch.manifest.branches}
    return [row for row in able if row.name in named] or able


def pull_requests(source: upstream.Upstream) -> tuple[Ref, ...]:
    """The heads of all pull requests that the upstream, or a mirror of it, shows."""
    if not source.has_history:
        return ()
    found = [ref for ref in source.refs() if NUMBER.fullmatch(ref.full)]
    return source.fetch(found)


def number_of(full: str) -> int | None:
    found = NUMBER.fullmatch(full)
    return int(found[1]) if found else None


def row_of(one: survey.Rival, listed: Collection[int | None], own: int | None) -> RivalRow:
    number = number_of(one.ref.full)
    return RivalRow(
        ref=one.ref.full,
        number=number,
        head=one.ref.head or "",
        base=one.base,
        when=one.when,
        relation=one.relation,
        listed=number in listed,
        merged=one.merged,
        detail=f"{one.base} has it already" if one.merged else order(number, own),
    )


def order(number: int | None, own: int | None) -> str:
    """Which came first, ours or this one."""
    if number is None or own is None:
        return ""
    return f"it came {'before' if number < own else 'after'} ours, #{own}"


def lacking(number: int, head: str | None, done: Surveyed, compared: bool) -> RivalRow:
    """A pull request of the manifest's list that is no rival here, and why."""
    base = next((row.name for row in heads(done) if head and is_in(done, head, row)), "")
    return RivalRow(
        ref=f"refs/pull/{number}/head",
        number=number,
        head=head or "",
        base=base,
        when="",
        relation="none" if head and (base or compared) else "unknown",
        listed=True,
        merged=bool(base),
        detail=why_lacking(head, base, compared),
    )


def heads(done: Surveyed) -> list[Row]:
    return [row for row in done.survey.rows if row.head and row.ref.startswith(HEADS)]


def is_in(done: Surveyed, head: str, row: Row) -> bool:
    return bool(git.is_ancestor(done.source.store, head, row.head or ""))


def why_lacking(head: str | None, base: str, compared: bool) -> str:
    if head is None:
        return "this upstream does not show its head"
    if base:
        return f"{base} has it already"
    if not compared:
        return "no branch takes the patch, so that it was compared with none"
    return "it changes none of the patch's lines now"


def judged(rows: Sequence[RivalRow], targets: Iterable[TargetEvidence]) -> tuple[RivalRow, ...]:
    """The rows with what the tests said of each head."""
    told = {(target.head, target.base_commit): target for target in targets}
    by_head = {head: target for (head, _), target in told.items()}
    return tuple(
        structs.replace(row, verdict=by_head[row.head].verdict, detail=by_head[row.head].reason)
        if row.head in by_head
        else row
        for row in rows
    )
