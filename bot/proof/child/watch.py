"""What the warm parent knows of one tree child: its open units, its deadlines, and the outcome of each."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from bot.proof.child import channel, outcome, processes
from bot.proof.child.job import Job

#: Seconds that the tree child has, beyond a unit's own, to start the next one or to end.
GRACE = 20.0
Slot = tuple[int, int]


class Watch:
    """Turns a tree child's messages, exit statuses and deadlines into one outcome per (unit, rank)."""

    def __init__(self, job: Job, pid: int, forward: Callable[[channel.Message], None]) -> None:
        self.job = job
        self.pid = pid
        self.forward = forward
        self.units = {unit.number: unit for unit in job.units}
        self.open: set[Slot] = {(unit.number, rank) for unit in job.units for rank in unit.ranks}
        self.said: dict[Slot, outcome.Outcome] = {}
        self.running: dict[Slot, int] = {}
        self.killed: set[Slot] = set()
        self.condemned = False
        self.deadline = time.monotonic() + job.setup_timeout
        self.why = "the import did not end in time"

    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    def hear(self, message: channel.Message) -> None:
        """Take one message of the tree child; what makes no sense is a reason to stop believing it."""
        match message:
            case {"about": "all", "outcome": dict(made)}:
                for slot in sorted(self.open):
                    self.close(slot, made)
            case {"about": "ready"}:
                self.expect(GRACE, "the collection did not end in time")
            case {"about": "start", "unit": int(unit), "rank": int(rank), "pid": int(pid)} if (
                unit in self.units
            ):
                self.running[unit, rank] = pid
                self.expect(self.units[unit].timeout, f"no end within {self.units[unit].timeout:g} s")
            case {"about": "unit", "unit": int(unit), "rank": int(rank), "outcome": dict(made), **more}:
                self.said[unit, rank] = made
                if "status" in more:
                    self.end((unit, rank), 0)
            case {"about": "end", "unit": int(unit), "rank": int(rank), "status": int(status)}:
                self.end((unit, rank), status)
                self.expect(GRACE, "the next test did not start in time")
            case {"about": "after", "unit": int(unit), "left": int(left)}:
                self.note_leak(unit, left)
            case _:
                self.distrust()

    def expect(self, seconds: float, why: str) -> None:
        self.deadline, self.why = time.monotonic() + seconds, why

    def end(self, slot: Slot, status: int) -> None:
        """Decide the outcome of a rank whose process has ended."""
        self.running.pop(slot, None)
        said = self.said.get(slot)
        if slot in self.killed:
            self.close(slot, outcome.make("timeout", f"no end within {self.units[slot[0]].timeout:g} s"))
        elif os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            self.close(slot, outcome.make("crash", f"killed by {signal.Signals(number).name}", signal=number))
        elif said is None or status:
            self.close(slot, outcome.make("missing", "the process ended without a result"))
        else:
            self.close(slot, said)

    def close(self, slot: Slot, made: outcome.Outcome) -> None:
        """Forward an outcome; the first one for a slot stands."""
        if slot in self.open:
            self.open.discard(slot)
            unit = self.units[slot[0]]
            self.forward(
                {
                    "about": "outcome",
                    "key": self.job.key,
                    "unit": unit.number,
                    "rank": slot[1],
                    "outcome": made,
                }
            )

    def note_leak(self, unit: int, left: int) -> None:
        if left:
            self.forward({"about": "leak", "key": self.job.key, "unit": unit, "left": left})

    def enforce(self) -> None:
        """Kill what has passed its deadline: first the running ranks, then the tree child itself."""
        if self.seconds_left() > 0 or self.condemned:
            return
        if self.running:
            self.killed.update(self.running)
            for pid in self.running.values():
                processes.kill_below(pid)
                kill(pid)
            self.running.clear()
            self.expect(GRACE, "the tree child did not go on after a timeout")
            return
        self.condemn(outcome.make("timeout", self.why))

    def distrust(self) -> None:
        self.condemn(outcome.make("missing", "the tree child sent what is no message of ours"))

    def condemn(self, made: outcome.Outcome) -> None:
        """Kill the tree child whole; every open unit has this outcome."""
        self.condemned = True
        processes.kill_below(self.pid)
        kill(self.pid)
        for slot in sorted(self.open):
            self.close(slot, made)

    def settle(self, status: int) -> None:
        """Give every unit that is still open an honest end, after the tree child is gone."""
        for slot in sorted(self.open):
            if os.WIFSIGNALED(status):
                number = os.WTERMSIG(status)
                self.close(
                    slot,
                    outcome.make("crash", f"the tree child: {signal.Signals(number).name}", signal=number),
                )
            else:
                self.close(slot, outcome.make("missing", "the tree child ended without a result"))


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
