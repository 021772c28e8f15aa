"""The report for a terminal: a coloured table, then before and after, rank by rank."""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.model import Evidence, TargetEvidence, TestRow, Verdict
from bot.proof.checks import judging
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
    console.print(Text(f"\nevidence {terminal(evidence.id)}", style="dim"), soft_wrap=True)
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
    yield Text("cached" if target.cached else f"{rows.seconds(target):.0f} s")


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
    yield from checked(target)
    yield from controlled(target)


def checked(target: TargetEvidence) -> Iterator[Text]:
    """Every check: what is new, else how many findings there were."""
    for row in target.checks:
        new = judging.new(row)
        before = f"{len(row.before)} finding{'' if len(row.before) == 1 else 's'} before"
        told = row.reason or f"{before}, {len(row.after)} after, {len(new)} new"
        yield Text(f"  check {terminal(f'{row.id}: {told}')}", style="red" if new else "")


def controlled(target: TargetEvidence) -> Iterator[Text]:
    """How many controls of each kind held; each that did not by name."""
    for kind in dict.fromkeys(row.kind for row in target.controls):
        rows_of_kind = [row for row in target.controls if row.kind == kind]
        held = sum(row.held for row in rows_of_kind)
        yield Text(f"  control {terminal(kind)}: {held} of {len(rows_of_kind)} held")
    for row in target.controls:
        if not row.held:
            yield Text(f"  control failed: {terminal(f'{row.kind}: {row.what}')}", style="red")


def changes(word: str, tests: tuple[TestRow, ...]) -> Iterator[Text]:
    for line in rows.lines(tests):
        style = "" if line.passes or word == "hazard" else "red"
        told = terminal(f"{line.test} {line.ranks}: {line.change}")
        yield Text(f"  {word} {told}", style=style)
