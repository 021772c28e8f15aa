"""The warm parent: preloads, forks the families, keeps every deadline, and forwards what came out."""

import gc
import importlib
import json
import os
import selectors
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.proof.child import channel, confine, outcome, processes
from bot.proof.child.job import Family, read
from bot.proof.child.launchers import LAUNCHERS
from bot.proof.child.watch import GRACE, Watch

#: Seconds between two looks at what the tests hold.
LOOK = 0.2


def main(descriptor: int) -> None:
    """Serve one request from the bot and end. Everything below this process is dead when it returns."""
    control = socket.socket(fileno=descriptor)
    processes.adopt_orphans()
    request = json.load(sys.stdin.buffer)
    confine.confine(request["place"], request["isolation"])
    try:
        Server(control, request).serve()
    finally:
        processes.kill_below(os.getpid())


@dataclass(kw_only=True)
class Running:
    """A family's process, a watch on each sibling, and the ends still open by descriptor."""

    family: Family
    pid: int
    deadline: float
    watches: list[Watch]
    ends: dict[int, tuple[socket.socket, Watch]]

    def enforce(self) -> None:
        """Kill a family that does nothing: its common import does not end, or it ends no sibling."""
        if any(watch.deadline is not None for watch in self.watches):
            self.deadline = time.monotonic() + min(GRACE, self.family.setup_timeout)
        if time.monotonic() > self.deadline:
            for watch in self.watches:
                watch.close_all(outcome.make("timeout", "the import did not end in time"))
            processes.kill_tree(self.pid)


class Server:
    """Runs the families of one request, a few at a time."""

    def __init__(self, control: socket.socket, request: dict[str, Any]) -> None:
        self.control = control
        self.request = request
        self.at_a_time: int = request["at_a_time"]
        self.waiting = [read(family) for family in request["families"]]
        self.running: dict[int, Running] = {}
        self.selector = selectors.DefaultSelector()
        self.looked = 0.0

    def serve(self) -> None:
        failed = self.preload()
        if failed:
            channel.send(self.control, {"about": "preload", "error": failed})
            return
        self.selector.register(self.control, selectors.EVENT_READ, None)
        while self.waiting or self.running:
            while self.waiting and len(self.running) < self.at_a_time:
                self.start(self.waiting.pop(0))
            self.turn()
        channel.send(self.control, {"about": "done"})

    def preload(self) -> str | None:
        """Import what the manifest and the launchers need; return the complaint when that fails."""
        try:
            for name in self.request["preload"]:
                importlib.import_module(name)
            for launcher in self.request["launchers"]:
                LAUNCHERS[launcher].warm()
            from bot.proof.child import sibling

            sibling.rehearse(Path(self.request["place"], "work"))
            gc.freeze()  # a collection in a fork would copy every page that holds objects
        except Exception as error:  # noqa: BLE001 (a broken environment is an answer to the bot, whatever it raises)
            return f"{type(error).__name__}: {error}"
        return None

    def start(self, family: Family) -> None:
        pairs = [channel.pair() for _ in family.siblings]
        pid = os.fork()
        if pid == 0:
            self.become_family(family, pairs)
        deadline = time.monotonic() + family.setup_timeout
        running = Running(family=family, pid=pid, deadline=deadline, watches=[], ends={})
        for mine, (ours, theirs) in zip(family.siblings, pairs, strict=True):
            theirs.close()
            watch = Watch(mine, family, pid, self.forward)
            running.watches.append(watch)
            running.ends[ours.fileno()] = (ours, watch)
            self.selector.register(ours, selectors.EVENT_READ, running)
        pidfd = os.pidfd_open(pid)
        self.running[pidfd] = running
        self.selector.register(pidfd, selectors.EVENT_READ, running)

    def forward(self, message: channel.Message) -> None:
        channel.send(self.control, message)

    def become_family(self, family: Family, pairs: list[tuple[socket.socket, socket.socket]]) -> None:
        """Close what is not this family's, and never return."""
        try:
            for key in list(self.selector.get_map().values()):
                os.close(key.fd)
            self.selector.close()
            for ours, _ in pairs:
                ours.close()
            os.setsid()
            from bot.proof.child import family as families

            families.run(family, [theirs for _, theirs in pairs])
        finally:
            os._exit(1)

    def turn(self) -> None:
        """Wait a moment for messages and deaths, act on them, and enforce the deadlines."""
        for key, _ in self.selector.select(LOOK):
            if key.data is None:
                self.hear_bot()
            elif key.fd in self.running:
                self.bury(key.fd)
            elif key.fd in key.data.ends:
                self.hear(key.data, key.fd)
        look = time.monotonic() > self.looked + LOOK
        for running in self.running.values():
            running.enforce()
            for watch in running.watches:
                watch.enforce()
                if look:
                    watch.measure()
        self.looked = time.monotonic() if look else self.looked

    def hear_bot(self) -> None:
        """End at once: the bot says nothing while we serve, so something to read means that it has gone."""
        processes.kill_below(os.getpid())
        os._exit(1)

    def hear(self, running: Running, descriptor: int) -> bool:
        """Take one message if one is there; whether there may be more."""
        end, watch = running.ends[descriptor]
        heard = channel.hear(end, wait=False)
        if heard is not None:
            watch.hear(heard)
            return True
        self.selector.unregister(end)
        del running.ends[descriptor]
        end.close()
        return False

    def bury(self, pidfd: int) -> None:
        """Hear a dead family's last words, reap it and what it left, and settle what is still open."""
        running = self.running.pop(pidfd)
        for descriptor in list(running.ends):
            while self.hear(running, descriptor):
                pass
        self.selector.unregister(pidfd)
        os.close(pidfd)
        _, status = os.waitpid(running.pid, 0)
        processes.kill_below(os.getpid(), spare=frozenset(other.pid for other in self.running.values()))
        for watch in running.watches:
            watch.settle(status)
