"""What a survey may know beside today's heads: those last seen, and how to bring older files."""

from collections.abc import Callable, Sequence

from msgspec import field

from bot.model import Value

#: Makes sure that the store has these paths of these commits, where they can be had.
Bring = Callable[[Sequence[str], Sequence[str]], None]


def nothing(_commits: Sequence[str], _paths: Sequence[str]) -> None:
    """The store has all that there is."""


class Past(Value, frozen=True, kw_only=True):
    """`last`: the head last seen of each ref, by its full name."""

    last: dict[str, str] = field(default_factory=dict)
    bring: Bring = nothing


#: Nothing was seen before, and nothing can be brought.
NO_PAST = Past()
