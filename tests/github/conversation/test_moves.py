"""What moves between a command and its report: heads, bases, stages; each is told, and nothing else runs."""

from pathlib import Path

import msgspec
import pytest

from bot.github import handling, running
from bot.model import Verdict
from bot.model.plan import Plan
from bot.proof import evidence
from tests.conftest import BROKEN, FILE
from tests.github.conversation.stage import SHOP, Stage

EVIL: dict[str, str | None] = {FILE: "import os\nos.kill(1, 9)\n"}


def test_c1_a_push_before_the_run_stops_it_and_nothing_of_it_ran(stage: Stage) -> None:
    first = stage.head
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    outcomes: list[running.Outcome] = []

    def push_then_run(plan: Plan, place: Path) -> None:
        stage.push(EVIL)
        stage.hub.refresh(SHOP)
        stage.run(plan, place)
        assert not (place / running.EVIDENCE).exists()
        outcomes.append(msgspec.json.decode((place / running.OUTCOME).read_bytes(), type=running.Outcome))

    handle_with(stage, push_then_run)
    moved = f"head is now {stage.head}, you approved {first}"
    assert [one.problem for one in outcomes] == [moved]
    report, reply = stage.bodies()
    assert f"Stopped: {moved}." in reply
    assert "no evidence yet for this head" in report
    assert stage.reactions(comment) == ["eyes", "rocket", "-1"]


def test_c1_a_push_during_the_run_stops_the_report(stage: Stage) -> None:
    first = stage.head
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.before_publish = lambda: stage.push({"README.md": "x\n"})
    stage.handle()
    assert any(f"Stopped: head is now {stage.head}, you approved {first}." in body for body in stage.bodies())
    assert not any("proven**" in body for body in stage.bodies())
    assert stage.reactions(comment)[-1] == "-1"


def test_c2_an_old_head_from_the_api_is_asked_again_and_then_refused(stage: Stage) -> None:
    stage.hub.fail.stale_head(SHOP, 1, reads=99)
    stage.push({"README.md": "x\n"})
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.handle()
    (reply,) = stage.bodies()
    assert "GitHub's two accounts of this pull request's head still differ" in reply
    assert (stage.runs, stage.reactions(comment)) == ([], ["confused"])
    assert sum(stage.slept) >= 15


def test_c2_an_old_head_that_is_put_right_is_carried_out(stage: Stage) -> None:
    stage.hub.fail.stale_head(SHOP, 1, reads=2)
    head = stage.push({"README.md": "x\n"})
    stage.say("ada", "/bot test")
    assert [plan.frozen.head for plan in stage.runs] == [head]


def test_c13_a_new_head_moves_the_request_once_without_a_comment_or_a_reaction(stage: Stage) -> None:
    stage.gate()
    stage.handle(0)
    old = stage.head
    head = stage.push({"README.md": "x\n"})
    stage.hub.refresh(SHOP)
    stage.handle()
    vetted = stage.hub.say(SHOP, 1, "ada", f"/ok to test {old}")
    stage.handle()
    stage.poll(stage.hub.token("keeper"))
    (report,) = stage.bodies()
    assert f"write `/ok to test {head}` as a comment" in report
    assert f"/ok to test {old}" not in report
    assert stage.reactions(vetted) == []


def test_c14_a_strangers_approval_is_named_and_not_counted(stage: Stage) -> None:
    stage.gate()
    stage.hub.say(SHOP, 1, "eve", f"/ok to test {stage.head}")
    stage.say("ada", "/bot status")
    (report,) = stage.bodies()
    assert f"What eve wrote as an approval of <code>{stage.head}</code> is not counted" in report
    assert "It is a vetter's turn." in report


def test_c20_a_base_that_moved_marks_the_results_as_of_an_older_base(stage: Stage) -> None:
    stage.say("ada", "/bot test")
    base = stage.hub.ref(SHOP, "heads/main")
    stage.hub.commit(SHOP, "main", {"NEWS.md": "x\n"})
    stage.hub.clock.advance(90)
    stage.say("ada", "/bot status")
    (report,) = stage.bodies()
    assert "🕓 **Results for an older base**: <code>main</code> has moved since." in report
    assert f"merged into <code>main</code> at <code>{base}</code>; GitHub's trial merge was" in report


def test_c20_a_base_that_moves_during_the_run_is_told_with_the_base_that_was_proven(stage: Stage) -> None:
    base = stage.hub.ref(SHOP, "heads/main")
    stage.before_publish = lambda: stage.hub.commit(SHOP, "main", {"NEWS.md": "x\n"})
    stage.say("ada", "/bot test")
    (report,) = stage.bodies()
    assert f"merged into <code>main</code> at <code>{base}</code>." in report


def test_c48_a_fork_that_is_gone_cannot_be_tested(stage: Stage) -> None:
    stage.hub.delete("bob/shop")
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.handle()
    assert "cannot test: the head repository is gone" in stage.bodies()[0]
    assert (stage.runs, stage.reactions(comment)) == ([], ["confused"])


