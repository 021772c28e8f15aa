"""The warm parent: preloads, forks the families, keeps every deadline, and forwards what came out."""

import gc
import importlib
import json
import os
import selectors
import socket
import sys
import time
from pathlib import Path
from typing import Any

from bot.proof.child import channel, confine, processes
from bot.proof.child.job import Family, read
from bot.proof.child.launchers import LAUNCHERS
from bot.proof.child.running import Running
from bot.proof.child.watch import Watch

#: Seconds between two looks at what the tests hold.
LOOK = 0.2


def main(descriptor: int) -> None:
    """Serve one request from the bot and end. Everything below this process is dead when it returns."""
    control = socket.socket(fileno=descriptor)
    processes.adopt_orphans()
    warmth = json.loads(sys.stdin.buffer.readline())
    confine.confine(warmth["place"], warmth["isolation"])
    try:
        Server(control, warmth).serve()
    finally:
        processes.kill_below(os.getpid())


class Server:
    """Runs the families that the bot hands over, a few trees at a time."""

    def __init__(self, control: socket.socket, warmth: dict[str, Any]) -> None:
        self.control = control
        self.warmth = warmth
        self.at_a_time: int = warmth["at_a_time"]
        self.waiting: list[Family] = []
        self.running: dict[int, Running] = {}
        self.selector = selectors.DefaultSelector()
        self.looked = 0.0

    def serve(self) -> None:
        failed = self.preload()
        if failed:
            channel.send(self.control, {"about": "preload", "error": failed})
            return
        told = sys.stdin.buffer.read()
        if not told:
            return
        self.waiting = [read(family) for family in json.loads(told)]
        self.selector.register(self.control, selectors.EVENT_READ, None)
        while self.waiting or self.running:
            while self.busy < self.at_a_time and self.begin():
                pass
            self.turn()
        channel.send(self.control, {"about": "done"})

    def preload(self) -> str | None:
        """Import what the manifest and the launchers need; return the complaint when that fails."""
        try:
            for name in self.warmth["preload"]:
                importlib.import_module(name)
            for launcher in self.warmth["launchers"]:
                LAUNCHERS[launcher].warm()
            from bot.proof.child import sibling

            sibling.rehearse(Path(self.warmth["place"], "work"))
            gc.freeze()  # a collection in a fork would copy every page that holds objects
        except Exception as error:  # noqa: BLE001 (a broken environment is an answer to the bot, whatever it raises)
            return f"{type(error).__name__}: {error}"
        return None

    @property
    def busy(self) -> int:
        """How many trees are worked on."""
        return sum(running.busy for running in self.running.values())

    def begin(self) -> bool:
        """Begin with one more tree, if there is one: a family that has imported goes on first."""
        for running in self.running.values():
            if running.busy == 0 and running.give_turn():
                return True
        if self.waiting:
            self.start(self.waiting.pop(0))
            return True
        return any(running.give_turn() for running in self.running.values())

    def start(self, family: Family) -> None:
        pairs = [channel.pair() for _ in family.siblings]
        theirs_to_read, turns = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(turns)
            self.become_family(family, pairs, theirs_to_read)
        os.close(theirs_to_read)
        running = Running(family, pid, turns)
        running.give_turn()
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

    def become_family(
        self, family: Family, pairs: list[tuple[socket.socket, socket.socket]], turns: int
    ) -> None:
        """Close what is not this family's, and never return."""
        try:
            for other in self.running.values():
                os.close(other.turns)
            for key in list(self.selector.get_map().values()):
                os.close(key.fd)
            self.selector.close()
            for ours, _ in pairs:
                ours.close()
            os.setsid()
            from bot.proof.child import family as families

            families.run(family, [theirs for _, theirs in pairs], turns)
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
        os.close(running.turns)
        _, status = os.waitpid(running.pid, 0)
        processes.kill_below(os.getpid(), spare=frozenset(other.pid for other in self.running.values()))
        for watch in running.watches:
            watch.settle(status)
