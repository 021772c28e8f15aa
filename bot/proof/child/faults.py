"""The `fault` fixture: a fault where a name is looked up; hits are counted, and none fails the test."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

MISSING = object()


class FaultNotFired(Exception):  # noqa: N818 (it names what was seen, as pytest's own outcomes do)
    """A fault that the test asked for was never reached."""


class Fault:
    """A callable in place of another. `hits` counts the calls on which the fault fired."""

    def __init__(self, act: Callable[..., Any], calls: frozenset[int]) -> None:
        self.act = act
        self.calls = calls
        self.seen = 0
        self.hits = 0
        self.original: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.seen += 1
        if self.calls and self.seen not in self.calls:
            return self.original(*args, **kwargs)
        self.hits += 1
        return self.act(*args, **kwargs)


class Faults:
    """Puts faults in and takes them out again. Names that did not exist are created and removed."""

    def __init__(self) -> None:
        self.placed: list[Fault] = []
        self.undo: list[tuple[object, str, object]] = []

    def raises(
        self, owner: ModuleType | type, name: str, error: BaseException, *, calls: tuple[int, ...] = ()
    ) -> Fault:
        """`owner.name(…)` raises `error` on the given calls (counted from 1; none given: on every call)."""

        def act(*_args: Any, **_kwargs: Any) -> Any:
            raise error

        return self.replaces(owner, name, act, calls=calls)

    def replaces(
        self, owner: ModuleType | type, name: str, act: Callable[..., Any], *, calls: tuple[int, ...] = ()
    ) -> Fault:
        """`owner.name(…)` does `act` instead on the given calls; it must be reached at least once."""
        fault = Fault(act, frozenset(calls))
        fault.original = self.set(owner, name, fault)
        self.placed.append(fault)
        return fault

    def set(self, owner: object, name: str, value: object) -> object:
        """Set a plain attribute for this test, created when it is not there; returns the old value."""
        old = getattr(owner, name, MISSING)
        self.undo.append((owner, name, old))
        setattr(owner, name, value)
        return old

    @property
    def hits(self) -> int:
        return sum(fault.hits for fault in self.placed)

    def remove(self) -> None:
        for owner, name, old in reversed(self.undo):
            if old is MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, old)

    def check(self) -> None:
        """Raise FaultNotFired when a fault was placed and never reached."""
        if any(fault.hits == 0 for fault in self.placed):
            raise FaultNotFired("a fault was placed and never fired")


@pytest.fixture
def fault(request: pytest.FixtureRequest) -> Iterator[Faults]:
    """Faults of this test; see `Faults`."""
    faults = Faults()
    request.node.upstream_bot_faults = faults
    yield faults
    faults.remove()
    faults.check()
