"""Work beside other work: git runs while we read."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Beside(Generic[T]):
    """A call that was begun in a thread of its own; a pool's machinery takes longer to import than to use."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        self.made: list[T] = []
        self.failed: list[BaseException] = []
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self) -> None:
        try:
            self.made.append(self.call())
        except Exception as error:  # noqa: BLE001 (it is raised again where somebody waits for it)
            self.failed.append(error)

    def result(self) -> T:
        """Wait for the call; what it raised is raised here."""
        self.thread.join()
        if self.failed:
            raise self.failed[0]
        return self.made[0]
