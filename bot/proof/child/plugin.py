"""The pytest plugin: collect as pytest does, but run each unit in forks and send what came out."""

import gc
import os
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest

from bot.proof.child import channel, outcome, processes, torchrun
from bot.proof.child.faults import FaultNotFired
from bot.proof.child.job import Family, Sibling, Unit
from bot.proof.child.launchers import LAUNCHERS

#: The worst comes first: a test with several parameters has one outcome.
WORST = ("import_error", "setup_error", "fail", "fault_not_fired", "xpass", "xfail", "skip", "pass")


Report = Callable[[channel.Message], None]


class Plugin:
    """Lives in the sibling for collection and in each fork for one unit's rank."""

    def __init__(self, family: Family, mine: Sibling, report: Report) -> None:
        self.family = family
        self.mine = mine
        self.report = report
        self.broken_files: dict[str, outcome.Outcome] = {}
        self.seen: list[outcome.Outcome] = []
        self.notes: list[str] = []
        self.place = (0, 1)

    def pytest_exception_interact(
        self, node: pytest.Collector | pytest.Item, call: pytest.CallInfo[Any]
    ) -> None:
        """Remember why a test file could not be imported."""
        if isinstance(node, pytest.Collector) and call.excinfo:
            cause = call.excinfo.value.__cause__ or call.excinfo.value
            self.broken_files[node.nodeid] = outcome.of_exception("import_error", cause)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = by_test(session.items)
        gc.freeze()
        for unit in self.mine.units:
            self.run_unit(unit, items.get(unit.test, []))
        return True

    def run_unit(self, unit: Unit, items: list[pytest.Function]) -> None:
        """Fork one process per rank, wait for all, and leave nothing of the unit behind."""
        absent = None if items else self.absent(unit)
        if absent:
            for rank in unit.ranks:
                self.report({"about": "unit", "unit": unit.number, "rank": rank, "outcome": absent})
                self.report({"about": "end", "unit": unit.number, "rank": rank, "status": 0})
            return
        if LAUNCHERS[unit.launcher].fresh:
            torchrun.run(self.family, self.mine, unit, self.report)
        else:
            self.run_forks(unit, items)
        left = processes.kill_below(os.getpid())
        self.report({"about": "after", "unit": unit.number, "left": left})

    def run_forks(self, unit: Unit, items: list[pytest.Function]) -> None:
        processes.await_children()
        forks = {self.fork(unit, rank, items): rank for rank in unit.ranks}
        while forks:
            pid, status = os.wait()
            if pid in forks:
                self.report({"about": "end", "unit": unit.number, "rank": forks.pop(pid), "status": status})

    def absent(self, unit: Unit) -> outcome.Outcome:
        file = unit.test.split("::", 1)[0]
        return self.broken_files.get(file) or outcome.make("missing", f"not collected: {unit.test}")

    def fork(self, unit: Unit, rank: int, items: list[pytest.Function]) -> int:
        pid = os.fork()
        if pid:
            self.report({"about": "start", "unit": unit.number, "rank": rank, "pid": pid})
            return pid
        try:
            processes.die_with_parent()
            os.setsid()
            made = self.run_rank(unit, rank, items)
            self.report({"about": "unit", "unit": unit.number, "rank": rank, "outcome": made})
        finally:
            os._exit(0)

    def run_rank(self, unit: Unit, rank: int, items: list[pytest.Function]) -> outcome.Outcome:
        self.place = (rank, unit.world)
        began = time.monotonic()
        try:
            LAUNCHERS[unit.launcher].join(rank, unit.world, self.store_of(unit))
        except Exception as error:  # noqa: BLE001 (no process group is no verdict on the code under test)
            return outcome.of_exception("setup_error", error, "the ranks could not be joined")
        try:
            for item in items:
                item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        except BaseException as error:  # noqa: BLE001 (KeyboardInterrupt and pytest.exit pass through pytest)
            self.seen.append(outcome.of_exception("fail", error))
        hits = sum(item.upstream_bot_faults.hits for item in items if hasattr(item, "upstream_bot_faults"))
        made = worst(self.seen) | {"fault_hits": hits, "seconds": round(time.monotonic() - began, 4)}
        told = "; ".join(dict.fromkeys(filter(None, [made["reason"], *self.notes])))
        return made | {"reason": outcome.cut(told or None)}

    def store_of(self, unit: Unit) -> str:
        """A path for the ranks of this run to meet at."""
        return f"{self.family.place}/{self.mine.key}-{unit.number}"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        self.seen.append(of_report(report, call))
        return report

    @pytest.fixture
    def rank(self) -> int:
        """Return the rank of this process."""
        return self.place[0]

    @pytest.fixture
    def world(self) -> int:
        """Return how many ranks there are."""
        return self.place[1]

    @pytest.fixture
    def note(self) -> Callable[[str], None]:
        """Return a function whose texts stand in the outcome's reason."""
        return self.notes.append


def by_test(items: Iterable[pytest.Item]) -> dict[str, list[pytest.Function]]:
    """Group items by node id without parameters, which are data and may hold any character."""
    found: dict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.parent:
            found[f"{item.parent.nodeid}::{item.originalname}"].append(item)
    return found


def worst(seen: list[outcome.Outcome]) -> outcome.Outcome:
    """The worst of all phases and parameters; nothing seen is no pass."""
    if not seen:
        return outcome.make("missing", "nothing was run")
    return min(seen, key=lambda one: WORST.index(one["outcome"]))


def of_report(report: pytest.TestReport, call: pytest.CallInfo[None]) -> outcome.Outcome:
    """Turn the report of one phase into an outcome."""
    error = call.excinfo.value if call.excinfo else None
    if hasattr(report, "wasxfail"):
        return outcome.make("xfail" if report.skipped else "xpass", report.wasxfail)
    if report.skipped:
        return outcome.make("skip", str(error) if error else None)
    if report.passed:
        return outcome.make("pass")
    if isinstance(error, FaultNotFired):
        return outcome.make("fault_not_fired", str(error))
    if error is None:
        return outcome.make("xpass", str(report.longrepr))  # pytest's strict xpass has no exception
    return outcome.of_exception("fail" if report.when == "call" else "setup_error", error, reason_of(report))


def reason_of(report: pytest.TestReport) -> str | None:
    return "in teardown" if report.when == "teardown" else None
