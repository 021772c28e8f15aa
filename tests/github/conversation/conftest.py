"""The stage, set up anew for each conversation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import sandbox
from bot.github import api
from bot.github.port import Hub
from tests.conftest import Workshop
from tests.github.conversation.stage import Stage, build


@pytest.fixture
def stage(tmp_path: Path, workshop: Workshop) -> Iterator[Stage]:
    """Yield a shop, its bot, and a pull request that is open; nobody has said anything."""
    with sandbox.started(tmp_path / "hub") as hub:

        def connect(token: str) -> Hub:
            return api.connect(token, hub.url, sleep=lambda _seconds: None)

        yield build(hub, workshop, connect)
