"""The overlay `reverted_upstream`: the change was there once, and a later commit took it out again."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from bot.model import Blame, State
from bot.survey import lost, walk
from bot.survey.found import Finding
from bot.survey.ground import Ground, Story

OVERLAY = "reverted_upstream"
#: The text that had been changed is back.
UNCURED = frozenset({State.APPLIES_EXACT, State.APPLIES_MERGED, State.UPSTREAM_PARTIAL})


def marked(ground: Ground, found: Sequence[Finding]) -> list[Finding]:
    """The same findings; where the change had landed and its lines are back, with both commits.

    Only those are looked at closer that have a cured commit anywhere behind them.
    """
    uncured = [one for one in found if one.state in UNCURED]
    beside = [one for one in uncured if one.sight.ref.head not in ground.since]
    among = [one for one in uncured if one.sight.ref.head in ground.since]
    landed = {one.sight.variant: one.sight for one in among}
    landed = {variant: like for variant, like in landed.items() if has_cure(ground.shared(like))}
    wanted = [one for one in among if one.sight.variant in landed]
    if beside and has_cure(ground.alone([one.sight for one in beside])):
        wanted += beside
    stories = ground.stories([one.sight for one in wanted])
    judge = lost.Judge()
    pairs = {one.full: pair for one in wanted if (pair := reversal(stories[one.full], judge))}
    names = walk.named(ground.store, [commit for pair in pairs.values() for commit in pair])
    return [mark(one, pairs.get(one.full), names) for one in found]


def has_cure(story: Story) -> bool:
    """Whether the change ever landed in this history."""
    return any(map(lost.is_cured, {id(facts): facts for facts in story.facts.values()}.values()))


def reversal(story: Story, judge: lost.Judge) -> tuple[str, str] | None:
    """The commit that took the change out of this target, and the one that had brought it."""

    def had(commit: str) -> bool:
        return commit in story.facts and judge.ask(story.facts[commit], lost.is_cured)

    taker = walk.loser(story.graph, had, story.same)
    if taker is None:
        return None
    return taker, walk.gainer(story.graph, had, next(filter(had, story.graph[taker]))) or taker


def mark(one: Finding, pair: tuple[str, str] | None, names: Mapping[str, Blame]) -> Finding:
    if pair is None:
        return one
    taker, giver = (names[commit] for commit in pair)
    told = f"it had landed with {short(giver)}, and {short(taker)} took it out again"
    return structs.replace(one, overlay=OVERLAY, detail=f"{one.detail}; {told}", blame=one.blame or taker)


def short(blame: Blame) -> str:
    number = f" (#{blame.number})" if blame.number else ""
    return f"{blame.commit[:12]}{number} of {blame.date}"
