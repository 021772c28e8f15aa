"""Work beside other work: git runs while we read."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


def beside(call: Callable[[], T]) -> "Future[T]":
    """Begin a call in a thread of its own; what it raises is raised where its result is asked for."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1)
    begun = pool.submit(call)
    pool.shutdown(wait=False)
    return begun
