"""The nouns of checking: what is asked for, one side of a target under one check, and what came out."""

import re
from pathlib import Path

from bot import git
from bot.model import Check, Subject, Value
from bot.proof.environments import Environment


class CheckOrder(Value, frozen=True, kw_only=True):
    """All that `run` needs: `deadline` is in seconds for one tool process; `fresh` ignores what is cached.

    The store must hold the touched files of both sides, and `settings.NAMES` of each before tree.
    """

    checks: tuple[Check, ...]
    environment: Environment
    store: git.Repo
    subjects: tuple[Subject, ...]
    cache: Path
    scratch: Path
    deadline: float = 120.0
    fresh: bool = False


class Side(Value, frozen=True, kw_only=True):
    """The touched files of one side, and upstream's settings beside them: bytes by path in the tree."""

    settings: dict[str, bytes]
    files: dict[str, bytes]


class Unit(Value, frozen=True, kw_only=True):
    """One side under one check; equal units have equal keys and are run once."""

    key: str
    check: Check
    side: Side


class Result(Value, frozen=True, kw_only=True):
    """What a check found, or why it found nothing out."""

    findings: tuple[str, ...] = ()
    reason: str = ""


class Batch(Value, frozen=True, kw_only=True):
    """Units that one process looks at. Unit `n` lies below `root/n`; the name of `root` cannot be guessed."""

    root: Path
    units: tuple[Unit, ...]

    @property
    def check(self) -> Check:
        return self.units[0].check

    @property
    def files(self) -> tuple[str, ...]:
        """Every file as an absolute path."""
        return tuple(
            f"{self.root}/{number}/{path}"
            for number, unit in enumerate(self.units)
            for path in unit.side.files
        )

    def locate(self, text: str) -> tuple[Unit, str] | None:
        """Tell whose file a tool's path means, and its path in the tree; tools may write it relative."""
        found = re.search(rf"{self.root.name}/(\d+)/(.+)", text)
        if not found or int(found[1]) >= len(self.units):
            return None
        unit = self.units[int(found[1])]
        return (unit, found[2]) if found[2] in unit.side.files else None
