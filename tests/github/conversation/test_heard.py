"""What is heard as a command, from whom, and how often: each comment enters as an event."""

import sys

import pytest

from bot.github import events, handling
from bot.report import replies
from tests.github.conversation.stage import BOT, SHOP, Stage

FENCE = "```\n/bot test\n```"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("> /bot apply", id="c3-quote"),
        pytest.param(FENCE, id="c4-fence"),
        pytest.param("    /bot apply", id="c4-indented"),
        pytest.param("try `/bot test` here", id="c4-ticks"),
        pytest.param("<!-- /bot apply -->", id="c5-comment"),
        pytest.param("<details>\n/bot test\n</details>", id="c5-details"),
        pytest.param("say /bot test", id="mid-sentence"),
    ],
)
def test_c3_c4_c5_what_is_no_command_is_met_with_nothing_at_all(stage: Stage, body: str) -> None:
    stage.hub.forget_log()
    comment = stage.hub.say(SHOP, 1, "ada", body)
    stage.handle()
    assert stage.hub.log == ()
    assert (stage.bodies(), stage.reactions(comment)) == ([], [])


def test_c7_marks_that_nobody_sees_and_odd_line_ends_change_nothing(stage: Stage) -> None:
    stage.hub.say(SHOP, 1, "ada", "please:\r\n\r\n/bot\u00a0help\u200e\r\n")
    stage.handle()
    (reply,) = stage.bodies()
    assert reply.startswith("| what it does | command |")


