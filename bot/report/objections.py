"""What a report must not hide: what did not run, and what speaks against the patch. Lines of Markdown."""

from collections.abc import Iterator

from bot.model import Evidence, Verdict
from bot.report import rows, sentences
from bot.report.context import Context
from bot.report.escape import code, inline

UNPROVEN = frozenset({Verdict.NOT_RUN, Verdict.NOT_APPLICABLE})


def gaps(evidence: Evidence) -> Iterator[str]:
    """What was not run, and why."""
    tested = [target for target in evidence.targets if rows.all_rows(target)]
    for target in evidence.targets:
        if target not in tested:
            yield f"{code(target.name)}: no test ran ({target.verdict}; {inline(target.reason)})."
    for target in tested:
        for (test, why), ranks in rows.left_out(rows.all_rows(target)).items():
            yield f"{code(target.name)}, {code(test)} {rows.span(ranks)}: {inline(why)}."
        for check in target.checks:
            if check.reason:
                yield f"{code(target.name)}, check {code(check.id)}: {inline(check.reason)}."
    uncontrolled = [code(target.name) for target in tested if not target.controls]
    if uncontrolled:
        yield f"{', '.join(uncontrolled)}: {sentences.NO_CONTROLS}."
    if tested and {row.launcher for target in tested for row in rows.all_rows(target)} == {"fake"}:
        yield sentences.NO_REAL_RANKS
    if tested and evidence.environment.get("device") != "gpu":
        yield sentences.NO_GPU


def against(evidence: Evidence, context: Context) -> Iterator[str]:
    """The strongest objections: hazards, findings, failed controls, rivals."""
    for line, names in rows.by_target(evidence.targets, lambda target: target.hazards).items():
        on = ", ".join(map(code, names))
        yield f"Hazard {code(line.test)} {line.ranks}: {inline(line.change)} ({on})."
    for target in evidence.targets:
        for check in target.checks:
            for finding in check.after:
                news = "" if finding in check.before else "new: "
                yield f"Check {code(check.id)} on {code(target.name)}, {news}{inline(finding)}"
        for control in target.controls:
            if not control.held:
                yield f"Control on {code(target.name)} failed: {inline(control.kind)}, {inline(control.what)}"
    for rival in context.rivals:
        note = f": {inline(rival.note)}" if rival.note else ""
        yield f"Rival: pull request {rival.pull_request} proposes a cure of the same defect{note}."
