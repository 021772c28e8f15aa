"""One mention for each head, after the manifest's business days, in a comment of its own."""

# ruff: noqa: E501 (the comment as it is)

import pytest

from bot.github.vetting import decide, mention_due
from bot.model.patch import Vetting
from tests.github.vetting.sights import HEAD, NOW, RULES, US, a_comment, a_pull, a_sight, vetted

WAITING = decide(a_sight())
MENTION = f"""\
<!-- upstream-bot:mention {{"number":6856,"head":"{HEAD}"}} -->
@NVIDIA/mcore-oncall, pull request 6856 waits for a vetter: its head is <code>{HEAD}</code>. What you would be \
vetting, and the command for exactly this commit, are in this account's report above. A bot writes this for the \
owner of its account, once for each head, and never vets.
"""


@pytest.mark.parametrize(
    ("asked", "now", "due"),
    [
        ("2026-08-10T09:00:00Z", "2026-08-12T09:00:00Z", True),  # Monday to Wednesday
        ("2026-08-10T09:00:00Z", "2026-08-12T08:59:59Z", False),
        ("2026-08-07T15:00:00Z", "2026-08-11T14:59:00Z", False),  # Friday to Tuesday
        ("2026-08-07T15:00:00Z", "2026-08-11T15:00:00+00:00", True),
        ("2026-08-08T15:00:00Z", "2026-08-11T23:59:00Z", False),  # Saturday counts from Monday 00:00
        ("2026-08-08T15:00:00Z", "2026-08-12T00:00:00Z", True),
    ],
)
def test_the_mention_comes_after_two_business_days(asked: str, now: str, due: bool) -> None:
    assert (mention_due(RULES, WAITING, 6856, (asked, now), ()) is not None) == due


def test_the_mention_is_one_new_comment_for_each_head() -> None:
    clock = ("2026-08-03T09:00:00Z", NOW)
    assert mention_due(RULES, WAITING, 6856, clock, ()) == MENTION
    said = a_comment(1, US, MENTION.replace("\n", "\r\n"))
    assert mention_due(RULES, WAITING, 6856, clock, (said,)) is None
    moved = decide(a_sight(pull=a_pull(head=a_pull().base)))
    assert mention_due(RULES, moved, 6856, clock, (said,)) is not None


@pytest.mark.parametrize("ask", ["", "@a @b", "mcore", "@x\n/ok to test", "@org/team please"])
def test_nobody_is_mentioned_where_the_manifest_names_nobody(ask: str) -> None:
    assert mention_due(Vetting(ask=ask), WAITING, 6856, ("2026-08-03T09:00:00Z", NOW), ()) is None


@pytest.mark.parametrize(
    "seen", [vetted(), a_sight(pull=a_pull(draft=True)), a_sight(pull=a_pull(open=False))]
)
def test_nobody_is_mentioned_where_no_vetter_is_waited_for(seen: object) -> None:
    standing = decide(seen)  # type: ignore[arg-type]
    assert mention_due(RULES, standing, 6856, ("2026-08-03T09:00:00Z", NOW), ()) is None
