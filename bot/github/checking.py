"""The check run of a verdict, where our token may make one; its annotations are at the changed lines."""

from collections.abc import Iterator

from bot.github.desk import Desk
from bot.github.port import Refusal
from bot.model import Patch, TargetEvidence, Verdict
from bot.model.hub import Annotation, Comment, Why
from bot.report import answers

#: Neither green nor red: nothing was judged.
NEUTRAL = frozenset({Verdict.NOT_RUN, Verdict.NOT_APPLICABLE, Verdict.CURED_UNCONTROLLED})
#: Without these rights the comment says all there is to say.
SPARED = frozenset({Why.FORBIDDEN, Why.MISSING, Why.INVALID})


def conclusion(verdict: Verdict) -> str:
    if verdict is Verdict.PROVEN:
        return "success"
    return "neutral" if verdict in NEUTRAL else "failure"


def check(desk: Desk, patch: Patch, target: TargetEvidence, report: Comment | None) -> bool:
    """Whether GitHub took it. The same head and patch are one check run, however often it is told."""
    head = target.head or ""
    summary = answers.finished(patch.id, target.verdict)
    if report and report.url.isascii() and report.url.startswith(("https://", "http://")):
        summary = f"{summary}\n\n{report.url}"
    try:
        started = desk.hub.start_check(desk.repo, head, f"{answers.CHECK}{patch.id}", f"{patch.id}:{head}")
        ended = conclusion(target.verdict)
        desk.hub.finish_check(desk.repo, started, ended, summary, tuple(annotations(patch, target)))
    except Refusal as refusal:
        if refusal.why not in SPARED:
            raise
        return False
    return True


def annotations(patch: Patch, target: TargetEvidence) -> Iterator[Annotation]:
    """One for each hunk of the patch's version, where the proposal is that version."""
    if "its diff is the patch's" not in target.reason:
        return
    level = {"success": "notice", "neutral": "notice"}.get(conclusion(target.verdict), "warning")
    changes = next(iter(patch.variants.values()), ())
    for change in changes:
        for hunk in change.hunks:
            first = max(hunk.new_start, 1)
            yield Annotation(
                path=change.path,
                first_line=first,
                last_line=first + max(hunk.new_count - 1, 0),
                level=level,
                title=f"{patch.id} {patch.version.id}: {target.verdict}",
                message=answers.plain(patch.id, target.verdict),
            )
