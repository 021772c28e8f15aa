"""The rules for probes, keep-tests and hazards: where each lies and what it declares for every rank."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from bot.catalog import paths, ranks
from bot.catalog.keys import Problem
from bot.errors import BotError, nearest
from bot.model import Expected, Kind, Manifest, Test

#: More ranks than any one machine could fork: a slip of the keyboard.
LARGEST_WORLD = 1024
NODE = re.compile(r"(?P<file>[^:\[\]]+\.py)(::[A-Za-z_][A-Za-z0-9_]*)+")


def test_problems(manifest: Manifest) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for group in ("probes", "keep", "hazards"):
        for at, test in enumerate(getattr(manifest, group)):
            key = f"{group}[{at}]"
            if test.id in seen:
                hint = "one id, one test"
                yield Problem(key=f"{key}.id", why=f"{test.id} is the id of {seen[test.id]} too", hint=hint)
            seen[test.id] = key
            yield from run_problems(test, key)
            yield from declared_problems(test, group, key)


def run_problems(test: Test, key: str) -> Iterator[Problem]:
    node = NODE.fullmatch(test.test)
    if not node or paths.objection(node["file"]):
        hint = "write it as proofs/test_x.py::test_name, without parameters"
        yield Problem(key=f"{key}.test", why=f"{test.test!r} is no test below the patch's folder", hint=hint)
    if test.world > LARGEST_WORLD:
        yield Problem(key=f"{key}.world", why=f"{test.world} ranks are more than {LARGEST_WORLD}")
    elif not math.isfinite(test.timeout):
        yield Problem(key=f"{key}.timeout", why="a deadline must come", hint="give it in seconds")


def declared_problems(test: Test, group: str, key: str) -> Iterator[Problem]:
    """Probes declare `before`, hazards both sides; what must be a pass anyway is not declared."""
    declared = {"probes": ("before",), "keep": (), "hazards": ("before", "after")}[group]
    for side in ("before", "after"):
        expected: tuple[Expected, ...] = getattr(test, side)
        if side in declared:
            yield from coverage_problems(test, expected, f"{key}.{side}")
        elif expected:
            hint = "leave it out, or make this a hazard"
            yield Problem(key=f"{key}.{side}", why="this must be a pass and is not declared", hint=hint)
        for at, one in enumerate(expected):
            yield from signature_problems(one, f"{key}.{side}[{at}]")
            if group == "probes":
                yield from probe_problems(one, f"{key}.{side}[{at}]")


def coverage_problems(test: Test, expected: tuple[Expected, ...], key: str) -> Iterator[Problem]:
    count: Counter[int] = Counter()
    for at, one in enumerate(expected):
        try:
            count.update(ranks.expand(one.ranks, test.world))
        except BotError as error:
            yield Problem(key=f"{key}[{at}].ranks", why=error.message, hint=error.hint)
            return
    for rank in range(min(test.world, LARGEST_WORLD)):
        if count[rank] != 1:
            often = f"covered {count[rank]} times" if count[rank] else "not covered"
            yield Problem(key=key, why=f"rank {rank} is {often}", hint="cover each rank exactly once")


def signature_problems(one: Expected, key: str) -> Iterator[Problem]:
    known = [kind.value for kind in Kind]
    if one.outcome not in known:
        hint = f"known: {nearest(one.outcome, known) or ', '.join(known)}"
        yield Problem(key=f"{key}.outcome", why=f"{one.outcome!r} is no outcome", hint=hint)
    try:
        re.compile(one.match)
    except re.error as error:
        hint = "quote what is meant literally with a backslash"
        yield Problem(key=f"{key}.match", why=f"no regular expression: {error}", hint=hint)


def probe_problems(one: Expected, key: str) -> Iterator[Problem]:
    if one.outcome == Kind.PASS:
        yield Problem(key=f"{key}.outcome", why="a probe must not pass before", hint="make it a keep-test")
    elif one.outcome == Kind.FAIL and not (one.exception or one.match or one.function):
        yield Problem(key=key, why="any failure would do", hint="say which exception, match or function")
