"""What goes wrong on purpose: a queue of faults, each for some requests and some times."""

import fnmatch
from dataclasses import dataclass, field
from enum import StrEnum


class Trouble(StrEnum):
    STATUS = "status"  # an answer with that status instead of the right one
    LIMITED = "limited"  # a secondary rate limit, 403 or 429
    SPENT = "spent"  # the primary rate limit
    RESET = "reset"  # the connection dies before anything happened
    DEAD = "dead"  # the connection dies after the change happened
    SLOW = "slow"  # the right answer, late
    STALE = "stale"  # lists of comments and reactions as they were when the fault was set


@dataclass(kw_only=True)
class Fault:
    """`path` is a pattern in which `*` crosses `/`; `skip` matching requests are let through first."""

    trouble: Trouble
    times: int = 1
    method: str = "*"
    path: str = "*"
    status: int = 502
    message: str = ""
    seconds: float = 0.0
    retry_after: int | None = None
    tick: int = 0
    skip: int = 0

    def fits(self, method: str, path: str) -> bool:
        return fnmatch.fnmatchcase(method, self.method) and fnmatch.fnmatchcase(path, self.path)


@dataclass(kw_only=True)
class Faults:
    """The queue; the first fault that fits a request is played, and counted down."""

    queue: list[Fault] = field(default_factory=list)
    heads: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    twice: int = 0

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault that this request meets, if any."""
        for fault in self.queue:
            if not fault.fits(method, path):
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            fault.times -= 1
            if fault.times < 1:
                self.queue.remove(fault)
            return fault
        return None

    def head(self, repo: int, number: int) -> str | None:
        """Return the old head that this reading of a pull request still shows; None: the true one."""
        commit, reads = self.heads.get((repo, number), ("", 0))
        if reads:
            self.heads[repo, number] = (commit, reads - 1)
        return commit if reads else None

    def deliveries(self) -> int:
        """Return how often the next event is delivered."""
        if not self.twice:
            return 1
        self.twice -= 1
        return 2
