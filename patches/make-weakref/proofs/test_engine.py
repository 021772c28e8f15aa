"""Transformer Engine's own refusal, without a GPU: its real `make_weak_ref` on what seems a CUDA tensor."""

import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from types import ModuleType

import pytest
import torch
from torch._subclasses import FakeTensorMode

ENGINE = "transformer_engine"
FILE = f"{ENGINE}/pytorch/utils.py"
#: The engine has no representation of these; it has one of float32, bfloat16 and a few more.
REFUSED = [torch.float64, torch.complex64, torch.uint8, torch.float8_e5m2]

# A fake tensor's address is zero; PyTorch says once that asking for it is unwise. The engine asks.
pytestmark = pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")


def package(name: str, **names: object) -> ModuleType:
    module = ModuleType(name)
    module.__path__ = []
    vars(module).update(names)
    return module


def stand_ins(folder: str) -> dict[str, ModuleType]:
    """Empty packages around the engine's file, with the two names that it takes from compiled parts."""
    stubs = [
        package(ENGINE),
        package(f"{ENGINE}.pytorch"),
        package(f"{ENGINE}.common", decode_cudnn_version=None),
        package(f"{ENGINE}.debug"),
        package(f"{ENGINE}.debug.pytorch"),
        package(f"{ENGINE}.debug.pytorch.debug_quantization", DebugQuantizedTensor=type(None)),
    ]
    stubs[1].__path__ = [folder]  # its small neighbour torch_version.py is real
    return {stub.__name__: stub for stub in stubs}


@contextmanager
def standing_in(stubs: dict[str, ModuleType]) -> Iterator[None]:
    """Let these be the engine's packages for a while; then put back what stood there before."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == ENGINE}
    sys.modules.update(stubs)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == ENGINE]:
            del sys.modules[name]
        sys.modules.update(kept)


@cache
def load() -> tuple[ModuleType, str]:
    """The installed engine's utils.py, run from its file; and which bytes ran and what was stubbed."""
    distribution = metadata.distribution("transformer-engine")
    file = distribution.locate_file(FILE)
    stubs = stand_ins(str(file.parent))
    spec = importlib.util.spec_from_file_location(f"{ENGINE}.pytorch.utils", file)
    module = importlib.util.module_from_spec(spec)
    with standing_in(stubs):
        spec.loader.exec_module(module)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return module, f"{FILE} of {distribution.version} sha256 {digest}; stubs: {', '.join(stubs)}"


@pytest.fixture
def engine(note: Callable[[str], None]) -> ModuleType:
    """The engine's real utils.py, its own for each test's process; what it is stands in the evidence."""
    module, told = load()
    note(told)
    return module


def cuda_like(dtype: torch.dtype) -> torch.Tensor:
    """A tensor that says it is on CUDA, has no storage, and is marked as the graph memory pool's."""
    with FakeTensorMode():
        tensor = torch.empty(4, dtype=dtype, device="cuda")
    tensor.is_from_global_mempool = True
    return tensor


@pytest.mark.parametrize("dtype", REFUSED, ids=str)
def test_the_engines_own_refusal_gives_the_tensor_back(graphs, fault, engine, warnings_logged, rank, dtype):
    tensor = cuda_like(dtype)
    fault.replaces(graphs, "make_weak_ref", engine.make_weak_ref)

    result = graphs.make_weakref(tensor)

    assert result is tensor
    assert len(warnings_logged) == (1 if rank == 0 else 0)
    assert all(str(dtype) in text for text in warnings_logged)


def complaint(engine: ModuleType, dtype: torch.dtype) -> str:
    try:
        engine.make_weak_ref(cuda_like(dtype))
    except RuntimeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("dtype", REFUSED, ids=str)
def test_the_engine_itself_refuses_the_dtype(engine, dtype):
    assert cuda_like(dtype).is_cuda
    assert "Could not infer dtype of _WeakRefTensor" in complaint(engine, dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_the_engine_accepts_other_dtypes(engine, dtype):
    """With a device nothing is left to complain of; without one PyTorch fails later, for want of it."""
    assert "dtype" not in complaint(engine, dtype)
