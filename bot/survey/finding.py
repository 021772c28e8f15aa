"""From refs to findings: what their files say, what history adds, and why a patch stopped fitting."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from bot import git
from bot.git.beside import beside
from bot.model import Patch, Ref, State
from bot.survey import found, history, homes, lost, rehomed, rewritten, texts
from bot.survey.decide import Facts
from bot.survey.found import Finding
from bot.survey.ground import Ground
from bot.survey.past import NO_PAST, Past

__all__ = ["Finding", "concluded", "find", "releases", "search"]

Causes = Mapping[str, history.Cause]
Searched = tuple[Ground, texts.Texts, Causes]
#: The patch fitted once: somebody changed that.
STOPPED = frozenset({State.CONFLICTS, State.NOT_AFFECTED_ANYMORE})


def find(
    store: git.Repo, patch: Patch, refs: Sequence[Ref], *, has_history: bool, past: Past = NO_PAST
) -> list[Finding]:
    """A finding for each ref, in their order; history is walked only where the texts do not tell all."""
    if not has_history:
        return releases(store, patch, refs)
    read = texts.read(store, patch, refs)
    found = decided(read, read.facts)
    if not past.last and not any(read.facts[one.full].absent or one.state in STOPPED for one in found):
        return found
    return concluded(*joined(store, read, walk(store, patch, refs, past)), past)


def search(store: git.Repo, patch: Patch, refs: Sequence[Ref], past: Past) -> Searched:
    """What the texts of refs say, and what came since the defect did. Git walks while the texts are read."""
    walking = beside(lambda: walk_ahead(store, patch, refs, past))
    read = texts.read(store, patch, refs)
    return joined(store, read, walking.result())


Walked = tuple[Ground, history.Walks]


def joined(store: git.Repo, read: texts.Texts, walked: Walked) -> Searched:
    ground, walks = walked
    ground.known = read.known
    asked = [one.ref for one in read.seen if read.facts[one.ref.full].absent]
    return ground, read, history.causes(store, asked, walks)


def walk(store: git.Repo, patch: Patch, refs: Sequence[Ref], past: Past) -> Walked:
    """Walk through history."""
    walks = history.walks(store, patch.manifest, refs)
    return Ground(store, patch, history.joined(walks) if walks else None, past.bring), walks


def walk_ahead(store: git.Repo, patch: Patch, refs: Sequence[Ref], past: Past) -> Walked:
    """The same, and look up what overlays will ask for, while others are busy."""
    ground, walks = walk(store, patch, refs, past)
    for ref in refs[:1]:
        ground.look_ahead(ref.name)
    return ground, walks


def concluded(ground: Ground, read: texts.Texts, causes: Causes, past: Past) -> list[Finding]:
    """The findings, in the order of what was read."""
    facts = with_causes(read.facts, causes)
    made = explained(ground, decided(read, facts), facts)
    return [rewritten.marked(ground.store, one, past.last.get(one.full, "")) for one in made]


def releases(store: git.Repo, patch: Patch, refs: Sequence[Ref]) -> list[Finding]:
    """The findings of releases, whose age is told by their versions."""
    read = texts.read(store, patch, refs)
    causes = {ref.full: history.by_version(patch.manifest, ref) for ref in refs}
    return decided(read, with_causes(read.facts, causes))


def with_causes(facts: Mapping[str, Facts], causes: Causes) -> dict[str, Facts]:
    """The facts, with the cause where something is absent: elsewhere it does not matter."""
    asked = {full: cause for full, cause in causes.items() if facts[full].absent}
    told = {
        full: structs.replace(facts[full], has_cause=cause.present, cause=cause.said)
        for full, cause in asked.items()
    }
    return {**facts, **told}


def decided(read: texts.Texts, facts: Mapping[str, Facts]) -> list[Finding]:
    return [found.make(one, facts[one.ref.full], read.readings.get(one.key, ())) for one in read.seen]


def explained(ground: Ground, made: Sequence[Finding], facts: Mapping[str, Facts]) -> list[Finding]:
    """The same; where the patch stopped fitting, also by which commit, and where its function is now."""
    stopped = [one for one in made if one.state in STOPPED]
    losses = lost.losses(ground, [(one.sight, facts[one.full]) for one in stopped])
    absent = [one for one in stopped if facts[one.full].absent]
    places = new_places(ground, absent, losses)
    told = {one.full: structs.replace(one, blame=losses[one.full].blame) for one in stopped}
    told |= {
        one.full: structs.replace(
            moved(ground, one, facts[one.full], places[one.full]), blame=losses[one.full].blame
        )
        for one in absent
    }
    return [told.get(one.full, one) for one in made]


Places = homes.Homes | homes.Unknown


def new_places(
    ground: Ground, absent: Sequence[Finding], losses: Mapping[str, lost.Loss]
) -> dict[str, Places]:
    """Where the anchors of each target are now, by its full name: one search for each variant."""
    places: dict[str, Places] = {}
    for variant in dict.fromkeys(one.sight.variant for one in absent):
        own = [one for one in absent if one.sight.variant == variant]
        # Where nobody is seen to have lost it, the commit that the patch was made on surely had it.
        base = ground.patch.version.base.commit
        wanted = [(one.sight.ref.head or "", losses[one.full].kept or base) for one in own]
        places |= zip((one.full for one in own), ground.homes(variant, wanted), strict=True)
    return places


def moved(ground: Ground, one: Finding, facts: Facts, places: Places) -> Finding:
    """The finding with the new home of what is absent."""
    if isinstance(places, homes.Unknown):
        return structs.replace(one, state=State.UNKNOWN, detail=places.why)
    there = rehomed.find(ground.store, ground.patch, one.sight, places)
    return there or found.make(one.sight, structs.replace(facts, moved=homes.said(places)), ())
