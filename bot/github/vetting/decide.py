"""Where a pull request stands in upstream's process: a pure function of what the API showed."""

import re

from bot.github.vetting import approvals, testing
from bot.github.vetting.testing import Judged
from bot.model.hub import WorkflowRun
from bot.model.vetting import Approval, Seen, Stage, Standing, Turn
from bot.report import requests

#: The label that carries a merged change to a release: the whole word, not a part of one.
RELEASE = re.compile(r"core_r\d+\.\d+\.\d+")
#: Branches from which upstream copies one main branch to the other.
COPIES = ("main2dev/", "copy-pr-")
COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
TURNS = {
    Stage.UNKNOWN: Turn.NOBODY,
    Stage.DRAFT: Turn.CONTRIBUTOR,
    Stage.NEEDS_VETTING: Turn.VETTER,
    Stage.VETTED_OLDER: Turn.VETTER,
    Stage.ACCEPTED: Turn.UPSTREAM,
    Stage.RUN_APPROVAL: Turn.UPSTREAM,
    Stage.VETTED: Turn.UPSTREAM,
    Stage.RUNNING: Turn.UPSTREAM,
    Stage.POLICY: Turn.UPSTREAM,
    Stage.QUEUED: Turn.UPSTREAM,
    Stage.QUEUED_LONG: Turn.UPSTREAM,
    Stage.TESTED: Turn.UPSTREAM,
    Stage.NO_EVIDENCE: Turn.UPSTREAM,
    Stage.FAILED: Turn.CONTRIBUTOR,
    Stage.SUPERSEDED: Turn.UPSTREAM,
    Stage.IN_REVIEW: Turn.UPSTREAM,
    Stage.APPROVED: Turn.UPSTREAM,
    Stage.MERGE_QUEUE: Turn.NOBODY,
    Stage.MERGED: Turn.NOBODY,
    Stage.RELEASE_MISSING: Turn.CONTRIBUTOR,
    Stage.RELEASED: Turn.NOBODY,
    Stage.SYNCING: Turn.CONTRIBUTOR,
    Stage.STALE: Turn.CONTRIBUTOR,
    Stage.CLOSED: Turn.NOBODY,
}
#: Stages in which nothing but a vetter's word moves this head on.
ASKING = frozenset({Stage.NEEDS_VETTING, Stage.VETTED_OLDER, Stage.STALE})


def decide(seen: Seen) -> Standing:
    """One stage, first match wins; the sentence and the request follow from it."""
    read = approvals.read(seen)
    judged = place(seen, read)
    older = older_results(seen) if judged.stage in ASKING else None
    head = seen.pull.head.commit
    asking = judged.stage in ASKING and seen.mirror != head and COMMIT.fullmatch(head)
    return Standing(
        stage=judged.stage,
        turn=TURNS[judged.stage],
        next=requests.next_step(judged.stage, judged.detail),
        request=requests.request(head) if asking else None,
        approvals=read,
        head=head,
        vetted_head=seen.mirror,
        base=seen.pull.base.commit,
        merge=seen.pull.merge_commit,
        detail=judged.detail,
        waiting_hours=judged.hours,
        older=older,
        untold=seen.untold,
    )


def place(seen: Seen, read: tuple[Approval, ...]) -> Judged:
    pull = seen.pull
    if pull.merged:
        return merged(seen)
    if not pull.open or seen.queued_merge:
        return Judged(stage=Stage.MERGE_QUEUE if pull.open else Stage.CLOSED)
    if seen.vetting.mirror_ref and "mirror" in seen.untold:
        return Judged(stage=Stage.UNKNOWN, detail=seen.untold)
    vetted = seen.mirror == pull.head.commit or not seen.vetting.mirror_ref
    if pull.draft and not vetted:
        return Judged(stage=Stage.DRAFT)
    if "stale" in labels(seen):
        return Judged(stage=Stage.STALE)
    return tested(seen) if vetted else unvetted(seen, read)


def labels(seen: Seen) -> frozenset[str]:
    return frozenset(label.casefold() for label in seen.pull.labels)


def merged(seen: Seen) -> Judged:
    """After the merge: to releases by label, and to the other main branch by a copy."""
    number, heads = seen.pull.number, {one.head.branch for one in seen.carried}
    wanted = [label for label in seen.pull.labels if RELEASE.fullmatch(label)]
    missing = tuple(label for label in wanted if f"cherry-pick-{number}-{label}" not in heads)
    if missing and "carried" not in seen.untold:
        return Judged(stage=Stage.RELEASE_MISSING, detail=missing)
    copies = tuple(one.head.branch for one in seen.carried if one.open and one.head.branch.startswith(COPIES))
    if copies:
        return Judged(stage=Stage.SYNCING, detail=copies)
    if wanted and not missing:
        return Judged(stage=Stage.RELEASED, detail=tuple(wanted))
    return Judged(stage=Stage.MERGED)


def unvetted(seen: Seen, read: tuple[Approval, ...]) -> Judged:
    """The head is not on the mirror: its own results cannot exist, whatever other runs say."""
    gated = seen.mirror is not None or approvals.asks_for_vetting(seen.comments)
    held = testing.names(of_head(seen), "action_required")
    silent = not of_head(seen) and "runs" not in seen.untold
    if not gated and (held or silent):
        return Judged(stage=Stage.RUN_APPROVAL, detail=held)
    if any(one.uncounted is None for one in read):
        return Judged(stage=Stage.ACCEPTED)
    if seen.mirror is not None:
        return Judged(stage=Stage.VETTED_OLDER, detail=(seen.mirror,))
    return Judged(stage=Stage.NEEDS_VETTING)


def tested(seen: Seen) -> Judged:
    """The head is vetted: what upstream's runners said of it, then what reviewers did."""
    judged = testing.judge(seen.checks, of_mirror(seen), seen.now)
    nothing = judged.stage is Stage.VETTED
    if nothing and not seen.vetting.mirror_ref and "runs" not in seen.untold:
        return Judged(stage=Stage.RUN_APPROVAL)
    if judged.stage is not Stage.TESTED:
        return judged
    if "approved" in labels(seen):
        return Judged(stage=Stage.APPROVED, detail=judged.detail)
    if "final review" in labels(seen):
        return Judged(stage=Stage.IN_REVIEW, detail=judged.detail)
    return judged


def older_results(seen: Seen) -> Stage | None:
    """What the checks said of the commit that was vetted before; never a result of the head."""
    if seen.mirror is None or seen.mirror == seen.pull.head.commit or not seen.older_checks:
        return None
    runs = [run for run in seen.runs if run.commit == seen.mirror]
    return testing.judge(seen.older_checks, runs, seen.now).stage


def of_head(seen: Seen) -> list[WorkflowRun]:
    return [run for run in seen.runs if run.commit == seen.pull.head.commit]


def of_mirror(seen: Seen) -> list[WorkflowRun]:
    """Runs of the head that upstream's gate started; without a gate, all of the head."""
    name = mirror_name(seen)
    return [run for run in of_head(seen) if not name or run.branch == name]


def mirror_name(seen: Seen) -> str:
    return seen.vetting.mirror_ref.replace("{number}", str(seen.pull.number))
