"""Launcher `gloo`: real ranks, one forked process each, that find each other through a file."""

from datetime import timedelta

#: Seconds after which a collective gives up on ranks that never come.
PATIENCE = 20


def warm() -> None:
    """Import what `join` needs, so that forks find it there."""
    from torch import distributed  # noqa: F401 (an import is all that is wanted)


def join(rank: int, world: int, store: str) -> None:
    from torch import distributed

    file = distributed.FileStore(store, world)
    patience = timedelta(seconds=PATIENCE)
    distributed.init_process_group("gloo", store=file, rank=rank, world_size=world, timeout=patience)
    # Who is connected may still be awaited by others: one that fails fast must not leave them halfway.
    file.set(f"joined/{rank}", "")
    file.wait([f"joined/{other}" for other in range(world)], patience)
