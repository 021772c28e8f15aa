"""The states of upstream's process, each from what the API shows and nothing else."""

# ruff: noqa: E501, RUF001 (a table, the request as it is, a vetter's full-width letters)

import pytest

from bot.github.vetting import decide
from bot.model import Vetting
from bot.model.hub import Account, Side
from bot.model.vetting import Seen, Stage, Turn, Uncounted
from bot.report import requests
from tests.github.vetting.sights import (
    GATE,
    HEAD,
    OLD,
    STRANGER,
    VETTER,
    a_check,
    a_comment,
    a_pull,
    a_run,
    a_sight,
    vetted,
    waits,
)

GREEN = (a_check("unit-tests / core"), a_check("Nemo_CICD_Test"))
RELEASE = a_pull(merged=True, open=False, labels=("core_r0.19.0", "not-for-core_r0.18.0"))
CARRIED = a_pull(number=7000, head=Side(branch="cherry-pick-6856-core_r0.19.0", commit=OLD, repository=None))
SYNC = a_pull(number=7001, head=Side(branch="main2dev/11_08_2026", commit=OLD, repository=None))

ROWS: dict[str, tuple[Seen, Stage, Turn]] = {
    "row 2": (a_sight(pull=a_pull(draft=True)), Stage.DRAFT, Turn.CONTRIBUTOR),
    "row 3": (a_sight(), Stage.NEEDS_VETTING, Turn.VETTER),
    "row 4": (vetted(), Stage.VETTED, Turn.UPSTREAM),
    "row 4, pushed since": (a_sight(mirror=OLD), Stage.VETTED_OLDER, Turn.VETTER),
    "row 5": (vetted(runs=(a_run(status="in_progress", conclusion=""),)), Stage.RUNNING, Turn.UPSTREAM),
    "row 6": (
        vetted(runs=(a_run(conclusion="failure"),), checks=(a_check("is-not-external-contributor", "failure"),)),
        Stage.POLICY,
        Turn.UPSTREAM,
    ),
    "row 7": (vetted(runs=(a_run(status="waiting", conclusion=""),)), Stage.QUEUED, Turn.UPSTREAM),
    "row 9": (vetted(runs=(a_run(),), checks=GREEN), Stage.TESTED, Turn.UPSTREAM),
    "row 9, red": (
        vetted(runs=(a_run(conclusion="failure"),), checks=(a_check("unit-tests", "failure"),)),
        Stage.FAILED,
        Turn.CONTRIBUTOR,
    ),
    "row 10": (vetted(runs=(a_run(conclusion="cancelled"),)), Stage.SUPERSEDED, Turn.UPSTREAM),
    "row 11": (vetted(checks=GREEN, pull=a_pull(labels=("Final Review",))), Stage.IN_REVIEW, Turn.UPSTREAM),
    "row 12": (vetted(checks=GREEN, pull=a_pull(labels=("Approved",))), Stage.APPROVED, Turn.UPSTREAM),
    "row 13": (vetted(queued_merge=True), Stage.MERGE_QUEUE, Turn.NOBODY),
    "row 14, nothing there": (a_sight(pull=RELEASE), Stage.RELEASE_MISSING, Turn.CONTRIBUTOR),
    "row 14": (a_sight(pull=RELEASE, carried=(CARRIED,)), Stage.RELEASED, Turn.NOBODY),
    "row 15": (
        a_sight(pull=a_pull(merged=True, open=False), carried=(SYNC,)), Stage.SYNCING, Turn.CONTRIBUTOR
    ),
    "row 17": (a_sight(pull=a_pull(labels=("stale",))), Stage.STALE, Turn.CONTRIBUTOR),
    "merged": (a_sight(pull=a_pull(merged=True, open=False)), Stage.MERGED, Turn.NOBODY),
    "closed": (a_sight(pull=a_pull(open=False)), Stage.CLOSED, Turn.NOBODY),
    "mirror hidden": (a_sight(untold=("mirror",)), Stage.UNKNOWN, Turn.NOBODY),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_each_row_of_the_process_has_its_state_and_its_turn(name: str) -> None:
    seen, stage, turn = ROWS[name]
    standing = decide(seen)
    assert (standing.stage, standing.turn) == (stage, turn)


def test_every_state_has_its_sentence_and_every_uncounted_approval_its_reason() -> None:
    assert set(requests.STEPS) == set(Stage)
    assert set(requests.REASONS) == set(Uncounted)


def test_the_request_names_the_whole_command_in_mid_sentence() -> None:
    assert decide(a_sight()).request == (
        "Request to a vetter: if you agree with what is listed under “What you would be vetting”, write "
        f"`/ok to test {HEAD}` as a comment with nothing beside it. It covers exactly this commit; when the head "
        "moves, this request moves with it. This bot never vets."
    )
    assert decide(vetted()).request is None
    odd = a_pull(head=Side(branch="fix", commit="A1\n/ok", repository=None))
    assert decide(a_sight(pull=odd)).request is None


def judged(body: str, author: Account = VETTER, *, answered: bool = False) -> Uncounted | None:
    sight = a_sight(comments=(waits(), a_comment(1, author, body)), reactions={1: answered})
    return decide(sight).approvals[0].uncounted


@pytest.mark.parametrize(
    "body",
    [
        f"/ok to test {HEAD}",
        f"/ok to test {HEAD[:7]}\r\n",
        f"\n/okay to test {HEAD[:9]}  ",
        f"/ok to test [{HEAD[:7]}](https://example.org/pull/1/commits/{HEAD})",
        f"／ｏｋ to\u00a0test {HEAD.upper()}\u200e",
    ],
)
def test_every_form_that_vetters_use_counts_once_the_gate_has_answered(body: str) -> None:
    assert judged(body, answered=True) is None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f"/ok-to-test {HEAD}", Uncounted.OTHER_COMMAND),
        ("/ok to test", Uncounted.NO_COMMIT),
        (f"/ok to test {HEAD} please", Uncounted.MORE_TEXT),
        (f"Fine.\n/ok to test {HEAD}", Uncounted.MORE_TEXT),
        (f"`/ok to test {HEAD}`", Uncounted.CODE),
        (f"/ok to test `{HEAD}`", Uncounted.CODE),
        (f"```\n/ok to test {HEAD}\n```", Uncounted.CODE),
        (f"    /ok to test {HEAD}", Uncounted.CODE),
        (f"> /ok to test {HEAD}", Uncounted.QUOTED),
        ("/ok to test main", Uncounted.NOT_A_COMMIT),
        (f"/ok to test [{HEAD[:7]}](https://example.org/commits/{OLD})", Uncounted.TWO_COMMITS),
    ],
)
def test_c16_wrong_forms_are_recognised_and_not_counted(body: str, reason: Uncounted) -> None:
    assert judged(body, answered=True) is reason


