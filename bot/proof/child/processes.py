"""Process hygiene on Linux: subreaper, death signal, and killing everything below a process."""

import ctypes
import os
import signal
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
#: A sane tree of test processes is gone after a few rounds of killing; more means that it forks faster.
ROUNDS = 200


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process (`man 2 prctl`). Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent dies, also of those in another session."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def children(pid: int) -> list[int]:
    """The direct children of `pid`, of all its threads."""
    found: list[int] = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, listing.read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def kill_below(pid: int, *, spare: frozenset[int] = frozenset()) -> int:
    """Kill every descendant of `pid` but those in `spare` and below them; return how many were killed."""
    killed: set[int] = set()
    for _ in range(ROUNDS):
        left = [child for child in children(pid) if child not in spare]
        alive = [one for child in left for one in (child, *descendants(child))]
        alive = [one for one in alive if not is_zombie(one)]
        if not alive:
            break
        for one in alive:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        killed.update(alive)
        reap_orphans(spare)
    reap_orphans(spare)
    return len(killed)


def is_zombie(pid: int) -> bool:
    """Whether the process has ended already (or is gone) and only waits to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return True


def reap_orphans(spare: frozenset[int]) -> None:
    """Reap our own dead children but those in `spare`, whose status somebody waits for."""
    for child in children(os.getpid()):
        if child not in spare:
            with suppress(ChildProcessError):
                os.waitpid(child, os.WNOHANG)
