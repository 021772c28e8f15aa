"""Huge pages under this process's memory: a fork then copies some hundred entries, not 70,000."""

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

#: madvise(2): gather the pages of a range into huge ones now. Linux 6.1; older kernels refuse, and all stays.
MADV_COLLAPSE = 25
#: Bytes of a huge page on every machine that torch's CPU builds are for.
HUGE = 2 << 20
#: A private, writable mapping of no file: heap, arenas, and what libraries keep (proc(5), `maps`).
OWN = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 *(\[heap\])?$", re.MULTILINE)


def collapse() -> None:
    """Gather what this process has written so far; what cannot be gathered stays as it is."""
    libc = ctypes.CDLL(None)
    for address in huge_ranges(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")):
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(HUGE), MADV_COLLAPSE)


def huge_ranges(maps: str) -> Iterator[int]:
    """Yield the address of every whole huge page in this process's own memory."""
    for begin, end, _ in OWN.findall(maps):
        first = -(-int(begin, 16) // HUGE) * HUGE
        yield from range(first, int(end, 16) - HUGE + 1, HUGE)
