"""Where no merge need be tried: a clean one could give nothing but the strict application."""

from collections.abc import Sequence

from bot.model import Hunk
from bot.survey import apply, hunks
from bot.survey.hunks import Body, Run

Lines = list[bytes]


def settled(body: Body, changes: Sequence[Hunk], applied: apply.Applied) -> bool:
    """Whether every run of changes can be merged into one place only, which is where it went.

    A merge that is clean leaves each changed line of the base, with a line on either side, as neighbours in
    the text: git takes changes that touch for a conflict, unless both sides made the same one. Where the
    first run's lines stand together only once, they stand where the strict application found them. What
    follows in the hunk follows there: git moves what was inserted or deleted down, past lines that are equal
    (`xdl_change_compact` in git's xdiff).
    """
    return applied.data is not None and all(holds(body, hunk) for hunk in changes)


def holds(body: Body, hunk: Hunk) -> bool:
    old, runs = hunks.old_image(hunk), list(hunks.runs(hunk))
    first = runs[0]
    return places(body, [*before(first, old), *first.old, *after(first, old)]) == 1 and all(
        is_fixed(run, old) and not places(body, [*before(run, old), *run.new, *after(run, old)])
        for run in runs
    )


def is_fixed(run: Run, old: Lines) -> bool:
    """Whether git must see the run where the patch has it: lines that equal their neighbours let it slide."""
    changed = [list(lines) for lines in (run.old, run.new) if lines]
    return not any(lines[:1] == after(run, old) or lines[-1:] == before(run, old) for lines in changed)


def before(run: Run, old: Lines) -> Lines:
    """The unchanged line before a run, where there is one."""
    return old[: run.old_at][-1:]


def after(run: Run, old: Lines) -> Lines:
    return old[run.old_at + len(run.old) :][:1]


def places(body: Body, lines: Lines) -> int:
    """How often these lines stand together."""
    return sum(1 for _ in apply.occurrences(body, lines))
