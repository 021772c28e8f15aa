"""Behaviour beside the defect: what the patch does not address, declared for each side and rank."""

import torch
from torch import distributed


def test_without_a_process_group_the_tensor_comes_back(graphs, fault, pooled):
    distributed.destroy_process_group()
    tensor = pooled(torch.float64)
    fault.raises(graphs, "make_weak_ref", RuntimeError("no representation of this dtype"))

    assert graphs.make_weakref(tensor) is tensor


def test_a_failing_data_assignment_gives_the_tensor_back(graphs, fault, pooled):
    tensor = pooled(torch.float32).requires_grad_(requires_grad=True)  # then integers cannot be its data
    fault.replaces(graphs, "make_weak_ref", lambda _: torch.ones(4, dtype=torch.int32))

    result = graphs.make_weakref(tensor, inplace=True)

    assert result is tensor, f"another tensor came back, of dtype {result.dtype}"
