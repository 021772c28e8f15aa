"""One target's finding: its state and why, with the patched texts where there are any."""

from collections.abc import Sequence

from msgspec import field

from bot.model import Blame, HunkPlace, State, Value
from bot.survey import combine, look
from bot.survey.decide import Facts, decide
from bot.survey.reading import Reading


class Finding(Value, frozen=True, kw_only=True):
    """`patched`: the new text of each touched file, by path; empty unless the state is provable."""

    sight: look.Sight
    state: State
    detail: str
    spots: tuple[HunkPlace, ...] = ()
    patched: dict[str, bytes] = field(default_factory=dict)
    blame: Blame | None = None
    overlay: str = ""

    @property
    def full(self) -> str:
        return self.sight.ref.full


def make(sight: look.Sight, facts: Facts, readings: Sequence[Reading]) -> Finding:
    """Decide from the facts; the readings give the texts."""
    state, detail = decide(facts)
    patched = combine.results(readings, state)
    spots = tuple(spot for one in readings for spot in one.spots) if patched else ()
    return Finding(sight=sight, state=state, detail=detail, spots=spots, patched=patched)
