"""The next version tried in a copy of its patch's folder, before the folder itself is touched."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from bot import catalog, survey, upstream
from bot.carry import proving
from bot.carry.refreshing.drafting import Draft, Refused, Unmoved, Wish, bring, draft
from bot.carry.refreshing.publishing import publish
from bot.errors import BotError
from bot.model import PROVABLE, Evidence, Patch, Ref, Row, State, Value, Verdict
from bot.proof import scratch
from bot.proof.rounds import Progress


class Trial(Value, frozen=True, kw_only=True):
    """What was seen of a draft; `lost`: the affected branches that it no longer applies to, as it sees them.

    `seen` is None when no test was run.
    """

    draft: Draft
    lost: tuple[Row, ...]
    seen: Evidence | None


def attempt(
    wish: Wish, order: proving.Order, show: Progress, *, with_proof: bool
) -> Trial | Refused | Unmoved:
    """Make the next version and try it in a copy; `order` says how it is proven. Publishes nothing."""
    with scratch.directory() as place:
        source = proving.open_source(order, show)
        made = draft(wish, source, place)
        if not isinstance(made, Draft):
            return made
        staged = stage(source, wish.patch, made, place)
        lost = tuple(left_behind(source, wish.patch, staged))
        proven = with_proof and not lost
        seen = proving.prove_branches(structs.replace(order, patch=staged), show) if proven else None
        return Trial(draft=made, lost=lost, seen=seen)


def stage(source: upstream.Upstream, patch: Patch, made: Draft, place: Path) -> Patch:
    """The patch with its next version, in a copy below `place`.

    Raises BotError when the copy says or does anything else than the draft.
    """
    folder = place / "patches" / patch.id
    junk = shutil.ignore_patterns("__pycache__", "*.pyc", ".git")
    shutil.copytree(patch.folder, folder, symlinks=True, ignore=junk)
    publish(patch, made.made, folder)
    staged = catalog.load(folder.parent, patch.id)
    refuse_other(patch, made, staged)
    refuse_misfit(source, made, staged)
    return staged


def refuse_other(patch: Patch, made: Draft, staged: Patch) -> None:
    """Raise BotError unless the staged manifest says what the old one said, and the version."""
    versions = (*patch.manifest.versions, made.made.version)
    if staged.manifest != structs.replace(patch.manifest, versions=versions):
        raise BotError(
            "patch.yml would say something else than before, and not only the new version",
            "write the list of `versions` with one `- id:` a version, and run again",
        )
    taken = catalog.variant_for(staged, made.choice.branch)
    if taken.path != made.path:
        why = f"{made.choice.branch} would take {taken.path}, and not {made.path}"
        raise BotError(why, "name the variant for it below `branches` in patch.yml, or refresh that one")


def refuse_misfit(source: upstream.Upstream, made: Draft, staged: Patch) -> None:
    """Raise BotError unless the new version gives at its own line what the survey of the old one gave."""
    subject = made.subject
    ref = Ref(full=subject.row.ref, name=subject.name, head=subject.head)
    (found,) = survey.subjects(source.store, staged, [ref], has_history=True)
    exact = found.row.state is State.APPLIES_EXACT and not found.row.offset
    if not exact or found.after_tree != subject.after_tree:
        why = f"on {subject.name} the new version is {found.row.state}: {found.row.detail}"
        raise BotError(why, "nothing was published; make the version by hand")


def left_behind(source: upstream.Upstream, patch: Patch, staged: Patch) -> Iterator[Row]:
    """The affected branches that the old version applies to and the new one does not."""
    refs = source.fetch(source.recall(proving.affected(patch, releases=False)))
    bring(source, patch, refs)
    seen = (survey.subjects(source.store, one, refs, has_history=True) for one in (patch, staged))
    for old, new in zip(*seen, strict=True):
        if old.row.state in PROVABLE and new.row.state not in PROVABLE:
            yield new.row


def objection(trial: Trial, *, controls: bool) -> str:
    """Why the version may not be published; empty when it may."""
    if trial.lost:
        told = "; ".join(f"{row.name} would be {row.state}: {row.detail}" for row in trial.lost)
        name = trial.lost[0].name
        return f"{told}. Give that branch a variant of its own first: --branch {name} --variant NAME"
    if trial.seen is None:
        return ""
    (target,) = trial.seen.targets
    if target.head != trial.draft.row.head:
        return f"{target.name} moved while it was proven: run again"
    fine = {Verdict.PROVEN} if controls else {Verdict.PROVEN, Verdict.CURED_UNCONTROLLED}
    return "" if target.verdict in fine else f"{target.name} is {target.verdict}: {target.reason}"
