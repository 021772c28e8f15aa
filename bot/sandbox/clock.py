"""The sandbox's time: real, moved, or stopped; one of the two things that tests may fake."""

import time
from datetime import UTC, datetime


class Clock:
    """Seconds since 1970. It runs as the machine's until it is stopped; `advance` moves it either way."""

    def __init__(self) -> None:
        self._moved = 0.0
        self._stopped: float | None = None

    def now(self) -> float:
        return time.time() + self._moved if self._stopped is None else self._stopped

    def stop(self, at: float | str | None = None) -> None:
        """Stand still, at a moment given in seconds or as ISO 8601, or at this one."""
        self._stopped = self.now() if at is None else seconds(at) if isinstance(at, str) else at

    def advance(self, by: float) -> None:
        if self._stopped is None:
            self._moved += by
        else:
            self._stopped += by


def seconds(moment: str) -> float:
    """ISO 8601 as seconds since 1970. Raises ValueError; no zone means UTC."""
    found = datetime.fromisoformat(moment)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def iso(moment: float) -> str:
    """As GitHub writes it: whole seconds, UTC."""
    return datetime.fromtimestamp(int(moment), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
