"""The whole conversation by events, and by `poll`: each text on the pull request is written out."""

from bot.github.handling import Handled
from tests.github.conversation import documents
from tests.github.conversation.stage import SHOP, Stage


def test_from_the_opening_to_green_checks_one_report_tells_it_all(stage: Stage) -> None:
    hub, first = stage.hub, stage.head
    stage.gate()
    stage.handle(0)
    assert told(stage, FIRST=first) == [documents.OPENED]

    hub.clock.advance(60)
    command = hub.say(SHOP, 1, "ada", "/bot test")
    assert str(stage.handle().verdict) == "proven"
    assert told(stage, FIRST=first) == [documents.TESTED]
    assert stage.reactions(command) == ["eyes", "rocket", "+1"]

    hub.clock.advance(60)
    second = stage.push({"README.md": "more\n"}, "tell more")
    hub.refresh(SHOP)
    stage.handle()
    assert told(stage, FIRST=first, SECOND=second) == [documents.MOVED]

    hub.clock.advance(60)
    vetted = hub.say(SHOP, 1, "ada", f"/ok to test {second}")
    hub.react(vetted, "copy-pr-bot[bot]", "+1")
    stage.gate(second)
    run = hub.check(SHOP, second, "unit-tests", status="in_progress")
    hub.label(SHOP, 1, "Run tests")
    stage.handle()
    assert documents.RUNNING in told(stage, FIRST=first, SECOND=second)[0]

    hub.world.checks[run].status, hub.world.checks[run].conclusion = "completed", "success"
    hub.label(SHOP, 1, "done")
    assert stage.handle() == Handled(lines=("- **report** of till brought up to date",))
    assert documents.DONE in told(stage, FIRST=first, SECOND=second)[0]
    assert len(stage.bodies()) == 1


def test_a_poll_with_a_token_that_may_only_comment_hears_the_operator_and_no_stranger(stage: Stage) -> None:
    hub, first = stage.hub, stage.head
    stage.gate()
    token = hub.token("keeper")
    stranger = hub.say(SHOP, 1, "eve", "/bot test")
    stage.poll(token)
    assert told(stage, "keeper", FIRST=first) == [documents.OPENED]
    assert stage.reactions(stranger) == []

    hub.clock.advance(60)
    command = hub.say(SHOP, 1, "keeper", "/bot test")
    stage.poll(token)
    reports = [body for body in told(stage, "keeper", FIRST=first) if body != "/bot test\n"]
    assert reports == [documents.TESTED]
    assert stage.reactions(command) == ["eyes", "rocket", "+1"]
    assert len(stage.runs) == 1

    hub.forget_log()
    stage.poll(token)
    assert not hub.writes()

    hub.clock.advance(60)
    second = stage.push({"README.md": "more\n"}, "tell more")
    stage.poll(token)
    assert documents.MOVED in told(stage, "keeper", FIRST=first, SECOND=second)
    assert len(stage.bodies("keeper")) == len(["the report", "the command"])


def told(stage: Stage, who: str = "github-actions[bot]", **named: str) -> list[str]:
    return [stage.plain(body, **named) for body in stage.bodies(who)]
