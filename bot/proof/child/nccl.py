"""Launcher `torchrun`, seen from a rank: the group that torchrun describes, NCCL where there are GPUs."""

import os
from datetime import timedelta

from bot.proof.child.gloo import PATIENCE


def join(rank: int, world: int, _store: str) -> None:
    import torch
    from torch import distributed

    device = torch.cuda.is_available()
    if device:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    patience = timedelta(seconds=PATIENCE)
    backend = "nccl" if device else "gloo"
    distributed.init_process_group(backend, rank=rank, world_size=world, timeout=patience)
