"""A survey for a terminal: what needs somebody first, then the states, equal reasons together."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from bot.model import NOTHING_TO_CURE, PROVABLE, RivalRow, Row, State, Survey
from bot.report import sentences
from bot.report.escape import terminal

#: Names in one line; all are in the JSON.
MOST = 6
#: The order of the groups: what needs somebody first.
ORDER = tuple(
    sorted(State, key=lambda state: (state in NOTHING_TO_CURE, state in PROVABLE, list(State).index(state)))
)


def render(survey: Survey, console: Console) -> None:
    """Print the whole survey. Foreign text goes in as `Text`, never as markup."""
    name = terminal(f"{survey.patch} {survey.version} on {survey.upstream}", 200)
    console.print(Text(f"{name}: {targets(len(survey.rows))} in {survey.seconds:.2f} s", style="bold"))
    for one in survey.broken:
        told = f"the manifest expects {one.expect}, and it is {one.state}"
        console.print(Text(f"! {terminal(one.name, 100)}: {told}", style="red"), soft_wrap=True)
    for state in ORDER:
        rows = [row for row in survey.rows if row.state is state]
        for line in group(state, rows) if rows else ():
            console.print(line, soft_wrap=True)
    for line in others(survey.rivals) if survey.rivals is not None else ():
        console.print(line, soft_wrap=True)


def targets(count: int) -> str:
    return "1 target" if count == 1 else f"{count} targets"


def group(state: State, rows: Sequence[Row]) -> Iterator[Text]:
    """A heading, then one line for each reason with the names it holds for."""
    style = "dim" if state in NOTHING_TO_CURE else "green" if state in PROVABLE else "bold red"
    yield Text.assemble("\n", (f"{state} ({len(rows)})", style), (f"  {sentences.STATES[state]}", "dim"))
    by_reason = sorted(rows, key=reason)
    for told, same in groupby(by_reason, key=reason):
        names = [row.name for row in same]
        yield Text(f"  {listed(names)}: {told}")


def reason(row: Row) -> str:
    """Why, with the commit that did it and an overlay that changes the meaning."""
    told = row.detail or str(row.state)
    if row.blame and row.blame.commit[:12] not in told:
        number = f" (#{row.blame.number})" if row.blame.number else ""
        told += f"; since {row.blame.commit[:12]}{number} of {row.blame.date}"
    return terminal(f"{row.overlay}: {told}" if row.overlay else told, 500)


def listed(names: Sequence[str]) -> str:
    shown = ", ".join(terminal(name, 100) for name in names[:MOST])
    return f"{shown} and {len(names) - MOST} more (--json has all)" if len(names) > MOST else shown


def others(rivals: Sequence[RivalRow]) -> Iterator[Text]:
    """Other proposals with a change of the same lines, the first one first."""
    yield Text(f"\nrivals ({len(rivals)})", style="bold")
    for one in rivals:
        verdict = f"; {one.verdict}" if one.verdict else ""
        when = f" of {one.when}: {one.relation}" if one.when else ": "
        told = f"{terminal(one.ref, 100)}{when}{verdict}"
        yield Text(f"  {told}{'; ' if one.when and one.detail else ''}{terminal(one.detail)}")
