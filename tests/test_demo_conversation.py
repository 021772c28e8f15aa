"""The demo's conversation: a maintainer's command is answered, and the page shows it."""

from pathlib import Path

import pytest

from bot import sandbox
from bot.cli import conversation
from tests.conftest import CURED, FILE, Workshop


def test_a_command_on_the_embedded_github_ends_in_a_report_on_the_page(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.patch()
    monkeypatch.setenv("UPSTREAM_BOT_PATCHES", str(workshop.patches))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.setenv("TMPDIR", workshop.env["TMPDIR"])
    with sandbox.started(tmp_path / "github") as hub:
        hub.account("contributor")
        hub.repo(conversation.REPO, source=workshop.upstream / ".git")
        hub.permit(conversation.REPO, "maintainer", "maintain")
        hub.fork(conversation.REPO, "contributor")
        hub.commit(conversation.FORK, conversation.BRANCH, {FILE: CURED}, by="contributor")
        head = f"contributor:{conversation.BRANCH}"
        number = hub.open(conversation.REPO, head=head, by="contributor", title="Keep the amount")
        conversation.command(hub, number, tmp_path, workshop.cache)
        page, picture = conversation.page(hub, number, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "till v1: 1 proven" in text
    assert "/bot test" in text
    assert "What you would be vetting" in text
    assert picture is None or picture.read_bytes().startswith(b"\x89PNG")
