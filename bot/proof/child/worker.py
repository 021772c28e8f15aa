"""One rank in a fresh process: import, collect and run one unit, and say what came out."""

import json
import os
import socket
from typing import Any

import pytest

from bot.proof.child import channel, family, outcome, plugin, sibling
from bot.proof.child.job import Family, Unit, read


def main(order: str) -> None:
    """Do what `order` (JSON) says; the rank is in the environment, where torchrun puts it."""
    task: dict[str, Any] = json.loads(order)
    rank = int(os.environ["RANK"])
    family.silence()
    made = run(read(task["family"]), rank)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as end:
        end.connect(task["socket"])
        channel.send(end, {"rank": rank, "outcome": made})
        end.recv(1)  # until it was heard: who has gone cannot be told from who never was
    os._exit(0)


def run(task: Family, rank: int) -> outcome.Outcome:
    """Return the outcome of the task's only unit on this rank."""
    (mine,) = task.siblings
    (unit,) = mine.units
    splitter = family.Splitter(task, [], -1)
    splitter.mine = (mine, socket.socket())
    failed = family.import_all(task, splitter) or sibling.confirm(task, mine)
    if failed:
        return failed
    ours = Alone(task, unit, rank)
    code = sibling.collect_and_run(task, mine, ours)
    return ours.made or outcome.make("missing", f"pytest ended early, exit code {code}")


class Alone(plugin.Plugin):
    """The plugin where every rank is a process of its own already: nothing is forked."""

    def __init__(self, task: Family, unit: Unit, rank: int) -> None:
        super().__init__(task, task.siblings[0], lambda _message: None)
        self.unit = unit
        self.number = rank
        self.made: outcome.Outcome | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = plugin.by_test(session.items).get(self.unit.test, [])
        self.made = self.run_rank(self.unit, self.number, items) if items else self.absent(self.unit)
        return True
