"""What a control is."""

from typing import Literal

from bot.model import Value


class Control(Value, frozen=True, kw_only=True):
    """One changed tree: `files` are whole texts by path, of every touched file that the tree holds.

    They stand in the place of the same paths of the before tree for a sham, of the after tree for the others.
    `what` says in plain words what is different.
    """

    kind: Literal["sham", "ablation", "mutant"]
    what: str
    files: dict[str, bytes]