def test_c48_a_fork_that_goes_during_the_run_stops_the_report(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.before_publish = lambda: stage.hub.delete("bob/shop")
    stage.handle()
    assert any("Stopped: the head repository is not the one that it was." in one for one in stage.bodies())
    assert stage.reactions(comment)[-1] == "-1"


@pytest.mark.parametrize(
    ("act", "line"),
    [
        ("close", "The pull request is closed."),
        ("merge", "The pull request is merged."),
        ("draft", "The pull request is a draft."),
    ],
)
def test_c50_what_became_of_the_pull_request_has_its_own_line(stage: Stage, act: str, line: str) -> None:
    stage.before_publish = lambda: getattr(stage.hub, act)(SHOP, 1)
    told = stage.say("ada", "/bot test")
    assert f"- {line}" in told.lines
    (report,) = stage.bodies()
    turn = {"close": "closed without a merge", "merge": "The change is merged", "draft": "This is a draft"}
    assert turn[act] in report


def test_c50_a_locked_conversation_is_told_in_the_summary_only(stage: Stage) -> None:
    stage.before_publish = lambda: stage.hub.lock(SHOP, 1)
    told = stage.say("ada", "/bot test")
    assert "- The conversation is locked: nothing can be said there." in told.lines
    assert stage.bodies() == []


def test_a_comment_that_is_deleted_while_it_runs_stops_the_report(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    stage.before_publish = lambda: stage.hub.remove(comment, "ada")
    told = stage.handle()
    assert any("the comment is gone" in line for line in told.lines)


@pytest.mark.parametrize("left", [b"", b"{}", b"[" * 100_000, b'{"schema": "upstream-bot/evidence/1"}'])
def test_evidence_that_is_none_is_told_and_judged_as_nothing(stage: Stage, left: bytes) -> None:
    def spoil(plan: Plan, place: Path) -> None:
        stage.run(plan, place)
        (place / running.EVIDENCE).write_bytes(left)

    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    handle_with(stage, spoil)
    assert any("The run did not end with a verdict" in body for body in stage.bodies())
    assert stage.reactions(comment) == ["eyes", "rocket", "-1"]


def test_a_run_that_left_nothing_is_told(stage: Stage) -> None:
    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    handle_with(stage, lambda _plan, _place: None)
    assert any("the run left no evidence" in body for body in stage.bodies())
    assert stage.reactions(comment) == ["eyes", "rocket", "-1"]


def test_a_link_in_place_of_evidence_is_not_followed(stage: Stage, tmp_path: Path) -> None:
    def link(plan: Plan, place: Path) -> None:
        stage.run(plan, place)
        (place / running.EVIDENCE).rename(tmp_path / "kept.json")
        (place / running.EVIDENCE).symlink_to(tmp_path / "kept.json")

    stage.hub.say(SHOP, 1, "ada", "/bot test")
    handle_with(stage, link)
    assert any("the run left no evidence" in body for body in stage.bodies())


def test_a_verdict_that_was_claimed_is_judged_again_from_its_outcomes(stage: Stage) -> None:
    stage.push({FILE: BROKEN + "\n# no cure\n"})

    def lie(plan: Plan, place: Path) -> None:
        stage.run(plan, place)
        made = evidence.decode((place / running.EVIDENCE).read_bytes())
        claimed = [msgspec.structs.replace(one, verdict=Verdict.PROVEN) for one in made.targets]
        lied = evidence.seal(msgspec.structs.replace(made, targets=tuple(claimed)))
        evidence.write(place / running.EVIDENCE, lied)

    comment = stage.hub.say(SHOP, 1, "ada", "/bot test")
    told = handle_with(stage, lie)
    assert told.verdict is Verdict.NOT_CURED
    assert stage.reactions(comment)[-1] == "-1"
    (check,) = stage.connect(stage.token).check_runs(SHOP, stage.head)
    assert check.conclusion == "failure"


def test_a_pull_request_that_is_closed_is_told_and_nobody_is_asked_any_more(stage: Stage) -> None:
    stage.gate()
    stage.handle(0)
    stage.hub.close(SHOP, 1)
    stage.handle()
    (report,) = stage.bodies()
    assert "This pull request is closed without a merge. It is nobody's turn." in report
    assert "/ok to test" not in report


def test_a_pull_request_about_other_files_is_left_alone(stage: Stage) -> None:
    stage.hub.commit("bob/shop", "news", {"NEWS.md": "x\n"}, by="bob")
    second = stage.hub.open(SHOP, head="bob:news", by="bob")
    stage.hub.forget_log()
    told = stage.handle()
    assert told.lines == ("- nothing to do: this pull request is about none of the patches here",)
    assert stage.hub.writes() == ()
    assert second == 2


def test_a_push_to_a_pull_request_without_a_report_is_nothing_to_us(stage: Stage) -> None:
    stage.push({"README.md": "x\n"})
    stage.hub.refresh(SHOP)
    stage.hub.forget_log()
    told = stage.handle()
    assert told.lines == ("- nothing to do: there is no report of ours on this pull request",)
    assert (stage.hub.writes(), len(stage.hub.log) <= 3) == ((), True)


def handle_with(stage: Stage, runner: handling.Runner) -> handling.Handled:
    """Handle the last comment with another run."""
    from dataclasses import replace

    from bot.github import events

    means = replace(stage.means(), runner=runner)
    event = next(one for one in reversed(stage.hub.events) if one.payload["sender"]["login"] == "ada")
    return handling.handle(means, events.parse(event.data, event.name))
