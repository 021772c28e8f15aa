"""The defect among real processes: every rank of a joined group gets its tensor back and goes on."""

from datetime import timedelta

import torch
from torch import distributed

#: How long a rank waits for the others, which run the same few lines; one that died must not hold them up.
PATIENCE = timedelta(seconds=10)


def test_every_rank_keeps_its_tensor(graphs, fault, pooled, warnings_logged, rank, world):
    assert (distributed.get_rank(), distributed.get_world_size()) == (rank, world)
    tensor = pooled(torch.float64)
    values = tensor.clone()
    fault.raises(graphs, "make_weak_ref", RuntimeError("no representation of this dtype"))

    result = graphs.make_weakref(tensor)

    assert result is tensor
    assert torch.equal(tensor, values)
    assert len(warnings_logged) == (1 if rank == 0 else 0)
    assert all("torch.float64" in text for text in warnings_logged)
    distributed.monitored_barrier(timeout=PATIENCE)
