"""What the warm parent knows of one sibling: its open units, its deadlines, and the outcome of each."""

import os
import signal
import time
from collections.abc import Callable

from bot.proof.child import channel, outcome, processes
from bot.proof.child.job import Family, Sibling

#: Seconds that the sibling has, beyond a unit's own, to start the next one or to end; no more than its setup.
GRACE = 30.0
#: Processes of one test; more is a fork bomb.
CROWD = 500
#: Messages that are kept of a sender who is not known yet.
EARLY = 16
#: No number that a child sends is as large.
MANY = 1 << 31
Slot = tuple[int, int]
Forward = Callable[[channel.Message], None]


class Watch:
    """Turns a sibling's messages, exit statuses and deadlines into exactly one outcome per (unit, rank).

    The kernel names the sender of each message: only the family speaks for births and deaths, only the
    sibling for its tests' processes, and each of those only for itself.
    """

    def __init__(self, mine: Sibling, family: Family, parent: int, forward: Forward) -> None:
        self.mine = mine
        self.family = family
        self.parent = parent
        self.forward = forward
        self.units = {unit.number: unit for unit in mine.units}
        self.open: set[Slot] = {(unit.number, rank) for unit in mine.units for rank in unit.ranks}
        self.said: dict[tuple[Slot, int], outcome.Outcome] = {}
        self.started: set[Slot] = set()
        self.running: dict[Slot, int] = {}
        self.killed: dict[Slot, outcome.Outcome] = {}
        self.early: list[channel.Heard] = []
        self.pid: int | None = None
        self.gone = False
        self.grace = min(GRACE, family.setup_timeout)
        self.deadline: float | None = None
        self.why = ""

    def hear(self, heard: channel.Heard) -> None:
        """Take one message; what the family or the sibling says that makes no sense ends our belief in it."""
        match heard.message:
            case {"about": "unit", "unit": int(unit), "rank": int(rank), "outcome": dict(made)}:
                if (unit, rank) in self.open:
                    self.said.setdefault(((unit, rank), heard.sender), outcome.checked(made))
            case message if heard.sender == self.parent:
                self.hear_family(message)
            case message if heard.sender == self.pid:
                self.hear_sibling(message)
            case _ if self.pid is None and len(self.early) < EARLY:
                self.early.append(heard)  # the sibling may have been faster than the word of its birth
            case _:
                pass

    def hear_family(self, message: channel.Message | None) -> None:
        match message:
            case {"about": "born", "pid": int(pid)} if self.pid is None and not self.gone:
                self.pid = pid
                self.expect(self.family.setup_timeout, "the import did not end in time")
                early, self.early = self.early, []
                for heard in early:
                    self.hear(heard)
            case {"about": "gone", "status": int(status)} if 0 <= status < MANY:
                self.settle(status)
            case _:
                self.distrust()

    def hear_sibling(self, message: channel.Message | None) -> None:
        match message:
            case {"about": "all", "outcome": dict(made)}:
                self.close_all(outcome.checked(made))
                self.expect(self.grace, "the process did not end after its last word")
            case {"about": "ready"} if not self.started:
                self.expect(self.family.setup_timeout, "the collection did not end in time")
            case {"about": "after", "unit": int(unit), "left": int(left)} if unit in self.units:
                if 0 < left < MANY:
                    self.forward(
                        {"about": "leak", "key": self.mine.key, "unit": int(unit), "left": int(left)}
                    )
            case {"unit": int(unit), "rank": int(rank)} if (unit, rank) in self.open:
                self.hear_rank(message, (int(unit), int(rank)))
            case _:
                self.distrust()

    def hear_rank(self, message: channel.Message | None, slot: Slot) -> None:
        """Every process starts once and ends once, so that no sibling can put off its deadline for ever."""
        match message:
            case {"about": "start", "pid": int(pid)} if slot not in self.started:
                self.started.add(slot)
                self.running[slot] = pid
                timeout = self.units[slot[0]].timeout
                self.expect(timeout, f"no end within {timeout:g} s")
            case {"about": "end", "status": int(status)} if 0 <= status < MANY:
                self.end(slot, status)
                if not self.running:
                    self.said.clear()
                    self.expect(self.grace, "the next test did not start in time")
            case _:
                self.distrust()

    def expect(self, seconds: float, why: str) -> None:
        self.deadline, self.why = time.monotonic() + seconds, why

    def end(self, slot: Slot, status: int) -> None:
        """Decide the outcome of a rank that has ended: how it ended weighs more than what it said.

        What the sibling said for it stands where the sibling knows better (nothing was started, or torchrun
        started it).
        """
        pid = self.running.pop(slot, None)
        said = self.said.get((slot, self.pid or 0)) or self.said.get((slot, pid or 0))
        if slot in self.killed:
            self.close(slot, self.killed[slot])
        elif os.WIFSIGNALED(status):
            self.close(slot, crash(os.WTERMSIG(status), "the test's process"))
        elif said is None or status:
            self.close(slot, outcome.make("missing", "the process ended without a result"))
        else:
            self.close(slot, said)

    def close(self, slot: Slot, made: outcome.Outcome) -> None:
        """Forward an outcome; the first one for a slot stands."""
        if slot in self.open:
            self.open.discard(slot)
            unit, rank = slot
            seen = {"key": self.mine.key, "unit": unit, "rank": rank, "outcome": made}
            self.forward({"about": "outcome", **seen})

    def close_all(self, made: outcome.Outcome) -> None:
        for slot in sorted(self.open):
            self.close(slot, made)

    def seconds_left(self) -> float | None:
        """Time to the next deadline; None where nothing is awaited."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def enforce(self) -> None:
        """Kill what has passed its deadline: first the running ranks, then the sibling itself."""
        left = self.seconds_left()
        if left is None or left > 0:
            return
        if self.running.keys() - self.killed.keys():
            self.kill_ranks(outcome.make("timeout", self.why))
            self.expect(self.grace, "the tests did not go on after a timeout")
            return
        self.condemn(outcome.make("timeout", self.why))

    def measure(self) -> None:
        """Kill a test that holds too much memory or too many processes."""
        if not self.running or self.pid is None:
            return
        below = processes.descendants(self.pid)
        if len(below) > CROWD:
            self.kill_ranks(outcome.make("crash", f"more than {CROWD} processes", signal=int(signal.SIGKILL)))
        elif processes.memory(below) > self.family.memory:
            self.kill_ranks(outcome.make("oom", f"more than {self.family.memory >> 20} MiB"))

    def kill_ranks(self, made: outcome.Outcome) -> None:
        """Kill what runs. Its pids are the sibling's word, so nothing is killed that is not below it."""
        for slot in self.running:
            self.killed.setdefault(slot, made)
        for sibling in self.alive():
            for pid in set(processes.descendants(sibling)) & set(self.running.values()):
                processes.kill_tree(pid)

    def alive(self) -> list[int]:
        """The sibling, if the process that the family named is a child of it."""
        return [pid for pid in processes.children(self.parent) if pid == self.pid]

    def distrust(self) -> None:
        self.condemn(outcome.make("missing", "the tests' process sent what is no message of ours"))

    def condemn(self, made: outcome.Outcome) -> None:
        """Kill the sibling whole; every open unit has this outcome."""
        self.deadline = None
        self.close_all(made)
        for sibling in self.alive():
            processes.kill_tree(sibling)

    def settle(self, status: int) -> None:
        """Give every unit that is still open an honest end, after the sibling is gone."""
        self.deadline, self.pid, self.gone = None, None, True
        if os.WIFSIGNALED(status):
            self.close_all(crash(os.WTERMSIG(status), "the process that collects the tests"))
        else:
            self.close_all(outcome.make("missing", "the process that collects the tests ended early"))


def crash(number: int, who: str) -> outcome.Outcome:
    name = next((known.name for known in signal.Signals if known == number), f"signal {number}")
    return outcome.make("crash", f"{who} was killed by {name}", signal=number)
