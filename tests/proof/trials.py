"""Try upstream code and tests of all kinds through the command line, and look at what came out."""

import re
import textwrap
from dataclasses import dataclass
from typing import Any

from tests.conftest import KEEP, Done, Workshop

Seen = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Tried:
    """One target's evidence, and the finished command that gave it."""

    target: dict[str, Any]
    done: Done

    @property
    def verdict(self) -> str:
        return str(self.target["verdict"])

    @property
    def reason(self) -> str:
        return str(self.target["reason"])

    def all(self, test: str, side: str = "before", rank: int = 0) -> list[Seen]:
        """Every run of a test on one side and rank."""
        rows = (row for kind in ("probes", "keep", "hazards") for row in self.target[kind])
        (found,) = (row[side] for row in rows if (row["id"], row["rank"]) == (test, rank))
        return list(found)

    def one(self, test: str, side: str = "before", rank: int = 0) -> Seen:
        """The only outcome that all runs of a test have."""
        first, *others = self.all(test, side, rank)
        assert {one["outcome"] for one in others} <= {first["outcome"]}
        return first

    def outcomes(self, *tests: str) -> list[str]:
        """What each test came to, the same on both sides."""
        for test in tests:
            assert self.one(test)["outcome"] == self.one(test, "after")["outcome"], test
        return [self.one(test)["outcome"] for test in tests]


def prove(workshop: Workshop, *args: str, **env: str) -> Tried:
    """Prove the patch on main, once unless `args` say otherwise."""
    done = workshop.prove("--branch", "main", *(args if "--runs" in args else ("--runs", "1", *args)), **env)
    assert done.code in (0, 1), done.err
    (target,) = done.json["targets"]
    return Tried(target=target, done=done)


def rewrite(workshop: Workshop, **changes: Any) -> None:
    """Write the manifest of the patch anew with other tests in it."""
    workshop.manifest(workshop.git("rev-parse", "main"), **changes)


def try_tests(workshop: Workshop, text: str, *args: str, timeout: float = 20, **env: str) -> Tried:
    """Prove with each `def test_…` of `text` as a keep-test before the ordinary ones, in order."""
    workshop.patch()
    add_tests(workshop, text, timeout=timeout)
    return prove(workshop, *args, **env)


def add_tests(workshop: Workshop, text: str, *, timeout: float = 20, **changes: Any) -> None:
    text = textwrap.dedent(text)
    names = re.findall(r"^def test_(\w+)", text, re.MULTILINE)
    workshop.proofs("test_more.py", text)
    more = [declare(name, timeout=timeout) for name in names]
    rewrite(workshop, keep=[*more, *KEEP], **changes)


def declare(name: str, **more: Any) -> dict[str, Any]:
    """Declare a test of test_more.py; its id is its name with hyphens."""
    return {"id": name.replace("_", "-"), "test": f"proofs/test_more.py::test_{name}", **more}


def the_rest_goes_on(tried: Tried) -> None:
    """Hold that the ordinary tests saw what they always see, whatever ran before and beside them."""
    assert [tried.one("amount-is-kept", "before", rank)["exception"] for rank in (0, 1)] == [
        "NameError",
        "UnboundLocalError",
    ]
    assert [tried.one("amount-is-kept", "after", rank)["outcome"] for rank in (0, 1)] == ["pass", "pass"]
    assert tried.outcomes("known-rate", "others-escape") == ["pass", "pass"]
    assert tried.one("wrong-total", "after")["exception"] == "TypeError"
