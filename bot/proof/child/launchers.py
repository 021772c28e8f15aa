"""How a test gets its ranks: one row per launcher."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.proof.child import fake, gloo, nccl


@dataclass(frozen=True, kw_only=True)
class Launcher:
    """`warm` is done once in the warm parent; `join(rank, world, store)` makes this process that rank.

    `store` is a path that all ranks of one run share and that does not exist yet. With `fresh`, torchrun
    starts the ranks; without, they are forks of the sibling.
    """

    warm: Callable[[], None]
    join: Callable[[int, int, str], None]
    fresh: bool = False


LAUNCHERS = {
    "fake": Launcher(warm=fake.warm, join=fake.join),
    "gloo": Launcher(warm=gloo.warm, join=gloo.join),
    "torchrun": Launcher(warm=gloo.warm, join=nccl.join, fresh=True),
}
