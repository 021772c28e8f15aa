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
        overtaken(one, patch, done)
        for one in survey.rivals(source.store, patch, branches, pulls)
        if number_of(one.ref.full) != own
    ]
    listed = {one.pull_request for one in patch.manifest.proposal.rivals}
    rows = [row_of(one, listed, own) for one in found if not one.merged or number_of(one.ref.full) in listed]
    known = {ref.full: ref.head for ref in pulls}
    missed = sorted(listed - {row.number for row in rows})
    heads = {number: known.get(f"refs/pull/{number}/head") for number in missed}
    absent = [
        lacking(number, head, holder(patch, done, head) if head else "", compared=bool(branches))
        for number, head in heads.items()
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


def lacking(number: int, head: str | None, base: str, *, compared: bool) -> RivalRow:
    """A pull request of the manifest's list that is no rival here, and why; `base` has it already."""
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


def overtaken(one: survey.Rival, patch: Patch, done: Surveyed) -> survey.Rival:
    """The same rival; where a branch of the manifest has its commits already, merged into that."""
    held = "" if one.merged else holder(patch, done, one.ref.head or "")
    return structs.replace(one, base=held, merged=True) if held else one


def holder(patch: Patch, done: Surveyed, head: str) -> str:
    """The manifest's branch that has this commit already, or "".

    Others tell nothing: an open proposal's head can be a branch of the upstream, or mirrored by one.
    """
    named = {HEADS + one.name for one in patch.manifest.branches}
    rows = [row for row in done.survey.rows if row.head and row.ref in named]
    store = done.source.store
    return next((row.name for row in rows if git.is_ancestor(store, head, row.head or "")), "")


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
        structs.replace(
            row,
            verdict=by_head[row.head].verdict,
            detail="; ".join(filter(None, (row.detail, by_head[row.head].reason))),
        )
        if row.head in by_head
        else row
        for row in rows
    )
