"""The handler experiment of the first patch on one tree and one rank, as people would write it by hand.

Run as `python handler.py TREE RANK`; prints what came back or was raised.
"""

import sys
from typing import Any


def main(tree: str, rank: int) -> None:
    sys.modules["transformer_engine"] = None  # type: ignore[assignment]  # an import then says that it is absent
    sys.path.insert(0, tree)
    import torch
    from megatron.core.transformer import cuda_graphs  # type: ignore[import-not-found]
    from torch import distributed
    from torch.testing._internal.distributed.fake_pg import FakeStore

    def refuse(_tensor: object) -> None:
        raise RuntimeError("no dtype for this tensor")

    distributed.init_process_group("fake", store=FakeStore(), rank=rank, world_size=2)
    cuda_graphs.HAVE_TE_GRAPHS = True
    cuda_graphs.make_weak_ref = refuse
    tensor: Any = torch.zeros(4, dtype=torch.float64)
    tensor.is_from_global_mempool = True
    try:
        seen = "the same tensor" if cuda_graphs.make_weakref(tensor) is tensor else "another tensor"
    except NameError as error:  # an UnboundLocalError is one too
        seen = type(error).__name__
    sys.stdout.write(f"{seen}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
