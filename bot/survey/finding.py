"""From what was seen to states: one finding for each target, with the patched texts where there are any."""

from collections.abc import Sequence

from msgspec import field, structs

from bot import git
from bot.model import HunkPlace, Patch, Ref, State, Value
from bot.survey import combine, history, look
from bot.survey.decide import Facts, decide
from bot.survey.reading import Reading


class Finding(Value, frozen=True, kw_only=True):
    """`patched`: the new text of each touched file, by path; empty unless the state is provable."""

    sight: look.Sight
    state: State
    detail: str
    spots: tuple[HunkPlace, ...] = ()
    patched: dict[str, bytes] = field(default_factory=dict)


def find(store: git.Repo, patch: Patch, refs: Sequence[Ref], *, has_history: bool) -> list[Finding]:
    """A finding for each ref, in their order."""
    seen = look.sights(store, patch, refs)
    readings = look.read_all(store, patch, seen)
    texts = {key: combine.facts(read, where(patch, key[0])) for key, read in readings.items()}
    facts = {one.ref.full: texts[one.key] if one.whole else without_texts(one) for one in seen}
    asked = [one.ref for one in seen if facts[one.ref.full].absent]
    for full, cause in history.causes(store, patch.manifest, asked, has_history=has_history).items():
        facts[full] = structs.replace(facts[full], has_cause=cause.present, cause=cause.said)
    return [finding(one, facts[one.ref.full], readings.get(one.key, ())) for one in seen]


def where(patch: Patch, variant: str) -> str:
    """The anchors in the variant's files, else the files."""
    paths = [change.path for change in patch.variants[variant]]
    symbols = [anchor.symbol for anchor in patch.manifest.anchors if anchor.file in paths]
    return " and ".join(symbols or paths)


def without_texts(sight: look.Sight) -> Facts:
    return Facts(missing=sight.ref.missing, problem=sight.problem)


def finding(sight: look.Sight, facts: Facts, readings: Sequence[Reading]) -> Finding:
    state, detail = decide(facts)
    patched = combine.results(readings, state)
    spots = tuple(spot for one in readings for spot in one.spots) if patched else ()
    return Finding(sight=sight, state=state, detail=detail, spots=spots, patched=patched)
