"""What upstream's own checks amount to: a rule is no test failure, a skipped test is no evidence."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.model.hub import CheckRun, WorkflowRun
from bot.model.patch import Value
from bot.model.vetting import Stage

#: Hours in upstream's queue for outsiders that are normal.
PATIENCE_HOURS = 48
#: Checks that judge who asks or how it is signed.
RULES = re.compile(
    r"external.?contributor|unsigned|\bdco\b|\bcla\b|signed|signature|sign.?off|declined|policy|copy-pr-bot"
    r"|membership|codeowner|required.?label|is-not-",
    re.IGNORECASE,
)
RULERS = frozenset({"copy-pr-bot", "dco", "cla-assistant", "cla-bot", "easycla", "linux-foundation-easycla"})
#: The job that sums the others up: its colour alone says nothing.
SUMMARY = re.compile(r"nemo_cicd_test|summary|\ball.?(?:green|checks|tests)\b|ci.?success", re.IGNORECASE)
UNIT = re.compile(r"unit.?test", re.IGNORECASE)
TEST = re.compile(r"test|pytest", re.IGNORECASE)
BAD = frozenset({"failure", "timed_out", "startup_failure"})
RAN = frozenset({"success"}) | BAD


class Judged(Value, frozen=True, kw_only=True):
    stage: Stage
    detail: tuple[str, ...] = ()
    hours: int = 0


def judge(checks: Sequence[CheckRun], runs: Sequence[WorkflowRun], now: str) -> Judged:
    """What checks and runs of one commit say. `VETTED` means that nothing has started."""
    newest, checks = latest(runs), last(checks)
    if any(run.conclusion == "action_required" for run in newest):
        return Judged(stage=Stage.RUN_APPROVAL, detail=names(newest, "action_required"))
    if any(run.status == "waiting" for run in newest) and not failures(checks):
        return queue([run for run in newest if run.status == "waiting"], now)
    ruled = [one.name for one in checks if is_rule(one) and one.conclusion in BAD | {"action_required"}]
    broken = failures(checks)
    if broken:
        return Judged(stage=Stage.FAILED, detail=broken)
    if ruled:
        return Judged(stage=Stage.POLICY, detail=tuple(ruled))
    if unfinished(checks, newest):
        return Judged(stage=Stage.RUNNING)
    return finished(checks, newest)


def finished(checks: Sequence[CheckRun], newest: Sequence[WorkflowRun]) -> Judged:
    """Nothing runs, and no job failed but perhaps the one that sums up."""
    stopped = [one.name for one in checks if one.conclusion in {"cancelled", "stale"}]
    stopped += names(newest, "cancelled")
    if stopped:
        return Judged(stage=Stage.SUPERSEDED, detail=tuple(dict.fromkeys(stopped)))
    bad = [one.name for one in checks if one.conclusion in BAD]
    if bad or any(run.conclusion in BAD for run in newest):
        return Judged(stage=Stage.FAILED, detail=(*bad, *(r.name for r in newest if r.conclusion in BAD)))
    if not newest and not any(TEST.search(one.name) or SUMMARY.search(one.name) for one in checks):
        return Judged(stage=Stage.VETTED)
    return Judged(stage=Stage.TESTED if ran(checks) else Stage.NO_EVIDENCE, detail=skipped(checks))


def ran(checks: Iterable[CheckRun]) -> bool:
    """Whether tests ran: the unit tests where there are any, else whatever is called a test."""
    tests = [one for one in checks if TEST.search(one.name) and not SUMMARY.search(one.name)]
    units = [one for one in tests if UNIT.search(one.name)]
    return any(one.conclusion in RAN for one in units or tests)


def skipped(checks: Iterable[CheckRun]) -> tuple[str, ...]:
    return tuple(one.name for one in checks if TEST.search(one.name) and one.conclusion == "skipped")


def failures(checks: Iterable[CheckRun]) -> tuple[str, ...]:
    """Jobs that failed for a reason of their own: neither a rule nor a summary."""
    return tuple(
        one.name
        for one in checks
        if one.conclusion in BAD and not is_rule(one) and not SUMMARY.search(one.name)
    )


def is_rule(check: CheckRun) -> bool:
    return bool(RULES.search(check.name)) or check.app.casefold() in RULERS


def unfinished(checks: Iterable[CheckRun], runs: Iterable[WorkflowRun]) -> bool:
    return any(
        status != "completed" for status in [one.status for one in checks] + [run.status for run in runs]
    )


def queue(waiting: Sequence[WorkflowRun], now: str) -> Judged:
    """In the queue since the oldest waiting run was made."""
    hours = max(int(hours_between(run.created, now)) for run in waiting)
    stage = Stage.QUEUED_LONG if hours >= PATIENCE_HOURS else Stage.QUEUED
    return Judged(stage=stage, hours=hours, detail=tuple(dict.fromkeys(run.name for run in waiting)))


def hours_between(then: str, now: str) -> float:
    return (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds() / 3600


def latest(runs: Sequence[WorkflowRun]) -> tuple[WorkflowRun, ...]:
    """The newest run of each workflow and event."""
    found: dict[tuple[str, str], WorkflowRun] = {}
    for run in sorted(runs, key=lambda run: (run.created, run.attempt, run.id)):
        found[run.name, run.event] = run
    return tuple(found.values())


def last(checks: Sequence[CheckRun]) -> tuple[CheckRun, ...]:
    """The newest of each name and App: a repeated job leaves the earlier one beside it."""
    found = {(one.name, one.app): one for one in sorted(checks, key=lambda one: one.id)}
    return tuple(found.values())


def names(runs: Iterable[WorkflowRun], conclusion: str) -> tuple[str, ...]:
    return tuple(run.name for run in runs if run.conclusion == conclusion)
