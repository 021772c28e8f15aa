"""What every test of this patch needs: the module as with Transformer Engine, and a tensor of the pool."""

import logging
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
import torch
from megatron.core.transformer import cuda_graphs


@pytest.fixture
def graphs(fault) -> ModuleType:
    """The module under test, told that Transformer Engine's graphs are there."""
    fault.set(cuda_graphs, "HAVE_TE_GRAPHS", True)
    return cuda_graphs


@pytest.fixture
def pooled() -> Callable[[torch.dtype], torch.Tensor]:
    """Makes a tensor that is marked as the graph memory pool's."""

    def make(dtype: torch.dtype = torch.float64) -> torch.Tensor:
        tensor = torch.arange(4).to(dtype)
        tensor.is_from_global_mempool = True
        return tensor

    return make


class Warnings(logging.Handler):
    """Keeps the text of every warning that the module logs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@pytest.fixture
def warnings_logged() -> Iterator[list[str]]:
    """The warnings that the module has logged so far, as text."""
    handler = Warnings()
    logger = logging.getLogger(cuda_graphs.__name__)
    logger.addHandler(handler)
    logger.disabled = False
    logger.setLevel(logging.WARNING)
    yield handler.texts
    logger.removeHandler(handler)
