"""A scratch directory for one run, gone afterwards; what a killed run left is swept by the next."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.errors import BotError

PREFIX = "upstream-bot-scratch-"
#: Seconds after which a directory without a lock file belongs to nobody: its maker is dead.
UNLOCKED = 60.0


@contextmanager
def directory() -> Iterator[Path]:
    """Yield a new directory with a random name, locked while in use; it is removed with all it holds."""
    base = Path(tempfile.gettempdir())
    sweep(base)
    try:
        made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
        lock = os.open(made / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise BotError(
            f"no scratch directory in {base.name}: {error.strerror}", "set TMPDIR to a place with room"
        ) from None
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield made
    finally:
        remove(made)
        os.close(lock)


def sweep(base: Path) -> None:
    """Remove the scratch directories of runs that have ended without doing so."""
    for left in base.glob(f"{PREFIX}*"):
        with suppress(OSError):
            sweep_one(left)


def sweep_one(left: Path) -> None:
    """Remove a directory that nobody holds. Raises OSError where somebody does."""
    try:
        lock = os.open(left / "lock", os.O_RDWR)
    except FileNotFoundError:
        if time.time() - left.stat().st_mtime > UNLOCKED:
            remove(left)
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(left)
    finally:
        os.close(lock)


def remove(made: Path) -> None:
    """Remove a directory in which tests may have taken rights away."""
    for folder, _, _ in os.walk(made):
        with suppress(OSError):
            Path(folder).chmod(0o700)
    shutil.rmtree(made, ignore_errors=True)
