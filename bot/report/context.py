"""What a report may know beside its evidence: words about the patch, and how to run it again."""

from bot.model import Value
from bot.model.patch import Rival


class Context(Value, frozen=True, kw_only=True):
    """`proposal` is a pull request of the upstream; `replay` one shell command, quoted by its maker."""

    title: str = ""
    proposal: int | None = None
    rivals: tuple[Rival, ...] = ()
    replay: str = ""
