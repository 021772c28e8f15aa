"""What the warm parent does to itself before anything foreign runs: loopback, read-only mounts, limits."""

import ctypes
import errno
import fcntl
import os
import resource
import socket
import struct
from itertools import count
from pathlib import Path

from bot.proof.child import processes

MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
#: Mount flags that a namespace may not drop, as /proc/self/mountinfo spells them (mount(2)).
LOCKED = {"nosuid": 2, "nodev": 4, "noexec": 8, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
#: A directory above it is closed to this user, or another mount hides it.
UNREACHABLE = frozenset({errno.EACCES, errno.ENOENT, errno.EINVAL})
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
#: Bytes of the largest file that a test may write.
LARGEST_FILE = 1 << 30
#: Processes and threads of a whole namespace; what one test may have is watched for.
LARGEST_CROWD = 1 << 14
#: Kernel settings, which root may write wherever it sees them.
SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus")
PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 23, 24, 38
#: Capabilities that root keeps where it shares a file system with others: their files may be in the way.
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522


def confine(place: str, level: str) -> None:
    """Limit this process and all below it; in a namespace of our own also what it can write and reach."""
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    if level == "namespace":
        limit(resource.RLIMIT_NPROC, LARGEST_CROWD)
        raise_loopback()
        close_file_systems(place)
        processes.hide()
        drop_capabilities(frozenset())
    else:
        drop_capabilities(frozenset({CAP_DAC_OVERRIDE}))
    processes.prctl(PR_SET_NO_NEW_PRIVS, 1)  # no sudo either


def limit(what: int, most: int) -> None:
    """Set a limit that cannot be raised again, unless it is lower already."""
    _, hard = resource.getrlimit(what)
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (value, value))


def drop_capabilities(kept: frozenset[int]) -> None:
    """Give up what a root user may do, for good: else whoever runs below us undoes the rest.

    Of `kept` stays what we have. Raises OSError.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for number in count():
        known = libc.prctl(PR_CAPBSET_READ, number, 0, 0, 0)
        if known < 0:
            break
        if known and number not in kept:
            libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # who may not drop it cannot gain it either
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    sets = ctypes.create_string_buffer(24)
    ask(libc.capget(header, sets))
    mask = sum(1 << number for number in kept)
    effective, permitted, *_ = struct.unpack("=6I", sets.raw)
    ask(libc.capset(header, struct.pack("=6I", effective & mask, permitted & mask, 0, 0, 0, 0)))


def ask(answer: int) -> None:
    """Raise OSError when a system call has failed."""
    if answer:
        raise OSError(ctypes.get_errno(), "capabilities")


def raise_loopback() -> None:
    """A new network namespace has a loopback interface that is down; ranks find each other over it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        name = b"lo".ljust(16, b"\0")
        answer = fcntl.ioctl(end, SIOCGIFFLAGS, name + bytes(24))
        (flags,) = struct.unpack_from("=h", answer, 16)
        fcntl.ioctl(end, SIOCSIFFLAGS, name + struct.pack("=h", flags | IFF_UP) + bytes(22))


def close_file_systems(place: str) -> None:
    """Make every mount read-only but `place`/work, where tests may write. Raises OSError when that fails."""
    work = str(Path(place, "work"))
    mount(None, "/", MS_REC | MS_PRIVATE)
    mount(work, work, MS_BIND)
    mount("tmpfs", "/dev/shm", 0, "tmpfs")  # noqa: S108 (an empty one of our own)
    for setting in filter(os.path.exists, SETTINGS):
        mount(setting, setting, MS_BIND)
    for point, options in mounts():
        if point != work and (point in SETTINGS or not point.startswith(("/proc", "/dev"))):
            close(point, sum(LOCKED[option] for option in options if option in LOCKED))


def close(point: str, flags: int) -> None:
    """Make one mount read-only; one that we cannot even reach is closed to the tests as well."""
    try:
        mount(None, point, MS_REMOUNT | MS_BIND | MS_RDONLY | flags)
    except OSError as error:
        if error.errno not in UNREACHABLE:
            raise


def mounts() -> list[tuple[str, list[str]]]:
    """Mount points with their options; a point may hold octal escapes (proc(5))."""
    rows = [line.split() for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()]
    return [(row[4].encode().decode("unicode_escape"), row[5].split(",")) for row in rows]


def mount(source: str | None, target: str, flags: int, kind: str | None = None) -> None:
    """Mount as the system call does (`man 2 mount`). Raises OSError.

    Root could do that to the whole machine: only the first process of a namespace of our own may.
    """
    if os.getpid() != 1:
        raise OSError(errno.EPERM, f"mount {target} outside a namespace of our own")
    libc = ctypes.CDLL(None, use_errno=True)
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    if libc.mount(*words, ctypes.c_ulong(flags), None):
        raise OSError(ctypes.get_errno(), f"mount {target}")