def test_c8_an_unknown_command_gets_one_reply_with_the_nearest_and_the_list(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot tset")
    stage.handle()
    (reply,) = stage.bodies()
    assert reply.splitlines()[:3] == [
        "This was not carried out:",
        "",
        "- line 1, <code>/&#8203;bot tset</code>: there is no such command; did you mean <code>test</code>?",
    ]
    assert "| list the commands | `/bot help` |" in reply
    assert reply.rstrip().endswith(f"<!-- upstream-bot:reply {comment} -->")
    assert stage.reactions(comment) == ["confused"]


def test_c9_an_edit_of_a_strangers_comment_never_acts(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "eve", "hi")
    stage.hub.clock.advance(5)
    stage.hub.edit(comment, "ada", "/bot apply")
    stage.handle()
    assert (stage.bodies(), stage.reactions(comment)) == ([], [])


def test_c9_a_comment_that_was_edited_before_it_was_read_never_acts(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot help")
    heard = len(stage.hub.events) - 1
    stage.hub.clock.advance(5)
    stage.hub.edit(comment, "ada", "/bot help ")
    stage.handle(heard)
    assert (stage.bodies(), stage.reactions(comment)) == ([], [])


def test_c11_the_same_event_again_writes_nothing_and_asks_three_times(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.handle()
    before = stage.bodies()
    stage.hub.forget_log()
    event = next(one for one in reversed(stage.hub.events) if one.payload["sender"]["login"] == "ada")
    parsed = events.parse(event.data, event.name, attempt=2)
    told = handling.handle(stage.means(), parsed)
    assert "answered before" in told.lines[0]
    assert f"issuecomment-{comment}" in told.lines[0]
    assert stage.hub.writes() == ()
    sys.stdout.write(f"requests of an event that changes nothing: {len(stage.hub.log)}\n")
    assert len(stage.hub.log) <= 3
    assert (stage.bodies(), len(stage.runs)) == (before, 1)


def test_an_opening_that_is_delivered_twice_writes_once_and_then_asks_three_times(stage: Stage) -> None:
    stage.handle(0)
    stage.hub.forget_log()
    stage.handle(0)
    assert stage.hub.writes() == ()
    assert len(stage.hub.log) <= 3


@pytest.mark.parametrize("status", [403, 404, 500])
def test_c34_a_permission_that_cannot_be_read_refuses_with_the_reason(stage: Stage, status: int) -> None:
    stage.hub.fail.status(status, times=99, path="*/permission", message="no `@team` today")
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.handle()
    (reply,) = stage.bodies()
    assert reply.startswith("Nothing was started: GitHub did not say what ada may do here, so it is refused")
    assert "@team" not in reply
    assert stage.reactions(comment) == ["-1"]
    assert stage.runs == []


def test_c34_read_on_a_public_repository_is_refused_once_within_the_hour(stage: Stage) -> None:
    first = stage.hub.say(SHOP, 1, "eve", "/bot test")
    stage.handle()
    stage.hub.clock.advance(120)
    second = stage.hub.say(SHOP, 1, "eve", "/bot apply")
    stage.handle()
    refused = "Nothing was started: eve has `read` permission here, and commands need `write`."
    assert stage.bodies() == [f"{refused}\n\n<!-- upstream-bot:reply {first} -->"]
    assert (stage.reactions(first), stage.reactions(second)) == (["-1"], [])


def test_c35_a_review_is_not_read_for_commands(stage: Stage) -> None:
    stage.hub.review(SHOP, 1, "eve", "/bot apply")
    assert stage.handle().lines == (f"- **nothing to do**: {replies.REVIEW}",)
    assert stage.bodies() == []


def test_c36_bots_are_never_answered_however_often_they_ask(stage: Stage) -> None:
    stage.hub.account("dependabot[bot]", kind="Bot")
    stage.hub.forget_log()
    for _ in range(20):
        stage.say("dependabot[bot]", "/bot help")
    assert stage.hub.log == ()


def test_c37_our_own_help_is_no_command_not_even_under_the_operators_name(stage: Stage) -> None:
    token = stage.hub.token("keeper")
    stage.hub.say(SHOP, 1, "keeper", "/bot help")
    stage.poll(token)
    said = stage.bodies("keeper")
    stage.poll(token)
    assert stage.bodies("keeper") == said
    assert sum("| what it does | command |" in body for body in said) == 1


def test_c38_what_an_api_error_says_is_inert(stage: Stage) -> None:
    stage.hub.fail.status(403, times=9, path="*/permission", message="no.\n/bot apply\n/ok to test it")
    stage.say("ada", "/bot test")
    (reply,) = stage.bodies()
    assert not any(line.lstrip(" >*-`").startswith(("/bot", "/ok")) for line in reply.splitlines())
    stage.hub.say(SHOP, 1, BOT, reply)
    assert len(stage.bodies()) == 2
    stage.handle()
    assert len(stage.bodies()) == 2


def test_c57_thirty_commands_in_a_minute_make_one_run_and_one_reply(stage: Stage) -> None:
    for _ in range(30):
        stage.hub.clock.advance(1)
        stage.say("ada", "/bot test")
    reports = [body for body in stage.bodies() if body.startswith("<!-- upstream-bot:report")]
    answers = [body for body in stage.bodies() if body.startswith("Nothing was started")]
    assert (len(stage.runs), len(reports), len(answers)) == (1, 1, 1)


def test_the_allow_list_may_command_without_a_permission(stage: Stage) -> None:
    eve = stage.hub.account("eve")
    stage.hub.say(SHOP, 1, "eve", "/bot help")
    event = stage.hub.events[-1]
    handling.handle(stage.means(allow=frozenset({eve.id})), events.parse(event.data, event.name))
    assert len(stage.bodies()) == 1


def test_status_brings_the_report_up_to_date_and_ends_well(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot status")
    stage.handle()
    (report,) = stage.bodies()
    assert report.startswith("<!-- upstream-bot:report")
    assert stage.reactions(comment) == ["eyes", "+1"]


def test_a_command_that_is_read_and_not_carried_out_yet_says_so(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot rebase")
    stage.handle()
    (reply,) = stage.bodies()
    assert reply.splitlines()[0].startswith("Nothing was started for `rebase`:")
    assert stage.reactions(comment) == ["eyes", "-1"]


def test_a_backport_is_not_carried_out_yet_and_the_command_line_is_named(stage: Stage) -> None:
    stage.say("ada", "/bot backport cure no-such-branch")
    (reply,) = stage.bodies()
    assert "it is none of the" in reply
    assert "```sh\nupstream-bot backport till --to cure\n```" in reply


def test_a_good_and_a_bad_line_in_one_comment_get_the_run_and_one_reply(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot tset\n/bot test")
    stage.handle()
    kinds = sorted(body.split(" ")[1].split(":")[-1] for body in stage.bodies())
    assert len(kinds) == 2
    assert len(stage.runs) == 1
    assert stage.reactions(comment) == ["eyes", "rocket", "confused"]


def test_two_comments_are_two_replies_and_a_repeat_of_the_event_adds_none(stage: Stage) -> None:
    stage.say("ada", "/bot help")
    stage.hub.clock.advance(90)
    stage.say("ada", "/bot help")
    stage.handle()
    assert len(stage.bodies()) == 2
