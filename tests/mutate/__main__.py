"""`make mutate`: every rule and check is switched off in turn, in a copy; some test must fail each time."""

import argparse
import fnmatch
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutate import running, tables
from tests.mutate.checks import github, lint, reach, results, surveys, tests, watch
from tests.mutate.mutation import Mutation
from tests.mutate.running import PATIENCE, Result


def main() -> int:
    """Print a line for each mutation; 1 when one survives, 2 when the tests cannot be run at all."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("--only", default="*", metavar="GLOB", help="the mutations of these names only")
    only = parser.parse_args().only
    chosen = [one for one in every() if fnmatch.fnmatch(one.name, only)]
    with tempfile.TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as place:
        return judge(chosen, Path(place))


def every() -> list[Mutation]:
    return [
        *tables.mutations(),
        *(one for room in (watch, tests, reach, results, lint, surveys, github) for one in room.MUTATIONS),
    ]


def judge(chosen: Sequence[Mutation], place: Path) -> int:
    pristine = running.copy(place / "as-it-is")
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        groups = sorted({one.tests for one in chosen})
        usual = dict(
            zip(groups, pool.map(lambda tests: running.run(tests, pristine, 600), groups), strict=True)
        )
        broken = {tests: result for tests, result in usual.items() if result.end is not running.End.PASSED}
        for tests, result in broken.items():
            say(f"{' '.join(tests)} {result.end} without any mutation: {result.told}")
        if broken:
            return 2
        limits = {tests: PATIENCE + 3 * result.seconds for tests, result in usual.items()}
        jobs = ((number, one, limits[one.tests]) for number, one in enumerate(chosen))
        results = list(pool.map(lambda job: attempt(job, pristine, place), jobs))
    return conclude(chosen, results)


def attempt(job: tuple[int, Mutation, float], pristine: Path, place: Path) -> Result:
    """Run one mutation's tests in a copy of its own, and tell what came out."""
    number, mutation, limit = job
    where = running.mutated(mutation, pristine, place / str(number))
    result = running.run(mutation.tests, where, limit)
    word = "noticed" if result.noticed else "SURVIVED" if result.end is running.End.PASSED else "BROKEN"
    say(f"{word:8}  {result.seconds:5.1f} s  {mutation.name:45}  {result.told}")
    return result


def conclude(chosen: Sequence[Mutation], results: Sequence[Result]) -> int:
    noticed = sum(result.noticed for result in results)
    say(f"{noticed} of {len(chosen)} mutations noticed")
    for mutation, result in zip(chosen, results, strict=True):
        if not result.noticed:
            say(
                f"not noticed: {mutation.name} ({mutation.file}), by {' '.join(mutation.tests)}: {result.end}"
            )
    return 0 if chosen and noticed == len(chosen) else 1


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
