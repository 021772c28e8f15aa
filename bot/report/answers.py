"""Sentences about a command's way from the gate to the report: what was not carried out, and why."""

from collections.abc import Iterable

from bot.model import Verdict
from bot.model.plan import Verb
from bot.report import escape, sentences

#: How the name of each check run of ours begins.
CHECK = "upstream-bot: "
NOT_YET = "is read, and this version of the bot does not carry it out from a comment"
NO_EVIDENCE = "the run left no evidence, so nothing is said about this commit"
OTHER_PATCH = "the evidence is about another patch than the one that was planned"
OTHER_TARGET = "the evidence is not about the commit that was approved"
TOLD_BEFORE = "it was answered before"
LOCKED = "the conversation is locked, so only this summary tells it"


def not_carried_out(verbs: Iterable[Verb]) -> str:
    names = ", ".join(f"`{verb}`" for verb in verbs)
    return f"Nothing was started for {names}: that command {NOT_YET}."


def by_hand(patch: str, branches: Iterable[str]) -> str:
    """How a backport is made without us; the branches are names from the repository's own list."""
    to = [word for branch in branches for word in ("--to", branch)]
    command = escape.shell("upstream-bot", "backport", patch, *to)
    return f"From a command line it is done with:\n\n{escape.block(command)}"


def stopped(reason: str) -> str:
    """The reply when a later step finds that something differs from what was approved."""
    return f"Stopped: {reason}. Nothing but what was approved has been run."


def failed(reason: str) -> str:
    """`reason` is foreign: a run without rights wrote it."""
    return f"The run did not end with a verdict: {escape.inline(reason, 500)}."


def finished(patch: str, verdict: Verdict) -> str:
    return f"{sentences.mark(verdict)} {escape.inline(patch)}: `{verdict}`, {sentences.VERDICTS[verdict]}."


def carried(*, fine: bool) -> str:
    """For the run's summary; the reply has a row for each target."""
    return "carried to every target" if fine else "not carried everywhere; the reply says why"


def would(what: str, body: str = "") -> str:
    """A rehearsed write, for a terminal."""
    return f"would {escape.terminal(what, 200)}" + (f":\n{body}" if body else "")


def plain(patch: str, verdict: Verdict) -> str:
    """For an annotation, which is plain text."""
    return f"{escape.terminal(patch)}: {verdict}, {sentences.VERDICTS[verdict]}."
