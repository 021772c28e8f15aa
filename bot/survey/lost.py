"""Why the patch stopped fitting a target: the commit that did it, and where its function lives now."""

from collections.abc import Sequence

from bot.model import PROVABLE, Blame, State, Value
from bot.survey import look, walk
from bot.survey.decide import Facts, decide
from bot.survey.ground import Ground


class Loss(Value, frozen=True, kw_only=True):
    """`blame` is None when no commit can be named; `kept`: its parent that still had what was lost."""

    blame: Blame | None = None
    kept: str = ""


def losses(ground: Ground, wanted: Sequence[tuple[look.Sight, Facts]]) -> dict[str, Loss]:
    """What is known of each target where the patch does not fit any more, by the ref's full name."""
    found = {sight.ref.full: loss(ground, sight, facts) for sight, facts in wanted}
    blames = walk.named(ground.store, [commit for commit, _ in filter(None, found.values())])
    return {
        full: Loss(blame=blames.get(pair[0]), kept=pair[1]) if pair else Loss()
        for full, pair in found.items()
    }


def loss(ground: Ground, sight: look.Sight, facts: Facts) -> tuple[str, str] | None:
    """The commit after which it did not fit, and that parent of it which it did fit."""
    story = ground.story(sight)
    wanted = is_there if facts.absent else fits

    def had(commit: str) -> bool:
        return commit in story.facts and wanted(story.facts[commit])

    commit = walk.loser(story.graph, had, story.same)
    return (commit, next(filter(had, story.graph[commit]))) if commit else None


def is_there(facts: Facts) -> bool:
    return not facts.absent and not facts.problem


def fits(facts: Facts) -> bool:
    return not facts.absent and decide(facts)[0] in {*PROVABLE, State.UPSTREAM_IDENTICAL}


def is_cured(facts: Facts) -> bool:
    return not facts.absent and decide(facts)[0] is State.UPSTREAM_IDENTICAL
