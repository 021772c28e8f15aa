"""`make bench`: the bars of DESIGN 8 about proving, each against its baseline or floor in the same run."""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bot.errors import BotError
from tests.bench import rows, sources, surveys
from tests.bench.rows import Row
from tests.bench.runs import CORES, Bench

OUT = sources.ROOT / "out" / "bench.json"


def main() -> int:
    """Measure, print and write; 1 when a bar does not hold, 2 when nothing real could be had."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one branch: to try the bench out")
    parser.add_argument(
        "--rounds", type=int, default=2, help="how often floor and proof take turns (default: 2)"
    )
    parser.add_argument("--only", choices=("prove", "survey"), default="", help="one part of it")
    asked = parser.parse_args()
    quick: bool = asked.quick
    with tempfile.TemporaryDirectory(prefix="upstream-bot-bench-") as place:
        try:
            bench = prepare(Path(place), quick=quick)
        except BotError as error:
            sys.stderr.write(f"bench: nothing could be measured: {error.message}\n{error.hint}\n")
            return 2
        facts = machine(bench)
        found = []
        for row in measured(bench, asked.only, asked.rounds):
            found.append(row)
            tell(lines_of(row))
    facts |= {"load_after": load()}
    tell("\n".join(f"{name}: {value}" for name, value in facts.items()))
    OUT.parent.mkdir(exist_ok=True)
    whole = {"schema": "upstream-bot/bench/1", "quick": quick, "rounds": asked.rounds, "machine": facts}
    OUT.write_text(json.dumps(whole | {"rows": [row.fields for row in found]}, indent=2) + "\n")
    return 0 if all(row.holds for row in found) else 1


def measured(bench: Bench, only: str, rounds: int) -> Iterator[Row]:
    """Measure what was asked for: "" is everything."""
    if only in ("", "prove"):
        yield from rows.measure(bench, rounds=rounds)
    if only in ("", "survey"):
        yield from surveys.measure(bench)


def prepare(place: Path, *, quick: bool) -> Bench:
    source = sources.find(place, quick=quick)
    trees = place / "trees"
    trees.mkdir()
    return Bench(source=source, trees=sources.lay_out(source, trees), place=place)


def machine(bench: Bench) -> dict[str, object]:
    """What the figures depend on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.split()[2]
    kind = "released wheels" if bench.source.spec.startswith("pypi:") else "a local clone"
    return {
        "cores": CORES,
        "memory_gib": round(memory / 2**30, 1),
        "python": platform.python_version(),
        "git": git,
        "platform": f"{sys.platform}-{platform.machine()}",
        "upstream": f"{kind}: {', '.join(bench.source.branches)}",
        "load_before": load(),
    }


def load() -> float:
    """Processes that wanted a core in the last minute: more than none, and somebody else is measured too."""
    return round(os.getloadavg()[0], 2)


def lines_of(row: Row) -> str:
    """Two lines: holds or not, bar, measured and ratio; then the work, and what it stands beside."""
    beside = f", beside {row.beside:.2f} s: {row.what}" if row.what else ""
    ratio = f"  ratio {row.ratio:.2f}" if row.what else ""
    first = f"{'holds' if row.holds else 'FAILS':5}  {row.bar:13}  {row.measured:7.2f} {row.unit}{ratio}"
    return f"{first}\n       {row.work}{beside}"


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
