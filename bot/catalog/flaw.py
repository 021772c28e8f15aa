"""What is wrong with one file of a patch folder: where, why, and what to do."""

from pathlib import Path

from bot.errors import BotError
from bot.model import Value


class Flaw(Value, frozen=True, kw_only=True):
    """`file` is a path below the patch's folder; `line` is 1-based, and 1 where the whole file is meant."""

    file: str
    line: int
    why: str
    hint: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.file} line {self.line}: {self.why}"


class FlawError(BotError):
    """The first flaw of a patch folder, for a command that cannot go on with it."""

    def __init__(self, place: Path, flaw: Flaw) -> None:
        super().__init__(f"{place / flaw.file} line {flaw.line}: {flaw.why}", flaw.hint)
        self.flaw = flaw
