"""Which results a report shows: those of this head before others, then the later run's."""

from collections.abc import Iterator

import msgspec

from bot.model import Value
from bot.report import markdown, sentences
from bot.report.comment import kept, marker
from bot.report.comment.facts import Facts, Finished
from bot.report.comment.kept import Marked
from bot.report.comment.marker import KEPT, Marker, Ran
from bot.report.markdown import bullets
from bot.report.objections import against, gaps


class Results(Value, frozen=True, kw_only=True):
    """`sections` of runs in their order; `about`: what they are about, as the new body's marker."""

    sections: tuple[Marked, ...]
    about: Marker

    def of(self, *names: str) -> list[Marked]:
        return [section for section in self.sections if section.mark in names]


def choose(facts: Facts, previous: str) -> Results:
    """From what has just been run and our own earlier body."""
    old = marker.parse(previous)
    if old is None or (old.patch, old.number) != (facts.patch, facts.pull.number):
        old, previous = Marker(patch=facts.patch, number=facts.pull.number, head=""), ""
    told = renewed(old, facts)
    mine = facts.tested
    if mine is None or outdone(mine, old, facts.pull.head.commit):
        return earlier(told if mine is None else with_row(told, mine), kept.read(previous))
    about = msgspec.structs.replace(
        with_row(told, mine),
        tested=mine.head,
        base=mine.base,
        merge=mine.merge,
        created=mine.created,
        comment=mine.comment,
        digest=mine.evidence.id,
    )
    return Results(sections=tuple(of_run(facts, mine)), about=about)


def renewed(old: Marker, facts: Facts) -> Marker:
    """The marker without news of a run; a new head is asked for from now on."""
    head = facts.pull.head.commit
    asked = old.asked if old.head == head and old.asked else facts.now
    vetted = facts.standing.vetted_head or ""
    return msgspec.structs.replace(old, head=head, asked=asked, vetted=vetted)


def outdone(mine: Finished, old: Marker, head: str) -> bool:
    """Whether the earlier body has better results than this run."""
    if not old.tested:
        return False
    if (old.tested == head) != (mine.head == head):
        return old.tested == head
    run = Marker(patch="", number=0, head="", created=mine.created, comment=mine.comment)
    return marker.newer(old, run)


def with_row(told: Marker, mine: Finished) -> Marker:
    """History with this run in its place by time; the same run is there once, and the oldest rows go."""
    verdicts = (target.verdict for target in mine.evidence.targets)
    row = Ran(
        created=mine.created,
        head=mine.head[:40],
        base=mine.base[:40],
        outcome=sentences.summary(verdicts),
        digest=mine.evidence.id,
    )
    others = [one for one in told.history if (one.created, one.digest) != (row.created, row.digest)]
    rows = sorted([*others, row], key=lambda one: one.created)
    return msgspec.structs.replace(told, history=tuple(rows[-KEPT:]))


def earlier(told: Marker, sections: dict[str, str]) -> Results:
    """What the earlier body said; where it lost its results, none are claimed."""
    if not told.tested or "headline" not in sections:
        return Results(sections=(), about=msgspec.structs.replace(told, tested="", base="", merge=""))
    again = tuple(kept.again(name, sections[name]) for name in kept.RESULTS if name in sections)
    return Results(sections=again, about=told)


def of_run(facts: Facts, mine: Finished) -> Iterator[Marked]:
    """The sections that evidence fills."""
    evidence, context = mine.evidence, facts.context
    whole = markdown.headline(evidence, context)
    yield Marked(mark="headline", title="", body=whole, whole=True)
    yield Marked(mark="targets", title="Targets", body=markdown.table(evidence))
    yield Marked(mark="proven", title="What was proven", body=markdown.proven(evidence))
    left = bullets(gaps(evidence), sentences.NOTHING_LEFT_OUT)
    yield Marked(mark="gaps", title="What was not run", body=left)
    objections = bullets(against(evidence, context), sentences.NO_OBJECTION)
    yield Marked(mark="objections", title="The strongest objections", body=objections)
    folded = {
        "controls": bullets(markdown.controls(evidence), "None ran."),
        "environment": bullets(markdown.environment(evidence), "Not named."),
        "isolation": markdown.isolation(evidence),
        "outcomes": bullets(markdown.outcomes(evidence), sentences.NO_OUTCOMES),
    }
    for mark, body in folded.items():
        yield Marked(mark=mark, title=mark.capitalize(), body=body, folded=True)
