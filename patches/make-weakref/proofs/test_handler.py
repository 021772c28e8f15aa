"""The defect: the handler that promises a strong reference must give the tensor back and warn once."""

import pytest
import torch


@pytest.mark.parametrize("inplace", [True, False])
def test_the_same_tensor_comes_back(graphs, fault, pooled, warnings_logged, rank, inplace):
    tensor = pooled(torch.float64)
    values, address = tensor.clone(), tensor.data_ptr()
    fault.raises(graphs, "make_weak_ref", RuntimeError("no representation of this dtype"))

    result = graphs.make_weakref(tensor, inplace=inplace)

    assert result is tensor
    assert tensor.data_ptr() == address
    assert torch.equal(tensor, values)
    assert len(warnings_logged) == (1 if rank == 0 else 0)
    assert all("torch.float64" in text for text in warnings_logged)
