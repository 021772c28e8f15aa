"""The gate: a conversation's facts in, one decision out."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.github import gate, looking
from bot.github.decision import Nothing, Refused
from bot.github.events import Ignored, comment_on
from bot.github.facts import Rules
from bot.github.frozen import moved
from bot.github.gate import Decision
from bot.github.port import Hub, Refusal
from bot.model import Manifest
from bot.model.hub import Account, Comment, Side, Why
from bot.model.patch import Base, PatchFile, Proposal, UpstreamPlace, Version
from bot.model.plan import Plan
from bot.report import replies
from tests.github.hub_memory import ANN, BOT, HEAD, NEXT, REPO, Memory, a_pull, say


def manifest(name: str = "till", path: str = "shop/till.py", pull: int | None = None) -> Manifest:
    file = PatchFile(path="v1/a.patch", sha256="0" * 64)
    base = Base(commit="d" * 40, blobs={path: "e" * 40})
    return Manifest(
        schema=1,
        id=name,
        title=name,
        upstream=UpstreamPlace(repo="https://hub.test/acme/shop.git"),
        versions=(Version(id="v1", base=base, files=(file,)),),
        proposal=Proposal(pull_request=pull),
    )


RULES = Rules(patches=(manifest(),))


def decide(hub: Memory, comment: Comment, rules: Rules = RULES, waits: list[float] | None = None) -> Decision:
    """One comment through the whole gate; the conversation holds it unless a test put another there."""
    if all(one.id != comment.id for one in hub.spoken):
        hub.spoken.append(comment)
    event = comment_on(REPO, 7, comment)
    assert not isinstance(event, Ignored)
    sleep = waits.append if waits is not None else (lambda _: None)
    return gate.decide(event, looking.look(cast("Hub", hub), event, rules, sleep), rules)


def planned(decision: Decision) -> list[str]:
    assert isinstance(decision, Plan), decision
    return [" ".join((wish.verb, *wish.words)) for wish in decision.wishes]


def refused(decision: Decision) -> Refused:
    assert isinstance(decision, Refused), decision
    return decision


def test_a_writer_gets_a_plan_frozen_on_what_was_seen() -> None:
    plan = decide(Memory(), say(1, "/bot test"))
    assert planned(plan) == ["test"]
    assert isinstance(plan, Plan)
    assert (plan.patch, plan.frozen.head, plan.frozen.base, plan.asker_id) == ("till", HEAD, "main", ANN.id)
    assert "planned" in gate.lines(plan)[0]


@pytest.mark.parametrize("body", ["hello", "> /bot test", "`/bot test`"])
def test_c3_c4_what_is_no_command_asks_github_nothing(body: str) -> None:
    hub = Memory()
    assert decide(hub, say(1, body)) == Nothing(reason=replies.NO_COMMAND)
    assert hub.asked == []


def test_c1_a_head_that_moved_stops_the_later_step() -> None:
    hub = Memory()
    plan = decide(hub, say(1, "/bot test"))
    assert isinstance(plan, Plan)
    assert moved(plan.frozen, cast("Hub", hub)) is None
    hub.mirror = NEXT
    assert moved(plan.frozen, cast("Hub", hub)) == f"head is now {NEXT}, you approved {HEAD}"
    hub.spoken.clear()
    assert moved(plan.frozen, cast("Hub", hub)) == replies.GONE


def test_c2_a_stale_head_is_asked_again_and_then_refused() -> None:
    waits: list[float] = []
    hub = Memory(heads=[NEXT, NEXT, HEAD])
    assert planned(decide(hub, say(1, "/bot test"), waits=waits)) == ["test"]
    assert waits == [1, 2]
    told = refused(decide(Memory(mirror=NEXT), say(1, "/bot test"), waits=waits))
    assert told.reason == replies.UNSETTLED
    assert len(waits) == 6


def test_c8_an_unknown_command_gets_one_reply_with_the_list() -> None:
    told = refused(decide(Memory(), say(1, "/bot tset")))
    assert told.reaction == "confused"
    assert "did you mean <code>test</code>?" in told.reply
    assert "`/bot backport <branch>…`" in told.reply


def test_c9_edits_never_act() -> None:
    edited = say(1, "/bot apply", edited=True)
    assert decide(Memory(), edited) == Nothing(reason=replies.EDITED)
    assert decide(Memory(spoken=[say(1, "/bot apply")]), edited) == Nothing(reason=replies.EDITED)
    assert decide(Memory(spoken=[edited]), say(1, "/bot apply")) == Nothing(reason=replies.EDITED)
    assert decide(Memory(spoken=[say(1, "hi")]), say(1, "/bot apply")) == Nothing(reason=replies.EDITED)


def test_c11_a_second_delivery_does_nothing_and_links_the_first() -> None:
    decision = decide(Memory(reacted={1: ("eyes", "+1")}), say(1, "/bot test"))
    assert isinstance(decision, Nothing)
    assert "#issuecomment-1" in decision.reason
    assert planned(decide(Memory(reacted={1: ("eyes",)}), say(1, "/bot test"))) == ["test"]


@pytest.mark.parametrize(("sha", "good"), [(HEAD, True), (HEAD[:7].upper(), True), (NEXT[:9], False)])
def test_a_named_commit_must_be_the_head(sha: str, *, good: bool) -> None:
    decision = decide(Memory(), say(1, f"/bot test {sha}"))
    assert isinstance(decision, Plan) == good
    assert good or HEAD in refused(decision).reply


@pytest.mark.parametrize(
    "name", ["../main", "refs/heads/dev", "main@{1}", "HEAD", "x" * 300, "pull-request/7", "$(id)"]
)
def test_c24_c25_only_listed_names_pass(name: str) -> None:
    told = refused(decide(Memory(), say(1, f"/bot backport {name}")))
    assert "none of the 3 branches" in told.reply


def test_c24_an_option_never_reaches_the_list() -> None:
    told = refused(decide(Memory(), say(1, "/bot backport --upload-pack=touch$IFS/x")))
    assert told.reason == replies.OPTION


def test_c26_an_unknown_branch_shows_the_nearest() -> None:
    assert "core_r0.19.0" in refused(decide(Memory(), say(1, "/bot backport core_r9.9.9"))).reply


def test_c27_the_own_base_is_refused() -> None:
    assert refused(decide(Memory(), say(1, "/bot backport main"))).reason == replies.OWN_BASE


def test_c28_a_wrong_line_leaves_the_others() -> None:
    plan = decide(Memory(), say(1, "/bot backport dev\n/bot backport nope\n/bot backport core_r0.19.0 main"))
    assert planned(plan) == ["backport dev", "backport core_r0.19.0"]
    assert isinstance(plan, Plan)
    assert [one.text for one in plan.refused] == ["/bot backport nope", "/bot backport main"]
    assert len(gate.lines(plan)) == 3


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("read", "has `read` permission"),
        ("triage", "has `triage` permission"),
        (Refusal(Why.FORBIDDEN, "Resource not accessible"), "Resource not accessible"),
        (Refusal(Why.MISSING, "Not Found"), "Not Found"),
        (Refusal(Why.BROKEN, "502"), "502"),
    ],
)
def test_c34_without_a_known_right_it_is_refused_with_the_reason(said: str | Refusal, named: str) -> None:
    hub = Memory(permissions={"ann": said})
    assert named in refused(decide(hub, say(1, "/bot test"))).reply
    again = decide(hub, say(2, "/bot help", second=90))
    assert isinstance(again, Nothing)
    assert replies.AGAIN in again.reason
    allowed = replace(RULES, allow=frozenset({ANN.id}))
    assert isinstance(decide(Memory(permissions={"ann": said}), say(1, "/bot test"), allowed), Plan)


def test_under_poll_only_the_operator_is_heard() -> None:
    rules = replace(RULES, operator_only=True)
    hub = Memory()
    assert decide(hub, say(1, "/bot test"), rules) == Nothing(reason=replies.NOT_OPERATOR)
    assert planned(decide(hub, say(2, "/bot test", author=BOT), rules)) == ["test"]
    assert "permission" not in hub.asked


@pytest.mark.parametrize(
    "author", [Account(id=5, login="dependabot[bot]"), Account(id=6, login="x", kind="Bot")]
)
def test_c36_a_bot_is_never_heard(author: Account) -> None:
    assert comment_on(REPO, 7, say(1, "/bot help", author=author)) == Ignored(reason=replies.BY_A_BOT)


def test_c37_what_we_wrote_ourselves_is_never_heard() -> None:
    own = say(1, replies.signed("/bot test", say(3, "")), author=BOT)
    assert decide(Memory(), own, replace(RULES, operator_only=True)) == Nothing(reason=replies.BY_US)


def test_c48_a_fork_that_is_gone_is_not_tested() -> None:
    hub = Memory(shown=a_pull(head=Side(branch="fix", commit=HEAD, repository=None)))
    assert refused(decide(hub, say(1, "/bot test"))).reason == replies.HEAD_GONE
    assert planned(decide(hub, say(2, "/bot status", second=90))) == ["status"]


@pytest.mark.parametrize(
    ("changes", "good", "reason"),
    [
        ({"open": False}, ["status"], replies.CLOSED_FOR_IT),
        ({"open": False, "merged": True}, ["backport dev", "status"], replies.MERGED_FOR_IT),
        ({"draft": True}, ["test", "backport dev", "status"], ""),
    ],
)
def test_c50_each_stage_has_its_own_commands_and_line(
    changes: dict[str, Any], good: Sequence[str], reason: str
) -> None:
    plan = decide(Memory(shown=a_pull(**changes)), say(1, "/bot test\n/bot backport dev\n/bot status"))
    assert planned(plan) == good
    assert isinstance(plan, Plan)
    assert {one.reason for one in plan.refused} == ({reason} if reason else set())


def test_c50_a_locked_conversation_is_told_in_the_summary_only() -> None:
    told = refused(decide(Memory(shown=a_pull(locked=True)), say(1, "/bot test")))
    assert (told.reason, told.reply) == (replies.IS_LOCKED, "")


def test_c57_of_thirty_in_a_minute_one_runs_and_one_is_answered() -> None:
    hub = Memory(spoken=[say(n, "/bot test", second=2 * n) for n in range(30)])
    kinds = [type(decide(hub, comment)) for comment in tuple(hub.spoken)]
    assert kinds == [Plan, Refused] + [Nothing] * 28


def test_what_is_being_worked_on_is_not_begun_again() -> None:
    hub = Memory(spoken=[say(1, "/bot test")], reacted={1: ("eyes", "rocket")})
    assert "#issuecomment-1" in refused(decide(hub, say(2, "/bot test", second=600))).reply
    hub.reacted[1] = ("eyes", "rocket", "+1")
    assert planned(decide(hub, say(3, "/bot test", second=1200))) == ["test"]


def test_the_patch_is_found_by_number_then_by_files_and_else_asked_for() -> None:
    other = manifest("other", "shop/other.py", pull=7)
    by_number = decide(Memory(), say(1, "/bot test"), Rules(patches=(manifest(), other)))
    by_files = decide(
        Memory(), say(1, "/bot test"), Rules(patches=(manifest(), replace(other, proposal=Proposal())))
    )
    assert isinstance(by_number, Plan)
    assert isinstance(by_files, Plan)
    assert (by_number.patch, by_files.patch) == ("other", "till")
    twice = Rules(patches=(manifest(), manifest("twin")))
    assert refused(decide(Memory(), say(1, "/bot test"), twice)).reason == replies.WHICH_PATCH
