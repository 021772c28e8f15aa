"""The one error that people see: a sentence, a hint and an exit code."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of every command (DESIGN 5)."""

    OK = 0
    RED = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


class BotError(Exception):
    """We must stop, and the reader can act: one clear sentence and a hint."""

    def __init__(self, message: str, hint: str = "", code: Exit = Exit.USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


def nearest(name: str, known: list[str], count: int = 3) -> str:
    """`a, b, c`: the known names nearest to a mistyped one, for a hint; empty when none is near."""
    from difflib import get_close_matches

    return ", ".join(get_close_matches(name, known, n=count, cutoff=0.5))
