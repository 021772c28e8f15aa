"""The fault switches: each says what goes wrong, for which requests, and how often."""

from bot.sandbox.faults import Fault, Trouble
from bot.sandbox.world import World


class Troubles:
    """`method` and `path` are patterns (`*` crosses `/`); `times` requests meet it, after `skip` others."""

    def __init__(self, world: World) -> None:
        self._world = world

    def play(self, fault: Fault) -> None:
        """Put any fault at the end of the queue."""
        with self._world.lock:
            self._world.faults.queue.append(fault)

    def status(
        self, status: int, *, times: int = 1, method: str = "*", path: str = "*", message: str = ""
    ) -> None:
        """Answer 500, 502, 403, …; `message` is what a JSON answer says."""
        self.play(
            Fault(
                trouble=Trouble.STATUS, status=status, times=times, method=method, path=path, message=message
            )
        )

    def limited(
        self,
        status: int = 403,
        *,
        retry_after: int | None = None,
        times: int = 1,
        method: str = "*",
        path: str = "*",
    ) -> None:
        """A secondary rate limit, 403 or 429, with or without `retry-after` (seconds)."""
        self.play(
            Fault(
                trouble=Trouble.LIMITED,
                status=status,
                retry_after=retry_after,
                times=times,
                method=method,
                path=path,
            )
        )

    def spent(self, *, method: str = "*", path: str = "*") -> None:
        """The hour's requests are used up when the next one comes."""
        self.play(Fault(trouble=Trouble.SPENT, method=method, path=path))

    def reset(self, *, times: int = 1, method: str = "*", path: str = "*") -> None:
        """The connection dies before anything happened."""
        self.play(Fault(trouble=Trouble.RESET, times=times, method=method, path=path))

    def dead(self, *, times: int = 1, method: str = "*", path: str = "*") -> None:
        """The connection dies after the change happened."""
        self.play(Fault(trouble=Trouble.DEAD, times=times, method=method, path=path))

    def slow(self, seconds: float, *, times: int = 1, method: str = "*", path: str = "*") -> None:
        """The right answer, after so many real seconds."""
        self.play(Fault(trouble=Trouble.SLOW, seconds=seconds, times=times, method=method, path=path))

    def stale_lists(self, reads: int, *, path: str = "*/comments*") -> None:
        """The next lists of comments and reactions are as they are now, whatever is written meanwhile."""
        tick = self._world.tick
        self.play(Fault(trouble=Trouble.STALE, times=reads, method="GET", path=path, tick=tick))

    def stale_head(self, repo: str, number: int, reads: int) -> None:
        """The next readings of the pull request show the head of now; git's refs show the true one."""
        with self._world.lock:
            pull = self._world.pull(repo, number)
            self._world.faults.heads[pull.repo, number] = (pull.head, reads)

    def lag(self, seconds: float) -> None:
        """Lists of comments and reactions are that many seconds of the clock behind, from now on."""
        self._world.lag = seconds

    def twice(self, events: int = 1) -> None:
        """The next events are delivered twice."""
        self._world.faults.twice = events

    def clear(self) -> None:
        with self._world.lock:
            self._world.faults.queue.clear()
            self._world.faults.heads.clear()
            self._world.faults.twice = 0
            self._world.lag = 0.0
