"""Launcher `fake`: any rank of any world in one process; collectives return at once.

A patch that does not preload torch has no process group to join: its ranks are numbers only.
"""

import sys


def warm() -> None:
    """Import what `join` needs, so that forks find it there."""
    if "torch" in sys.modules:
        from torch.testing._internal.distributed import (
            fake_pg,  # noqa: F401 (importing registers the backend)
        )


def join(rank: int, world: int, _store: str) -> None:
    if "torch" not in sys.modules:
        return
    from torch import distributed
    from torch.testing._internal.distributed.fake_pg import FakeStore

    distributed.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world)
