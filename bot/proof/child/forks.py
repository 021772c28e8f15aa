"""A family's siblings: each is forked when its turn comes, and its birth and its end are told."""

import gc
import os
import selectors
import socket

from bot.proof.child import channel, pages, processes
from bot.proof.child.job import Family, Sibling

Mine = tuple[Sibling, socket.socket]


class Forks:
    """Lives in the family. From the pipe `turns` comes one byte for each sibling that may start."""

    def __init__(self, family: Family, ends: list[socket.socket], turns: int) -> None:
        self.ends = ends
        self.turns = turns
        self.pid = os.getpid()
        self.waiting: list[Mine] = list(zip(family.siblings, ends, strict=True))
        self.running: dict[int, tuple[int, socket.socket]] = {}
        self.selector = selectors.DefaultSelector()
        self.selector.register(turns, selectors.EVENT_READ)

    def until_mine(self) -> Mine:
        """Fork every sibling, and end with the last one. Returns in a sibling only.

        What upstream forked of this process while it was imported ends here: the turns are not its own.
        """
        if os.getpid() != self.pid:
            os._exit(1)
        processes.await_children()
        gc.freeze()
        pages.collapse()
        while self.waiting or self.running:
            for key, _ in self.selector.select():
                if key.fd != self.turns:
                    self.bury(key.fd)
                elif (mine := self.fork_next()) is not None:
                    return mine
        os._exit(0)

    def fork_next(self) -> Mine | None:
        """Take one turn; None in the family itself."""
        if not os.read(self.turns, 1):
            os._exit(1)
        mine, end = self.waiting.pop(0)
        pid = os.fork()
        if pid == 0:
            self.become(end)
            return mine, end
        pidfd = os.pidfd_open(pid)
        self.running[pidfd] = (pid, end)
        self.selector.register(pidfd, selectors.EVENT_READ)
        channel.send(end, {"about": "born", "pid": pid})
        return None

    def become(self, mine: socket.socket) -> None:
        """Keep this sibling's own end only: no tree may speak for another, nor give turns."""
        processes.adopt_orphans()
        processes.die_with_parent()
        os.setsid()
        self.selector.close()
        for descriptor in (self.turns, *self.running):
            os.close(descriptor)
        for other in self.ends:
            if other is not mine:
                other.close()

    def bury(self, pidfd: int) -> None:
        """Say that a sibling has ended; what it left behind is killed with it."""
        pid, end = self.running.pop(pidfd)
        self.selector.unregister(pidfd)
        os.close(pidfd)
        _, status = os.waitpid(pid, 0)
        processes.kill_below(os.getpid(), spare=frozenset(other for other, _ in self.running.values()))
        channel.send(end, {"about": "gone", "status": status})
        end.close()
