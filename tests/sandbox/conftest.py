"""Fixtures of the embedded GitHub's tests; every answer that they get is held against GitHub's own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import sandbox
from bot.sandbox import Hub
from tests.sandbox import contract
from tests.sandbox.contract import Contract, NotThereError
from tests.sandbox.talking import Answered, Client, seed

COUNTED = pytest.StashKey[Contract]()
EVENTS = pytest.StashKey[dict[str, int]]()
MISSING = pytest.StashKey[str]()


@pytest.fixture(scope="session")
def github(pytestconfig: pytest.Config) -> Contract | None:
    """GitHub's OpenAPI description; None, and a line at the end, where it cannot be had."""
    try:
        found = Contract(openapi=contract.fetch("openapi"))
    except NotThereError as missing:
        pytestconfig.stash[MISSING] = str(missing)
        return None
    pytestconfig.stash[COUNTED] = found
    return found


@pytest.fixture(scope="session")
def webhooks() -> tuple[Any, Any]:
    """GitHub's schemas and examples of events."""
    try:
        return contract.fetch("schemas"), contract.fetch("examples")
    except NotThereError as missing:
        pytest.skip(f"the descriptions of events are not there: {missing}")


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """Serve an embedded GitHub with the usual situation; see `talking.seed`."""
    with sandbox.started(tmp_path / "hub") as running:
        seed(running)
        yield running


@pytest.fixture
def client(hub: Hub, github: Contract | None) -> Iterator[Callable[[str], Client]]:
    """Return a client for a token; at the end all answers must be such as GitHub gives."""
    seen: list[Answered] = []
    yield lambda token: Client(hub=hub, token=token, seen=seen.append)
    if github is None:
        return
    github.problems.clear()
    for one in seen:
        if "json" in one.headers.get("content-type", ""):
            github.check(one.method, one.url, one.status, one.data)
    assert not github.problems


@pytest.fixture
def ada(hub: Hub, client: Callable[[str], Client]) -> Client:
    """Return the client of somebody who may write."""
    return client(hub.token("ada"))


@pytest.fixture
def bob(hub: Hub, client: Callable[[str], Client]) -> Client:
    """Return the client of an outsider."""
    return client(hub.token("bob"))


@pytest.fixture
def actions(hub: Hub, client: Callable[[str], Client]) -> Client:
    """Return the client of a workflow."""
    return client(hub.actions_token("acme/shop"))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how much was held against GitHub's own descriptions."""
    found, events = config.stash.get(COUNTED, None), config.stash.get(EVENTS, {})
    if missing := config.stash.get(MISSING, ""):
        terminalreporter.write_line(f"contract: not checked against GitHub's OpenAPI description: {missing}")
    if found:
        version = found.openapi["info"]["version"]
        terminalreporter.write_line(
            f"contract: {sum(found.calls.values())} answers of {len(found.calls)} calls held against "
            f"{len(found.schemas)} schemas of GitHub's OpenAPI description {version}"
        )
    if events:
        terminalreporter.write_line(
            f"contract: {sum(events.values())} payloads of {len(events)} events held against GitHub's "
            "schemas and examples"
        )
