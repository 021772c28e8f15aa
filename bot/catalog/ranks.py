"""Which ranks a declaration speaks of: `all`, a rank, a span such as `1-3`, or a list of these."""

import re

from bot.errors import BotError

SPAN = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")


def expand(ranks: str | tuple[str, ...], world: int) -> tuple[int, ...]:
    """The ranks in the order they are written, repeated ones repeated.

    Raises BotError for what is no rank, a span that runs backwards, or a rank outside the world.
    """
    parts = (ranks,) if isinstance(ranks, str) else ranks
    return tuple(rank for part in parts for rank in expand_part(part.strip(), world))


def expand_part(part: str, world: int) -> range:
    if part == "all":
        return range(world)
    found = SPAN.fullmatch(part)
    if not found:
        raise BotError(f"{part!r} is no rank", "write all, a rank, a span such as 1-3, or a list of these")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise BotError(f"the span {part} runs backwards", f"write {last}-{first}")
    if last >= world:
        raise BotError(f"rank {last} is outside a world of {world}", f"the last rank is {world - 1}")
    return range(first, last + 1)
