"""The warm parent: preloads, forks one child per tree, keeps every deadline, and forwards what came out."""

import importlib
import json
import os
import selectors
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bot.proof.child import channel, processes
from bot.proof.child.job import Job, read
from bot.proof.child.launchers import LAUNCHERS
from bot.proof.child.watch import Watch


def main(descriptor: int) -> None:
    """Serve one request from the bot and end. Everything below this process is dead when it returns."""
    control = socket.socket(fileno=descriptor)
    processes.adopt_orphans()
    request = json.load(sys.stdin.buffer)
    try:
        Server(control, request).serve()
    finally:
        processes.kill_below(os.getpid())


@dataclass(frozen=True, kw_only=True)
class Talk:
    """A tree child's end of the channel can be read."""

    watch: Watch
    end: socket.socket


@dataclass(frozen=True, kw_only=True)
class Death:
    """A tree child has ended."""

    watch: Watch
    end: socket.socket


class Server:
    """Runs the jobs of one request, a few trees at a time."""

    def __init__(self, control: socket.socket, request: dict[str, Any]) -> None:
        self.control = control
        self.request = request
        self.at_a_time: int = request["at_a_time"]
        self.waiting = [read(job) for job in request["jobs"]]
        self.watches: dict[int, Watch] = {}
        self.selector = selectors.DefaultSelector()

    def serve(self) -> None:
        failed = self.preload()
        if failed:
            channel.send(self.control, {"about": "preload", "error": failed})
            return
        channel.send(self.control, {"about": "warm", "modules": len(sys.modules)})
        self.selector.register(self.control, selectors.EVENT_READ, None)
        while self.waiting or self.watches:
            self.start_more()
            self.turn()
        channel.send(self.control, {"about": "done"})

    def preload(self) -> str | None:
        """Import what the manifest and the launchers need; return the complaint when that fails."""
        try:
            for name in self.request["preload"]:
                importlib.import_module(name)
            for launcher in self.request["launchers"]:
                LAUNCHERS[launcher].warm()
        except Exception as error:  # noqa: BLE001 (a broken environment is an answer to the bot, whatever it raises)
            return f"{type(error).__name__}: {error}"
        return None

    def start_more(self) -> None:
        while self.waiting and len(self.watches) < self.at_a_time:
            self.start(self.waiting.pop(0))

    def start(self, job: Job) -> None:
        ours, theirs = channel.pair()
        pid = os.fork()
        if pid == 0:
            self.become_child(job, ours, theirs)
        theirs.close()
        watch = Watch(job, pid, lambda message: channel.send(self.control, message))
        self.watches[pid] = watch
        self.selector.register(ours, selectors.EVENT_READ, Talk(watch=watch, end=ours))
        self.selector.register(os.pidfd_open(pid), selectors.EVENT_READ, Death(watch=watch, end=ours))

    def become_child(self, job: Job, ours: socket.socket, theirs: socket.socket) -> None:
        """Close what is not this tree's, and never return."""
        code = 1
        try:
            for key in list(self.selector.get_map().values()):
                os.close(key.fd)
            self.selector.close()
            ours.close()
            with suppress(OSError):
                os.setsid()
            from bot.proof.child import tree

            tree.run(job, theirs)
            code = 0
        finally:
            os._exit(code)

    def turn(self) -> None:
        """Wait for the next message, death or deadline, and act on it."""
        first = min(watch.seconds_left() for watch in self.watches.values())
        for key, _ in self.selector.select(max(0.0, min(first, 1.0))):
            match key.data:
                case Talk(watch=watch) | Death(watch=watch) if watch.pid not in self.watches:
                    continue  # it was buried on account of an earlier event of this turn
                case Talk(watch=watch, end=end):
                    self.hear_child(end, watch)
                case Death(watch=watch, end=end):
                    self.bury(watch, end, key.fd)
                case _:
                    self.hear_bot()
        for watch in self.watches.values():
            watch.enforce()

    def hear_bot(self) -> None:
        """End at once: the bot says nothing while we serve, so something to read means that it has gone."""
        processes.kill_below(os.getpid())
        os._exit(1)

    def hear_child(self, end: socket.socket, watch: Watch) -> bool:
        """Take one message if one is there; whether there may be more."""
        try:
            message = channel.receive(end, wait=False)
        except ValueError:
            watch.distrust()
            return False
        if message is not None:
            watch.hear(message)
        return message is not None

    def bury(self, watch: Watch, end: socket.socket, pidfd: int) -> None:
        """Hear a dead tree child's last words, reap it and what it left, and settle its open units."""
        while self.hear_child(end, watch):
            pass
        for item in (end, pidfd):
            self.selector.unregister(item)
        end.close()
        os.close(pidfd)
        _, status = os.waitpid(watch.pid, 0)
        del self.watches[watch.pid]
        processes.kill_below(os.getpid(), spare=frozenset(self.watches))
        watch.settle(status)
