"""The readings of a patch's files as the facts of one target: all or nothing."""

from collections.abc import Iterable, Sequence

from bot.model import PROVABLE, State
from bot.survey.decide import Facts, Merge
from bot.survey.reading import Reading


def facts(readings: Sequence[Reading], where: str) -> Facts:
    """What the texts say; the cause comes to it later, when it matters. `where` names the anchors."""
    return Facts(
        absent=absent(readings),
        unclear=first(one.unclear for one in readings),
        applies=all(one.strict is not None for one in readings),
        reverses=all(one.reverses for one in readings),
        objection=first(one.objection for one in readings),
        landed=all(one.landed for one in readings),
        there=sum(one.there for one in readings),
        changes=sum(one.changes for one in readings),
        merge=merge([one.merge for one in readings]),
        merge_fits=all(one.merge_fits for one in readings),
        offset=readings[0].spots[0].offset if readings[0].spots else None,
        where=where,
        failed=first(one.failed for one in readings),
    )


def first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def absent(readings: Sequence[Reading]) -> str:
    """Why there is nothing to cure: no anchor is there, or no file where the manifest names no anchor."""
    telling = [one for one in readings if one.anchored] or readings
    return telling[0].absent if all(one.absent for one in telling) else ""


def merge(said: Sequence[Merge]) -> Merge:
    """The merge of all files: as good as its worst one, and OTHER when they differ."""
    for bad in (Merge.CONFLICT, Merge.NO_BASE):
        if bad in said:
            return bad
    return said[0] if len(set(said)) == 1 else Merge.OTHER


def results(readings: Sequence[Reading], state: State) -> dict[str, bytes]:
    """The patched files in a provable state, by path; empty in every other."""
    if state not in PROVABLE:
        return {}
    texts = {one.path: one.strict if state is State.APPLIES_EXACT else one.clean for one in readings}
    return {path: text for path, text in texts.items() if text is not None}
