"""An embedded GitHub, a time that stands still until somebody waits, and the fault table at the end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot import sandbox
from bot.github import api, port
from bot.sandbox import Hub
from tests.sandbox.talking import seed

LEDGER = pytest.StashKey[list[tuple[str, ...]]]()


@dataclass
class Time:
    """Waiting moves the sandbox's clock and takes no time."""

    hub: Hub
    now: float = 0.0
    waits: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        self.hub.clock.advance(seconds)

    def clock(self) -> float:
        return self.now


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Hub]:
    """Serve a shop with ada (write), tim (triage), the stranger bob, and his pull request 1."""
    with sandbox.started(tmp_path / "github") as running:
        seed(running)
        running.forget_log()
        yield running


@pytest.fixture
def time_there(github: Hub) -> Time:
    return Time(github)


@pytest.fixture
def as_token(github: Hub, time_there: Time) -> Callable[[api.Token], port.Hub]:
    """Return a way to call with a token."""
    return lambda token: api.connect(token, github.url, sleep=time_there.sleep, clock=time_there.clock)


@pytest.fixture
def ada(github: Hub, as_token: Callable[[api.Token], port.Hub]) -> port.Hub:
    return as_token(github.token("ada"))


@pytest.fixture
def actions(github: Hub, as_token: Callable[[api.Token], port.Hub]) -> port.Hub:
    return as_token(github.actions_token("acme/shop"))


@pytest.fixture
def ledger(pytestconfig: pytest.Config) -> Callable[..., None]:
    """Return what writes a row of the table that is shown at the end."""
    rows = pytestconfig.stash.setdefault(LEDGER, [])
    return lambda *row: rows.append(tuple(str(cell) for cell in row))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash.get(LEDGER, [])
    if not rows:
        return
    shown = [("fault", "call", "tries", "waits (s)", "in the end"), *rows]
    widths = [max(len(row[column]) for row in shown) for column in range(5)]
    terminalreporter.write_line("GitHub's faults, and what becomes of a call:")
    for row in shown:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        terminalreporter.write_line("  " + "  ".join(cells).rstrip())
