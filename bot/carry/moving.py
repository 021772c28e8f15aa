"""Heads that moved while their targets were proven: read once more, just before anything is told."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs

from bot import upstream
from bot.errors import BotError
from bot.model import Ref, TargetEvidence

#: What each target rests on, by its name: a branch on itself, a proposal on its base too.
Rests = Mapping[str, Sequence[Ref]]


def told(
    source: upstream.Upstream, targets: Sequence[TargetEvidence], rests: Rests
) -> Iterator[TargetEvidence]:
    """The targets; the reason of each whose refs are elsewhere by now says so.

    Where no test was run, no time went by: then nobody is asked.
    """
    refs = tuple({ref.full: ref for own in rests.values() for ref in own if is_watched(ref)}.values())
    ran = any(target.probes and not target.cached for target in targets)
    news = read_again(source, refs) if ran and refs else {}
    for target in targets:
        own = [news[ref.full] for ref in rests.get(target.name, ()) if ref.full in news]
        yield structs.replace(target, reason="; ".join([target.reason, *own])) if own else target


def is_watched(ref: Ref) -> bool:
    """Whether it can move: a commit that was asked for by its id cannot."""
    return ref.head is not None and ref.full.startswith("refs/")


def read_again(source: upstream.Upstream, refs: Sequence[Ref]) -> dict[str, str]:
    """What is new of each ref that is not where it was, by its full name."""
    try:
        now = source.heads_now([ref.full for ref in refs])
    except BotError as error:  # what was proven stays proven
        return {ref.full: f"whether {ref.name} moved meanwhile is not known: {error.message}" for ref in refs}
    return {ref.full: moved(ref, now.get(ref.full)) for ref in refs if now.get(ref.full) != ref.head}


def moved(ref: Ref, now: str | None) -> str:
    place = f"moved to {now[:12]}" if now else "went away"
    return f"{ref.name} {place} while it was proven; this is about {(ref.head or '')[:12]}"
