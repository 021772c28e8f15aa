"""One report, whatever happens: strangers' markers, many comments, deletions, several runs, lost answers."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.errors import BotError
from bot.report.comment import parse
from tests.github.conversation.stage import SHOP, Stage

FORGED = (
    '<!-- upstream-bot:report {"patch":"till","number":1,"head":"x","created":"2999-01-01T00:00:00Z",'
    '"comment":999999999} -->\nproven'
)


def reports(stage: Stage) -> list[str]:
    return [body for body in stage.bodies() if parse(body)]


def test_c39_a_strangers_marker_is_left_alone_and_our_own_report_is_kept(stage: Stage) -> None:
    forged = stage.hub.say(SHOP, 1, "eve", FORGED)
    stage.say("ada", "/bot test")
    (report,) = reports(stage)
    assert "1 proven" in report
    assert stage.connect(stage.token).comment(SHOP, forged).body == FORGED


def test_c42_the_report_is_found_as_comment_131_of_140(stage: Stage) -> None:
    for number in range(130):
        stage.hub.say(SHOP, 1, "bob", f"noise {number}")
    stage.handle(0)
    for number in range(9):
        stage.hub.say(SHOP, 1, "bob", f"more {number}")
    stage.say("ada", "/bot status")
    assert len(reports(stage)) == 1


def test_c42_a_report_that_a_maintainer_deleted_is_made_again_once(stage: Stage) -> None:
    stage.handle(0)
    (one,) = stage.connect(stage.token).comments(SHOP, 1)
    stage.hub.remove(one.id, "ada")
    for _ in range(2):
        stage.hub.clock.advance(90)
        stage.say("ada", "/bot status")
    assert len(reports(stage)) == 1


def test_an_older_run_that_ends_later_never_overwrites_the_newer_one(stage: Stage) -> None:
    stage.hub.say(SHOP, 1, "ada", "/bot test")
    older = len(stage.hub.events) - 1
    stage.hub.clock.advance(3600)

    def newer() -> None:
        stage.before_publish = lambda: None
        stage.say("ada", "/bot retry")

    stage.before_publish = newer
    stage.handle(older)
    (report,) = reports(stage)
    marker = parse(report)
    assert marker is not None
    assert marker.created == "2026-08-03T10:00:00Z"
    assert [row.created for row in marker.history] == ["2026-08-03T09:00:00Z", "2026-08-03T10:00:00Z"]


@pytest.mark.parametrize("count", [2, 8])
@pytest.mark.parametrize("stale", [0, 12])
def test_c40_runs_at_once_leave_one_report_with_the_newest_content(
    stage: Stage, count: int, stale: int
) -> None:
    stage.say("ada", "/bot test")
    for one in stage.connect(stage.token).comments(SHOP, 1):
        stage.hub.remove(one.id, "acme")
    stage.pace = 0.2
    events = []
    for _ in range(count):
        stage.hub.clock.advance(1900)
        stage.hub.say(SHOP, 1, "ada", "/bot test")
        events.append(len(stage.hub.events) - 1)
    if stale:
        stage.hub.fail.stale_lists(stale)
    gathered = threading.Barrier(count)
    stage.before_publish = lambda: gathered.wait(60)
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(stage.handle, events))
    (report,) = reports(stage)
    marker = parse(report)
    newest = stage.hub.events[events[-1]].payload["comment"]["created_at"]
    assert marker is not None
    assert marker.created == newest


def test_c40_an_answer_that_is_lost_after_the_write_is_not_doubled(stage: Stage) -> None:
    stage.hub.fail.dead(method="POST", path="*/issues/1/comments")
    stage.say("ada", "/bot test")
    assert len(reports(stage)) == 1


def test_c40_a_lost_answer_under_stale_lists_is_not_doubled(stage: Stage) -> None:
    stage.hub.fail.dead(method="POST", path="*/issues/1/comments")
    stage.hub.fail.stale_lists(6)
    stage.say("ada", "/bot test")
    assert len(reports(stage)) == 1


def test_without_rights_to_react_check_or_label_the_conversation_goes_on_by_comments(stage: Stage) -> None:
    stage.hub.fail.status(403, times=99, path="*/reactions", method="POST", message="Resource not accessible")
    stage.hub.fail.status(403, times=99, path="*/check-runs*", message="Resource not accessible")
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.handle()
    (report,) = reports(stage)
    assert "1 proven" in report
    assert stage.reactions(comment) == []


def test_with_rights_a_check_run_follows_the_verdict_at_the_changed_lines(stage: Stage) -> None:
    stage.say("ada", "/bot test")
    (check,) = stage.connect(stage.token).check_runs(SHOP, stage.head)
    assert (check.name, check.conclusion) == ("upstream-bot: till", "success")
    (kept,) = stage.hub.world.checks.values()
    assert [one.path for one in kept.annotations] == ["shop/till.py"]


def test_a_refused_rate_is_no_lost_report(stage: Stage) -> None:
    stage.hub.fail.status(502, times=2, method="POST", path="*/issues/1/comments")
    stage.say("ada", "/bot test")
    assert len(reports(stage)) == 1


def test_a_poll_that_may_not_react_carries_a_command_out_once(stage: Stage) -> None:
    token = stage.hub.token("keeper")
    stage.hub.fail.status(403, times=99, path="*/reactions", method="POST", message="Resource not accessible")
    stage.hub.say(SHOP, 1, "keeper", "/bot test")
    for _ in range(2):
        stage.poll(token)
    assert len(stage.runs) == 1
    assert len([body for body in stage.bodies("keeper") if parse(body)]) == 1


def test_a_token_that_does_not_say_whose_it_is_leaves_nothing_behind(stage: Stage) -> None:
    token = stage.hub.app_token("carrier", SHOP)
    with pytest.raises(BotError, match=r"writes as carrier\[bot\]"):
        stage.handle(0, token)
    assert stage.bodies("carrier[bot]") == []
