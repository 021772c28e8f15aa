"""The report for a terminal: a coloured table, then before and after, rank by rank."""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.model import Evidence, TargetEvidence, TestRow, Verdict
from bot.report import rows, sentences
from bot.report.context import Context
from bot.report.escape import terminal

STYLES = {Verdict.PROVEN: "green", Verdict.NOT_APPLICABLE: "dim", Verdict.NOT_RUN: "yellow"}


def render(evidence: Evidence, console: Console, context: Context | None = None) -> None:
    """Print the whole report. Foreign text goes in as `Text`, never as markup."""
    context = context or Context()
    verdicts = [target.verdict for target in evidence.targets]
    name = terminal(f"{evidence.patch} {evidence.version}")
    console.print(Text(f"{name}: {sentences.summary(verdicts)}", style="bold"))
    if context.title:
        console.print(Text(terminal(context.title)))
    console.print(table(evidence))
    for target in evidence.targets:
        for line in details(target):
            console.print(line, soft_wrap=True)
    console.print(Text(f"evidence {terminal(evidence.id)}", style="dim"), soft_wrap=True)
    if context.replay:
        console.print(Text(f"again: {terminal(context.replay, 1_000)}", style="dim"), soft_wrap=True)


def table(evidence: Evidence) -> Table:
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("target", "state", "verdict", "probes", "keep", "time"):
        made.add_column(title, overflow="fold")
    for target in evidence.targets:
        made.add_row(*cells(target))
    return made


def cells(target: TargetEvidence) -> Iterator[Text]:
    style = STYLES.get(target.verdict, "bold red")
    yield Text(terminal(target.name, 100))
    yield Text(target.state)
    yield Text(f"{sentences.mark(target.verdict)} {target.verdict}", style=style)
    for tests in (target.probes, target.keep):
        good, total = rows.passing(tests)
        yield Text(f"{good}/{total}" if total else "")
    yield Text("cached" if target.cached else f"{rows.seconds(target):.1f} s")


def details(target: TargetEvidence) -> Iterator[Text]:
    """What was seen on one target; for a red one also why, in the rule's words and in plain ones."""
    style = STYLES.get(target.verdict, "bold red")
    yield Text.assemble("\n", (terminal(target.name, 100), "bold"), ": ", (target.verdict, style))
    yield Text(f"  {terminal(target.reason, 1_000)}")
    if target.verdict is not Verdict.PROVEN:
        yield Text(f"  {sentences.VERDICTS[target.verdict]}", style="dim")
    yield from changes("probe", target.probes)
    yield from changes("keep-test", target.keep)
    yield from changes("hazard", target.hazards)
    for control in target.controls:
        if not control.held:
            yield Text(f"  control failed: {terminal(f'{control.kind}: {control.what}')}", style="red")


def changes(word: str, tests: tuple[TestRow, ...]) -> Iterator[Text]:
    for line in rows.lines(tests):
        style = "" if line.passes or word == "hazard" else "red"
        told = terminal(f"{line.test} {line.ranks}: {line.change}")
        yield Text(f"  {word} {told}", style=style)
