"""Progress on stderr, and only where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Show = Callable[[int, int, str], None]


def ignore(_done: int, _total: int, _what: str) -> None:
    """Show nothing."""


@contextmanager
def shown() -> Iterator[Show]:
    """Yield a function (done, total, what) that redraws one line; a total of 0 means that it is not known."""
    if not sys.stderr.isatty():
        yield ignore
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        SpinnerColumn(),
        TimeElapsedColumn(),
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, text: bar.update(
            task, completed=done, total=total or None, description=text
        )
