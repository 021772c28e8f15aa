"""What a mutation is: one place of the bot where a rule or a check is switched off."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """In `file`, `new` in place of `old`, which is there exactly once; some test of `tests` must then fail.

    `tests` are pytest's arguments: files or single tests.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def applied(self, text: str) -> str:
        """Return the file's text with the check switched off. Raises ValueError when it is not there."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} has the text {text.count(self.old)} times, not once")
        return text.replace(self.old, self.new)


def switched_off(file: str, *rows: tuple[str, str, str, str]) -> tuple[Mutation, ...]:
    """Mutations of one file from rows of (name, old text, new text, test)."""
    stem = file.removeprefix("bot/").removesuffix(".py").replace("/", ".")
    return tuple(
        Mutation(name=f"{stem}: {name}", file=file, old=old, new=new, tests=(test,))
        for name, old, new, test in rows
    )
