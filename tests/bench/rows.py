"""One row for each bar of DESIGN 8 that is about proving: measured beside its baseline or floor."""

import statistics
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.model import Verdict
from tests.bench.runs import CORES, Bench, Imports, Proof, must, timed

#: Times that a short command is measured; the median counts.
SHORT = 5
CURED = {Verdict.PROVEN, Verdict.CURED_UNCONTROLLED}


@dataclass(frozen=True, kw_only=True)
class Row:
    """`measured` of `unit` held against `beside` (0: the bar is absolute); `ratio` is what the bar limits."""

    work: str
    bar: str
    measured: float
    unit: str
    ratio: float
    holds: bool
    beside: float = 0.0
    what: str = ""

    @property
    def fields(self) -> dict[str, object]:
        return {name: round(v, 3) if isinstance(v, float) else v for name, v in asdict(self).items()}


def at_most(bar: float, ratio: float, **fields: object) -> Row:
    """A row whose ratio must not be larger; `fields` are the row's others."""
    limit = f"<= {bar:g} {fields['unit']}" if "what" not in fields else f"<= {bar:g} x"
    return Row(bar=limit, ratio=ratio, holds=ratio <= bar, **fields)  # type: ignore[arg-type]


def measure(bench: Bench, rounds: int) -> Iterator[Row]:
    """Measure everything; floor and proof take turns, so that both meet the same machine."""
    bench.imports(1)  # reads from the disk what all others find in memory
    say(f"floor and prove without controls, {rounds} times each")
    pairs = [
        (bench.imports(len(bench.trees)), bench.prove(bench.empty_cache(f"cache-{number}"), "--no-controls"))
        for number in range(rounds)
    ]
    proofs = [proof for _, proof in pairs]
    yield from plain(bench, [floor for floor, _ in pairs], proofs)
    say("prove with controls")
    controlled = bench.prove(bench.empty_cache("cache-controls"))
    yield with_controls(bench, controlled)
    yield unmoved(bench, bench.place / "cache-0")
    yield helped(bench)
    peak = max(proof.memory for proof in (*proofs, controlled))
    yield at_most(120, peak, work="memory of the bot itself", measured=peak, unit="MB")


def plain(bench: Bench, floors: list[Imports], proofs: list[Proof]) -> Iterator[Row]:
    """Prove without controls, against the floor and against one process for each (branch, side, rank)."""
    wrong = {proof.verdicts for proof in proofs if not cured(proof)}
    if wrong:
        raise SystemExit(f"bench: without controls not every branch is cured: {wrong}")
    seconds = statistics.median(proof.seconds for proof in proofs)
    floor = statistics.median(one.seconds for one in floors)
    warm = statistics.median(one.warm for one in floors)
    names = ", ".join(bench.source.branches)
    work = f"prove on {names}, both sides, fake and gloo ranks, three runs, no controls"
    yield at_most(
        1.3,
        seconds / floor,
        work=work,
        measured=seconds,
        unit="s",
        beside=floor,
        what=f"imports of the {len(bench.trees)} trees, {CORES} at a time, torch ({warm:.1f} s) first",
    )
    say("one process per (branch, side, rank)")
    single = bench.one_by_one()
    yield Row(
        work=work,
        bar=">= 4 x faster",
        measured=seconds,
        unit="s",
        beside=single,
        what=f"one process per (branch, side, rank): {2 * len(bench.trees)}, one after the other, one run",
        ratio=single / seconds,
        holds=single / seconds >= 4,
    )


def cured(proof: Proof) -> bool:
    return all(target.verdict in CURED for target in proof.evidence.targets)


def with_controls(bench: Bench, proof: Proof) -> Row:
    say(f"one separate import for each of {proof.trees} trees")
    separate = bench.imports(proof.trees).seconds
    return at_most(
        0.5,
        proof.seconds / separate,
        work=f"the same with controls ({proof.verdicts})",
        measured=proof.seconds,
        unit="s",
        beside=separate,
        what=f"one separate import for each of the {proof.trees} trees, {CORES} at a time",
    )


def unmoved(bench: Bench, cache: Path) -> Row:
    """The same again, all from the evidence cache."""
    say("nothing moved since")
    again = [bench.prove(cache, "--no-controls") for _ in range(SHORT)]
    quiet = not any(proof.tested for proof in again)
    seconds = statistics.median(proof.seconds for proof in again)
    said = "" if quiet else " (but tests were run)"
    return Row(
        work=f"nothing moved since: no test process{said}",
        bar="<= 0.5 s",
        measured=seconds,
        unit="s",
        ratio=seconds,
        holds=seconds <= 0.5 and quiet,
    )


def helped(bench: Bench) -> Row:
    command = [str(Path(sys.executable).with_name("upstream-bot")), "--help"]
    environment = bench.environment(bench.place)
    must(command, environment)
    seconds = statistics.median(timed(command, environment)[0] for _ in range(SHORT))
    return at_most(0.2, seconds, work="--help", measured=seconds, unit="s")


def say(text: str) -> None:
    sys.stderr.write(f"bench: {text} …\n")
    sys.stderr.flush()
