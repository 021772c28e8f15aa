"""What the warm parent knows of one family while it runs."""

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from bot.proof.child import outcome, processes
from bot.proof.child.job import Family
from bot.proof.child.watch import GRACE, Watch

if TYPE_CHECKING:
    import socket


class Running:
    """A family's process, a watch on each sibling, the ends still open by descriptor, and the turns it got.

    `turns` is where a byte lets the family fork one more sibling.
    """

    def __init__(self, family: Family, pid: int, turns: int) -> None:
        self.family = family
        self.pid = pid
        self.turns = turns
        self.given = 0
        self.deadline = time.monotonic() + family.setup_timeout
        self.watches: list[Watch] = []
        self.ends: dict[int, tuple[socket.socket, Watch]] = {}

    @property
    def busy(self) -> int:
        """How many siblings run, or will as soon as what they share is imported."""
        return self.given - sum(watch.gone for watch in self.watches)

    def give_turn(self) -> bool:
        """Let one more sibling start, if there is one."""
        if self.given == len(self.family.siblings):
            return False
        self.given += 1
        with suppress(BrokenPipeError):
            os.write(self.turns, b".")
        return True

    def enforce(self) -> None:
        """Kill a family that does nothing: its common import does not end, or it ends no sibling."""
        if any(watch.deadline is not None for watch in self.watches):
            self.deadline = time.monotonic() + min(GRACE, self.family.setup_timeout)
        if time.monotonic() > self.deadline:
            for watch in self.watches:
                watch.close_all(outcome.make("timeout", "the import did not end in time"))
            processes.kill_tree(self.pid)
