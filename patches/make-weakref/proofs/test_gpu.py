"""The defect on a real device, nothing faked: the engine's own refusal, and a layer whose capture meets it.

Each test has a process of its own that ends with it: nothing is torn down, so no later error hides the first.
"""

from collections.abc import Callable
from importlib import metadata

import pytest
import torch
from megatron.core import parallel_state
from megatron.core.fusions.fused_bias_dropout import get_bias_dropout_add
from megatron.core.models.gpt.moe_module_specs import get_moe_module_spec
from megatron.core.tensor_parallel.random import model_parallel_cuda_manual_seed
from megatron.core.transformer import cuda_graphs
from megatron.core.transformer.enums import CudaGraphModule
from megatron.core.transformer.torch_norm import WrappedTorchNorm
from megatron.core.transformer.transformer_config import TransformerConfig
from megatron.core.transformer.transformer_layer import MoETransformerLayer, TransformerLayerSubmodules

TOKENS, BATCH, WIDTH, EXPERTS = 8, 2, 64, 4


@pytest.fixture
def asked(fault, rank, note: Callable[[str], None]) -> list[torch.dtype]:
    """The dtypes that the real engine is asked to represent, as the test goes on."""
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    if not cuda_graphs.HAVE_TE_GRAPHS:
        pytest.skip("no Transformer Engine with CUDA kernels")
    torch.cuda.set_device(rank % torch.cuda.device_count())
    note(f"transformer-engine {metadata.version('transformer-engine')} on {torch.cuda.get_device_name()}")
    real, dtypes = cuda_graphs.make_weak_ref, []

    def ask(tensor: torch.Tensor) -> torch.Tensor:
        dtypes.append(tensor.dtype)
        return real(tensor)

    fault.replaces(cuda_graphs, "make_weak_ref", ask)  # no fault: it counts, and fails what never came here
    return dtypes


def test_a_tensor_of_the_device_comes_back(asked, warnings_logged, rank):
    tensor = torch.arange(4, dtype=torch.float64, device="cuda")
    tensor.is_from_global_mempool = True
    values, address = tensor.clone(), tensor.data_ptr()

    result = cuda_graphs.make_weakref(tensor)

    assert asked == [torch.float64]
    assert result is tensor
    assert tensor.data_ptr() == address
    assert torch.equal(tensor, values)
    assert len(warnings_logged) == (1 if rank == 0 else 0)
    assert all("torch.float64" in text for text in warnings_logged)


@pytest.fixture
def parallel(asked) -> None:  # noqa: ARG001 (its skips come first)
    """Megatron's process groups on the joined group, and random states that a CUDA graph can hold."""
    parallel_state.initialize_model_parallel()
    model_parallel_cuda_manual_seed(20260702, te_rng_tracker=True, force_reset_rng=True)


def moe_layer(**graphs: object) -> MoETransformerLayer:
    """A layer of experts alone, with a router in double precision and without any randomness."""
    config = TransformerConfig(
        num_layers=1,
        hidden_size=WIDTH,
        num_attention_heads=4,
        num_moe_experts=EXPERTS,
        moe_router_topk=2,
        moe_router_dtype="fp64",
        moe_router_load_balancing_type="none",
        moe_token_dispatcher_type="allgather",  # noqa: S106 (no password; its part of the router's graph never waits for the host)
        add_bias_linear=False,
        hidden_dropout=0.0,
        **graphs,
    )
    submodules = TransformerLayerSubmodules(
        pre_mlp_layernorm=WrappedTorchNorm,
        mlp=get_moe_module_spec(use_te=False, num_experts=EXPERTS),
        mlp_bda=get_bias_dropout_add,
    )
    return MoETransformerLayer(config, submodules).cuda()


def tokens() -> torch.Tensor:
    return torch.randn(TOKENS, BATCH, WIDTH, device="cuda")


def there_and_back(layer: MoETransformerLayer, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Output and gradient of the input after one forward and one backward pass."""
    leaf = hidden.clone().requires_grad_()
    torch.cuda.synchronize()  # capture and replay have streams of their own
    output, _ = layer(hidden_states=leaf, attention_mask=None)
    output.square().sum().backward()
    torch.cuda.synchronize()
    return output.detach().clone(), leaf.grad.clone()


@pytest.mark.usefixtures("parallel")
def test_a_captured_router_in_double_precision_replays_like_eager(asked, warnings_logged, rank):
    eager = moe_layer()
    captured = moe_layer(cuda_graph_impl="local", cuda_graph_modules=[CudaGraphModule.moe_router])
    captured.load_state_dict(eager.state_dict())
    for parameter in captured.parameters():
        parameter.main_grad = torch.zeros_like(parameter)  # where a captured backward pass adds to
    there_and_back(captured, tokens())  # runs eagerly and records what to capture
    captured.zero_grad(set_to_none=True)

    cuda_graphs.create_cudagraphs()

    assert torch.float64 in asked
    assert any("torch.float64" in text for text in warnings_logged) == (rank == 0)
    for _ in range(2):
        hidden = tokens()
        eager.zero_grad(set_to_none=True)
        captured.mlp.router.weight.main_grad.zero_()
        torch.testing.assert_close(there_and_back(captured, hidden), there_and_back(eager, hidden))
        torch.testing.assert_close(captured.mlp.router.weight.main_grad, eager.mlp.router.weight.grad)
