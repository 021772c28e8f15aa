"""Compile what the proof's processes will import, while the warm parent imports what is no upstream's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot import proc
from bot.proof.engine import HARNESS, child_environment
from bot.proof.isolation import Level


@contextmanager
def started(roots: Sequence[Path], python: Path, level: Level) -> Iterator[None]:
    """Compile trees in the background until this ends; each file that is ready in time is not compiled again.

    Only where tests can't write beside the sources: what they could write there, the next would run.
    """
    if level is not Level.NAMESPACE:
        yield
        return
    argv: list[str | Path] = [python, "-I", HARNESS / "compile.py", *roots]
    process = proc.start(argv, env=child_environment(roots[0]))
    try:
        yield
    finally:
        proc.kill_group(process)
