"""Huge pages: which ranges of a process's own memory are gathered."""

from bot.proof.child import pages
from bot.proof.child.pages import HUGE

MAPS = f"""\
{HUGE:x}-{3 * HUGE:x} rw-p 00000000 00:00 0
{4 * HUGE + 4096:x}-{6 * HUGE - 4096:x} rw-p 00000000 00:00 0
{8 * HUGE - 4096:x}-{9 * HUGE + 4096:x} rw-p 00000000 00:00 0                          [heap]
{10 * HUGE:x}-{12 * HUGE:x} rw-p 00000000 00:00 0                          [stack]
{12 * HUGE:x}-{14 * HUGE:x} r-xp 00000000 08:01 77                         /usr/lib/some.so
{14 * HUGE:x}-{16 * HUGE:x} rw-s 00000000 00:01 78                         /dev/zero (deleted)
"""


def test_only_whole_huge_pages_of_heap_and_nameless_private_memory_are_gathered() -> None:
    assert list(pages.huge_ranges(MAPS)) == [HUGE, 2 * HUGE, 8 * HUGE]


def test_gathering_changes_nothing_that_is_kept_there() -> None:
    kept = bytearray(range(256)) * (HUGE // 64)
    pages.collapse()
    assert kept == bytearray(range(256)) * (HUGE // 64)
