"""Process hygiene on Linux: subreaper, death signal, and killing everything below a process."""

import ctypes
import os
import re
import signal
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
#: What a process holds by writing, in KiB: memory of its own and shared memory (proc(5)).
HELD = re.compile(r"^Rss(?:Anon|Shmem):\s*(\d+) kB$", re.MULTILINE)
#: A sane tree of test processes is gone after a few rounds of killing; more means that it forks faster.
ROUNDS = 200
#: Looks in a row at nothing after which nothing is there.
LOOKS = 2


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


def hide() -> None:
    """Let no other process of this user read our memory, environment or open files (proc(5), ptrace(2))."""
    prctl(PR_SET_DUMPABLE, 0)


def await_children() -> None:
    """Hear of our own children's ends, whatever upstream code did to that signal."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


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


def memory(pids: list[int]) -> int:
    """Bytes that these processes hold, without the files they read; what two share counts for both."""
    held = 0
    for pid in pids:
        with suppress(OSError):
            told = Path(f"/proc/{pid}/status").read_text(errors="replace")
            held += sum(int(kib) for kib in HELD.findall(told))
    return held * 1024


def kill_tree(pid: int) -> None:
    """Kill a process and all below it; it is stopped first, so that it starts nothing in the meantime."""
    send(pid, signal.SIGSTOP)
    kill_below(pid)
    send(pid, signal.SIGKILL)


def kill_below(pid: int, *, spare: frozenset[int] = frozenset()) -> int:
    """Kill every descendant of `pid` but those in `spare` and below them; return how many were killed.

    Those of ours that are dead are reaped, but only ours: somebody else waits for the others. One look at
    nothing is not enough: what moves to another parent in the meantime is not seen (proc(5), `children`).
    """
    ours = pid == os.getpid()
    killed: set[int] = set()
    quiet = 0
    for _ in range(ROUNDS):
        if ours:
            reap_orphans(spare)
        below = [one for child in children(pid) if child not in spare for one in (child, *descendants(child))]
        alive = [one for one in below if not is_zombie(one)]
        quiet = 0 if alive or (ours and below) else quiet + 1
        if quiet == LOOKS:
            break
        for one in alive:
            send(one, signal.SIGKILL)
        killed.update(alive)
    return len(killed)


def send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


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
