"""Why the patch stopped fitting a target: the commit that did it, and where its function lives now."""

from collections.abc import Callable, Sequence

from bot.model import PROVABLE, Blame, State, Value
from bot.survey import look, walk
from bot.survey.decide import Facts, decide
from bot.survey.ground import Ground, Story

Question = Callable[[Facts], bool]


class Loss(Value, frozen=True, kw_only=True):
    """`blame` is None when no commit can be named; `kept`: its parent that still had what was lost."""

    blame: Blame | None = None
    kept: str = ""


def losses(ground: Ground, wanted: Sequence[tuple[look.Sight, Facts]]) -> dict[str, Loss]:
    """What is known of each target where the patch does not fit any more, by the ref's full name."""
    stories = ground.stories([sight for sight, _ in wanted])
    judge = Judge()
    found = {sight.ref.full: loss(stories[sight.ref.full], judge, facts) for sight, facts in wanted}
    blames = walk.named(ground.store, [commit for commit, _ in filter(None, found.values())])
    return {
        full: Loss(blame=blames.get(pair[0]), kept=pair[1]) if pair else Loss()
        for full, pair in found.items()
    }


class Judge:
    """Asks once of the same facts, which many commits and targets share."""

    def __init__(self) -> None:
        self.told: dict[tuple[int, Question], tuple[Facts, bool]] = {}

    def ask(self, facts: Facts, question: Question) -> bool:
        key = (id(facts), question)  # the facts are kept, so that no others can have their place
        if key not in self.told:
            self.told[key] = (facts, question(facts))
        return self.told[key][1]


def loss(story: Story, judge: Judge, facts: Facts) -> tuple[str, str] | None:
    """The commit after which it did not fit, and that parent of it which it did fit."""
    wanted = is_there if facts.absent else fits

    def had(commit: str) -> bool:
        return commit in story.facts and judge.ask(story.facts[commit], wanted)

    commit = walk.loser(story.graph, had, story.same)
    return (commit, next(filter(had, story.graph[commit]))) if commit else None


def is_there(facts: Facts) -> bool:
    return not facts.absent and not facts.problem


def fits(facts: Facts) -> bool:
    return not facts.absent and decide(facts)[0] in {*PROVABLE, State.UPSTREAM_IDENTICAL}


def is_cured(facts: Facts) -> bool:
    return not facts.absent and decide(facts)[0] is State.UPSTREAM_IDENTICAL
