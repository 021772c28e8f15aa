"""What came of an application, or what would come of it."""

from enum import StrEnum

from msgspec import field

from bot.carry.applying.judging import Change
from bot.carry.applying.records import Record
from bot.model import State, Value


class Deed(StrEnum):
    """`fits` and `reversible` are what a check says, `nothing` that there is nothing to take back."""

    APPLIED = "applied"
    ALREADY = "already"
    FITS = "fits"
    REVERSED = "reversed"
    REVERSIBLE = "reversible"
    NOTHING = "nothing"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"


#: What is not as expected.
RED = frozenset({Deed.REFUSED, Deed.INTERRUPTED})


class Outcome(Value, frozen=True, kw_only=True):
    """`state` is there where the survey was asked. `now` and `wanted`: bytes of the files to be written."""

    deed: Deed
    state: State | None = None
    reason: str = ""
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    record: Record | None = None
    now: dict[str, bytes] = field(default_factory=dict)
    wanted: dict[str, bytes] = field(default_factory=dict)


def refused(reason: str, state: State | None = None, *notes: str) -> Outcome:
    return Outcome(deed=Deed.REFUSED, reason=reason, state=state, notes=tuple(filter(None, notes)))
