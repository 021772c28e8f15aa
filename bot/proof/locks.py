"""One writer at a time: an flock that the kernel drops when its holder dies."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import BotError


@contextmanager
def held(path: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock at `path`; `say` is told when another run has it. Raises BotError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise BotError(
            f"the cache cannot be written: {error.strerror}",
            "make it writable, or put it elsewhere with UPSTREAM_BOT_CACHE",
        ) from None
    try:
        take(lock, say)
        yield
    finally:
        os.close(lock)


def take(lock: int, say: Callable[[str], None]) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another run to finish")
        fcntl.flock(lock, fcntl.LOCK_EX)
