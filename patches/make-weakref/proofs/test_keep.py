"""What is right and must stay right: no cure may change these."""

from contextlib import suppress
from types import SimpleNamespace

import pytest
import torch


@pytest.mark.parametrize("asked", [{"inplace": True}, {}], ids=["asked", "by default"])
def test_in_place_the_tensor_holds_the_weak_reference(graphs, fault, pooled, warnings_logged, asked):
    tensor, weak = pooled(torch.float32), torch.ones(4)
    fault.replaces(graphs, "make_weak_ref", lambda _: weak)

    result = graphs.make_weakref(tensor, **asked)

    assert result is tensor
    assert tensor.data_ptr() == weak.data_ptr()
    assert warnings_logged == []


def test_not_in_place_the_weak_reference_itself_comes_back(graphs, fault, pooled, warnings_logged):
    tensor, weak = pooled(torch.float32), torch.ones(4)
    address = tensor.data_ptr()
    fault.replaces(graphs, "make_weak_ref", lambda _: weak)

    result = graphs.make_weakref(tensor, inplace=False)

    assert result is weak
    assert tensor.data_ptr() == address
    assert warnings_logged == []


def must_not_be_asked(_):
    raise AssertionError("make_weak_ref was called")


MARKED = SimpleNamespace(is_from_global_mempool=True)


@pytest.mark.parametrize(
    "value", [None, 3, "text", (1, 2), {"key": []}, MARKED], ids=lambda value: type(value).__name__
)
def test_a_non_tensor_passes_untouched(graphs, fault, value):
    fault.set(graphs, "make_weak_ref", must_not_be_asked)

    assert graphs.make_weakref(value) is value


def test_a_tensor_outside_the_pool_passes_untouched(graphs, fault):
    plain, denied = torch.ones(2), torch.ones(2)
    denied.is_from_global_mempool = False
    fault.set(graphs, "make_weak_ref", must_not_be_asked)

    assert graphs.make_weakref(plain) is plain
    assert graphs.make_weakref(denied) is denied


def test_without_transformer_engine_a_pooled_tensor_passes_untouched(graphs, fault, pooled):
    tensor = pooled(torch.float32)
    fault.set(graphs, "HAVE_TE_GRAPHS", False)
    fault.set(graphs, "make_weak_ref", must_not_be_asked)

    assert graphs.make_weakref(tensor) is tensor


@pytest.mark.parametrize("inplace", [True, False])
def test_a_value_error_escapes(graphs, fault, pooled, inplace):
    fault.raises(graphs, "make_weak_ref", ValueError("not about dtypes"))

    with pytest.raises(ValueError, match="not about dtypes"):
        graphs.make_weakref(pooled(torch.float32), inplace=inplace)


@pytest.mark.parametrize("inplace", [True, False])
def test_a_keyboard_interrupt_escapes(graphs, fault, pooled, inplace):
    fault.raises(graphs, "make_weak_ref", KeyboardInterrupt())

    with pytest.raises(KeyboardInterrupt):
        graphs.make_weakref(pooled(torch.float32), inplace=inplace)


def refuse(graphs, fault, tensor) -> None:
    """Let the engine refuse one tensor. How the call ends is the probes' question, and the defect's."""

    def no_representation(_):
        raise RuntimeError("no representation of this dtype")

    fault.set(graphs, "make_weak_ref", no_representation)
    with suppress(BaseException):
        graphs.make_weakref(tensor)


def test_after_a_refusal_the_next_tensor_gets_its_weak_reference(graphs, fault, pooled):
    refuse(graphs, fault, pooled(torch.float64))
    tensor, weak = pooled(torch.float32), torch.ones(4)
    fault.replaces(graphs, "make_weak_ref", lambda _: weak)

    assert graphs.make_weakref(tensor, inplace=False) is weak


def test_a_refused_tensor_stays_marked_as_the_pools(graphs, fault, pooled):
    tensor = pooled(torch.float64)

    refuse(graphs, fault, tensor)

    assert tensor.is_from_global_mempool is True
