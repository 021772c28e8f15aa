"""How a test gets its ranks: one row per launcher."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.proof.child import fake


@dataclass(frozen=True, kw_only=True)
class Launcher:
    """`warm` is done once in the warm parent; `join` makes this process that rank of that world."""

    warm: Callable[[], None]
    join: Callable[[int, int], None]


LAUNCHERS = {"fake": Launcher(warm=fake.warm, join=fake.join)}
