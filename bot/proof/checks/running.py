"""Run the tools: each batch laid out below a directory of its own, several processes beside each other."""

import os
import secrets
import subprocess
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bot import proc
from bot.proof import engine, trees
from bot.proof.checks.findings import numbered
from bot.proof.checks.order import Batch, CheckOrder, Result, Unit
from bot.proof.checks.tools import TOOLS

Results = dict[str, Result]
ALONE = Path(__file__).with_name("alone.py")


def run(order: CheckOrder, units: Iterable[Unit]) -> Results:
    """Check every unit; results by key. The units of a batch that failed are tried one by one."""
    batches = list(map(tuple, group(units)))
    found = side_by_side(order, batches)
    again = [(unit,) for units in batches if len(units) > 1 for unit in units if found[unit.key].reason]
    return found | side_by_side(order, again)


def group(units: Iterable[Unit]) -> Iterable[list[Unit]]:
    """Put units together that one process can look at: of one check, under settings that mean the same."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        tool = TOOLS[unit.check.tool]
        means = "" if tool.mixed else repr(sorted(tool.heeds(unit.side.settings).items()))
        groups.setdefault((unit.check.id, means), []).append(unit)
    return groups.values()


def side_by_side(order: CheckOrder, batches: Sequence[tuple[Unit, ...]]) -> Results:
    """Run as many processes at a time as there are cores. However this ends, none of them is left."""
    running: list[subprocess.Popen[bytes]] = []
    found: Results = {}
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        try:
            for results in pool.map(lambda units: look(order, units, running.append), batches):
                found |= results
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in [one for one in running if one.returncode is None]:
                proc.kill_group(process)
    return found


def look(
    order: CheckOrder, units: tuple[Unit, ...], started: Callable[[subprocess.Popen[bytes]], None]
) -> Results:
    """Run one tool on one batch."""
    batch = Batch(root=order.scratch / secrets.token_hex(16), units=units)
    lay(batch)
    tool = TOOLS[batch.check.tool]
    alone = (str(ALONE), f"{batch.root}/tools", batch.check.tool)
    argv = (str(order.environment.python), "-P", "-s", *alone)
    environment = engine.child_environment(order.scratch)
    process = proc.start([*argv, *tool.argv(batch), "--", *batch.files], env=environment, pipes=True)
    started(process)
    with process:
        try:
            out, err = process.communicate(b"", timeout=order.deadline)
        except subprocess.TimeoutExpired:
            proc.kill_group(process)
            return failed(batch, f"{batch.check.tool} did not end within {order.deadline:g} s")
    done = proc.Completed(argv=argv, code=process.returncode, out=out, err=err)
    found = tool.read(batch, done)
    if found is None:
        return failed(batch, trouble(batch.check.tool, done))
    return {
        unit.key: Result(findings=tuple(numbered([*tool.notes(unit.side.settings), *found[unit.key]])))
        for unit in units
    }


def lay(batch: Batch) -> None:
    """Write each unit's settings and files at their own paths, with marks at which look-ups upward end."""
    for number, unit in enumerate(batch.units):
        place = Path(batch.root, str(number))
        trees.write(place, unit.side.settings | unit.side.files)
        (place / ".git").mkdir(exist_ok=True)
    (batch.root / "ruff.toml").touch()


def failed(batch: Batch, reason: str) -> Results:
    return {unit.key: Result(reason=reason) for unit in batch.units}


def trouble(tool: str, done: proc.Completed) -> str:
    """Say how a tool broke. Its words are not told: they may quote files that upstream's settings name."""
    if f"No module named {tool}".encode() in done.err:
        return f"{tool} is not installed in the patch's environment"
    return f"{tool} broke off with exit code {done.code}"