def test_c13_an_approval_of_an_old_commit_leaves_the_state_and_the_request() -> None:
    standing = decide(a_sight(comments=(waits(), a_comment(1, VETTER, f"/ok to test {OLD}"))))
    assert standing.stage is Stage.NEEDS_VETTING
    assert standing.approvals[0].uncounted is Uncounted.OLDER_COMMIT
    assert HEAD in (standing.request or "")


@pytest.mark.parametrize("author", [STRANGER, Account(id=5, login="copy-pr-bot")])
def test_c14_c15_an_approval_that_the_gate_did_not_answer_is_not_counted(author: Account) -> None:
    assert judged(f"/ok to test {HEAD}", author) is Uncounted.NO_REACTION


def test_an_accepted_approval_before_the_mirror_moved_is_no_vetted_head() -> None:
    said = (waits(), a_comment(1, VETTER, f"/ok to test {HEAD}"))
    standing = decide(a_sight(comments=said, reactions={1: True}))
    assert (standing.stage, standing.vetted_head, standing.request) == (Stage.ACCEPTED, None, None)


def test_c17_green_checks_of_the_old_commit_are_results_of_the_old_commit() -> None:
    older = tuple(a_check(one.name, commit=OLD) for one in GREEN)
    standing = decide(a_sight(mirror=OLD, older_checks=older, checks=GREEN))
    assert (standing.stage, standing.older) == (Stage.VETTED_OLDER, Stage.TESTED)
    assert requests.older_results(standing.older, standing.vetted_head) == (
        f"Results for the older commit <code>{OLD}</code>: its tests ran and passed."
    )


@pytest.mark.parametrize(
    ("since", "stage"), [("2026-08-12T03:00:00Z", Stage.QUEUED), ("2026-08-09T03:00:00Z", Stage.QUEUED_LONG)]
)
def test_c18_nine_hours_in_the_queue_are_no_alarm_three_days_are(since: str, stage: Stage) -> None:
    standing = decide(vetted(runs=(a_run(status="waiting", conclusion="", created=since),)))
    assert standing.stage is stage
    assert standing.waiting_hours in {9, 81}


def test_c19_jobs_cancelled_by_a_newer_push_are_superseded_with_their_red_summary() -> None:
    checks = (a_check("unit-tests", "cancelled"), a_check("Nemo_CICD_Test", "failure"))
    assert decide(vetted(runs=(a_run(conclusion="cancelled"),), checks=checks)).stage is Stage.SUPERSEDED


@pytest.mark.parametrize(
    "runs", [(), (a_run(status="completed", conclusion="action_required", branch="fix"),)]
)
def test_c58_no_run_or_one_that_waits_for_a_button_asks_a_maintainer(runs: tuple[()]) -> None:
    standing = decide(a_sight(comments=(), runs=runs))
    assert standing.stage is Stage.RUN_APPROVAL
    assert "a maintainer must approve the run" in standing.next


def test_c58_where_nobody_vets_no_run_at_all_asks_a_maintainer_too() -> None:
    nobody = Vetting(mirror_ref="")
    assert decide(a_sight(comments=(), vetting=nobody)).stage is Stage.RUN_APPROVAL
    assert decide(a_sight(comments=(), vetting=nobody, untold=("runs",))).stage is Stage.VETTED


def test_c59_skipped_unit_tests_below_a_green_summary_are_no_evidence() -> None:
    checks = (a_check("unit-tests", "skipped"), a_check("Nemo_CICD_Test"), a_check("linting"))
    standing = decide(vetted(runs=(a_run(),), checks=checks))
    assert standing.stage is Stage.NO_EVIDENCE
    assert standing.detail == ("unit-tests",)


@pytest.mark.parametrize("name", ["declined: unsigned", "is-not-external-contributor", "DCO", "license/cla"])
def test_c60_a_red_check_of_a_rule_is_policy(name: str) -> None:
    checks = (
        a_check(name, "failure"),
        a_check("Nemo_CICD_Test", "failure"),
        a_check("unit-tests", "skipped"),
    )
    assert decide(vetted(runs=(a_run(conclusion="failure"),), checks=checks)).stage is Stage.POLICY


def test_the_gatekeepers_own_words_are_never_an_approval() -> None:
    said = a_comment(1, GATE, f"/ok to test {HEAD}")
    assert decide(a_sight(comments=(said,))).approvals == ()
