"""What was asked and what came of it, so that tests can count."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One request. `status` 0: the connection died; `wrote`: the change happened all the same.

    `who` is the login of the token's owner, empty without a token; `fault` names what was played.
    """

    method: str
    path: str
    query: str
    status: int
    time: float
    who: str
    fault: str = ""
    wrote: bool = False
