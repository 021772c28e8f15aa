"""What the bot says about vetting: whose turn it is, what a vetter is asked, and the one mention."""

import re

from bot.model.vetting import Approval, Stage, Uncounted
from bot.report.escape import code, inline

#: A person or a team as GitHub mentions it, and nothing beside it.
MENTION = re.compile(r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:/[A-Za-z0-9._-]{1,100})?")
#: Names of checks or labels that one sentence holds.
FEW = 8

STEPS = {
    Stage.UNKNOWN: "GitHub did not say whether this head is vetted; the bot looks again. "
    "It is nobody's turn until then.",
    Stage.DRAFT: "This is a draft, and drafts are not asked to be vetted. "
    "It is the contributor's turn to mark it as ready for review.",
    Stage.NEEDS_VETTING: "Upstream's runners have not been allowed to test this commit. "
    "It is a vetter's turn.",
    Stage.VETTED_OLDER: "An older commit was vetted, and the head has moved since: "
    "approvals and results of that commit do not count for this one. It is a vetter's turn.",
    Stage.ACCEPTED: "A vetter approved this commit, and the mirror branch does not show it yet. "
    "It is the turn of upstream's gate; nobody has to do anything.",
    Stage.RUN_APPROVAL: "No workflow has run on this commit: a maintainer must approve the run. "
    "It is the turn of a maintainer of upstream.",
    Stage.VETTED: "This commit is vetted, and no workflow has started yet. "
    "It is the turn of upstream's runners.",
    Stage.RUNNING: "This commit is vetted, and upstream's checks are running. "
    "It is the turn of upstream's runners.",
    Stage.POLICY: "A rule about who may run or how commits are signed declined this commit; "
    "that is policy, and no test failed. It is the turn of a maintainer of upstream.",
    Stage.QUEUED: "This commit is vetted and waits in upstream's queue for outside pull requests, "
    "where hours are normal. It is the turn of upstream's runners.",
    Stage.QUEUED_LONG: "This commit is vetted and waits in upstream's queue for longer than is normal. "
    "It is the turn of a maintainer of upstream to look at the queue.",
    Stage.TESTED: "Upstream's tests ran on this commit and passed. It is the reviewers' turn.",
    Stage.NO_EVIDENCE: "Upstream's checks are green, but its tests did not run: "
    "that is no evidence about this commit. It is the turn of a maintainer of upstream to run them.",
    Stage.FAILED: "Upstream's checks failed on this commit. It is the contributor's turn to look at them.",
    Stage.SUPERSEDED: "Upstream's jobs were cancelled by a newer push or run: "
    "superseded, and no test failed. It is the turn of a maintainer of upstream to run them again.",
    Stage.IN_REVIEW: "Upstream's tests passed, and the final review has begun. It is the reviewers' turn.",
    Stage.APPROVED: "Upstream's tests passed, and the change is approved. "
    "It is a maintainer's turn to merge it.",
    Stage.MERGE_QUEUE: "The change is in the merge queue, under a commit of the queue's own. "
    "It is nobody's turn.",
    Stage.MERGED: "The change is merged. It is nobody's turn.",
    Stage.RELEASE_MISSING: "The change is merged and labelled for a release, and no pull request "
    "to that release is there. It is the contributor's turn to backport it.",
    Stage.RELEASED: "The change is merged, and there is a pull request to each release that it is labelled "
    "for. It is nobody's turn.",
    Stage.SYNCING: "The change is merged and is being copied to the other main branch. "
    "It is the contributor's turn to look afterwards whether its lines are still there.",
    Stage.STALE: "Upstream's bot calls this pull request stale and will close it. "
    "It is the contributor's turn to say that it is still wanted.",
    Stage.CLOSED: "This pull request is closed without a merge. It is nobody's turn.",
}
OLDER = {
    Stage.TESTED: "its tests ran and passed",
    Stage.FAILED: "its checks failed",
    Stage.POLICY: "a rule declined it, and no test failed",
    Stage.NO_EVIDENCE: "its checks are green, but its tests did not run",
    Stage.SUPERSEDED: "its jobs were cancelled by a newer push: superseded, not failed",
    Stage.RUNNING: "its checks are still running",
    Stage.QUEUED: "its checks wait in the queue",
    Stage.QUEUED_LONG: "its checks wait in the queue",
    Stage.RUN_APPROVAL: "a maintainer had to approve its run",
    Stage.VETTED: "nothing had started",
}
REASONS = {
    Uncounted.OTHER_COMMAND: "those words are another bot's command",
    Uncounted.NO_COMMIT: "it names no commit",
    Uncounted.NOT_A_COMMIT: "what it names is no commit id",
    Uncounted.MORE_TEXT: "the command must be the whole comment",
    Uncounted.CODE: "the command stands in code type",
    Uncounted.QUOTED: "the command stands in a quote",
    Uncounted.TWO_COMMITS: "the link's text and its address name two commits",
    Uncounted.OLDER_COMMIT: "it names another commit than this head",
    Uncounted.NO_REACTION: "upstream's gate did not answer it, so it is not a vetter's, or was not read yet",
    Uncounted.UNSEEN_REACTION: "GitHub did not tell whether upstream's gate answered it",
}


def next_step(stage: Stage, detail: tuple[str, ...]) -> str:
    """One line: what is the matter, and whose turn it is. `detail` is foreign text."""
    names = f" Named: {', '.join(map(code, detail[:FEW]))}." if detail else ""
    return f"{STEPS[stage]}{names}"


def older_results(stage: Stage | None, commit: str | None) -> str:
    """The results of the commit that was vetted before, and that they are not the head's."""
    if stage is None or commit is None:
        return ""
    return f"Results for the older commit {code(commit)}: {OLDER.get(stage, str(stage))}."


def request(head: str) -> str:
    """What a vetter is asked: the whole command, in mid-sentence. The bot itself never vets."""
    return (
        "Request to a vetter: if you agree with what is listed under “What you would be vetting”, "
        f"write `/ok to test {head}` as a comment with nothing beside it. It covers exactly this commit; "
        "when the head moves, this request moves with it. This bot never vets."
    )


def uncounted(approval: Approval) -> str:
    """Why a comment that looks like an approval does not count."""
    if approval.uncounted is None:
        return f"{inline(approval.author, 60)} approved {code(approval.commit)}: counted."
    named = f" of {code(approval.commit)}" if approval.commit else ""
    reason = REASONS[approval.uncounted]
    return f"What {inline(approval.author, 60)} wrote as an approval{named} is not counted: {reason}."


def mention(ask: str, number: int, head: str) -> str:
    """The text of the one mention; `ask` stands in it as the manifest has it."""
    return (
        f"{ask}, pull request {number} waits for a vetter: its head is {code(head)}. "
        "What you would be vetting, and the command for exactly this commit, "
        "are in this account's report above. "
        "A bot writes this for the owner of its account, once for each head, and never vets."
    )
