"""The measured commands: the bot itself, its floor and its baselines."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.model import Evidence
from bot.proof import evidence
from bot.proof.engine import HARNESS
from tests.bench.sources import ROOT, Source

SCRIPTS = Path(__file__).parent / "scripts"
#: The floor warms torch and no more, as the facts measure it; what the manifest adds is our own doing.
PRELOAD = ("torch", "numpy")
CORES = len(os.sched_getaffinity(0))
#: What the handler experiment shows on a side and a rank; anything else, and the bench measures nothing.
SHOWN = {
    ("before", 0): "NameError",
    ("before", 1): "UnboundLocalError",
    ("after", 0): "the same tensor",
    ("after", 1): "the same tensor",
}


@dataclass(frozen=True, kw_only=True)
class Proof:
    """One run of `prove`: wall time, findings, the bot's own peak memory in MB, and whether tests ran."""

    seconds: float
    memory: float
    tested: bool
    evidence: Evidence

    @property
    def trees(self) -> int:
        """How many trees the tests ran on: before, after and each control."""
        return sum(2 + len(target.controls) for target in self.evidence.targets)

    @property
    def verdicts(self) -> str:
        return ", ".join(f"{target.name}: {target.verdict}" for target in self.evidence.targets)


@dataclass(frozen=True, kw_only=True)
class Imports:
    """Separate imports: wall time of the whole process, and how long of it the preloads (torch) took."""

    seconds: float
    warm: float


def timed(argv: Sequence[str], env: dict[str, str]) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run a command to its end; wall seconds from before it starts until it has been reaped."""
    began = time.perf_counter()
    done = subprocess.run(argv, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    return time.perf_counter() - began, done


def must(argv: Sequence[str], env: dict[str, str]) -> tuple[float, str]:
    seconds, done = timed(argv, env)
    if done.returncode:
        raise SystemExit(f"bench: {' '.join(argv[:3])} … failed:\n{done.stderr[-2000:]}")
    return seconds, done.stdout


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A source with both trees of each branch, and a place for caches and scratch."""

    source: Source
    trees: dict[tuple[str, str], Path]
    place: Path

    def environment(self, cache: Path) -> dict[str, str]:
        """Ours without the bot's settings; what Python compiles is kept, as where it is installed."""
        unwanted = ("UPSTREAM_BOT_", "PYTHONDONTWRITEBYTECODE")
        own = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
        places = {"TMPDIR": str(self.place), "PYTHONPYCACHEPREFIX": str(self.place / "compiled")}
        return own | places | {"UPSTREAM_BOT_CACHE": str(cache)}

    def empty_cache(self, name: str) -> Path:
        """A cache without evidence; a wheel is not downloaded again, nor an environment built."""
        made = self.place / name
        made.mkdir()
        for folder in (
            ("environments", "stores") if self.source.spec.startswith("pypi:") else ("environments",)
        ):
            (made / folder).symlink_to(self.source.kept / folder)
        return made

    def prove(self, cache: Path, *options: str) -> Proof:
        """Prove the patch on all branches, as the command line does it."""
        seen, out = cache.with_suffix(".seen"), cache.with_suffix(".json")
        argv = [sys.executable, str(SCRIPTS / "alone.py"), str(seen), "prove", self.source.patch.id]
        argv += ["--patches", str(self.source.patch.folder.parent), "--upstream", self.source.spec]
        argv += [word for name in self.source.branches for word in ("--branch", name)]
        seconds, done = timed([*argv, "--out", str(out), *options], self.environment(cache))
        if done.returncode not in (0, 1) or not out.is_file():
            raise SystemExit(f"bench: prove failed:\n{done.stderr[-2000:]}")
        told = json.loads(seen.read_text(encoding="utf-8"))
        return Proof(
            seconds=seconds,
            memory=told["peak_kib"] * 1024 / 1e6,
            tested=any(str(HARNESS) in command for command in told["started"]),
            evidence=evidence.decode(out.read_bytes()),
        )

    def imports(self, count: int) -> Imports:
        """Import from `count` trees, each in a fork of its own."""
        wanted = self.source.patch.manifest.environment
        trees = [str(tree) for tree in self.trees.values()]
        order = {
            "preload": PRELOAD,
            "imports": wanted.imports,
            "stubs": wanted.stubs,
            "at_a_time": CORES,
            "trees": [trees[number % len(trees)] for number in range(count)],
        }
        seconds, out = must(self.script("imports.py", json.dumps(order)), self.plain())
        return Imports(seconds=seconds, warm=json.loads(out)["preload"])

    def one_by_one(self) -> float:
        """The handler experiment in one process for each (branch, side, rank), one after the other."""
        total = 0.0
        for (_, side), tree in self.trees.items():
            for rank in (0, 1):
                seconds, out = must(self.script("handler.py", str(tree), str(rank)), self.plain())
                assert out.strip() == SHOWN[side, rank], f"{side}, rank {rank}: {out}"
                total += seconds
        return total

    def script(self, name: str, *arguments: str) -> list[str]:
        return [str(self.source.python), str(SCRIPTS / name), *arguments]

    def plain(self) -> dict[str, str]:
        """The environment of floor and baselines: what is installed is compiled, and no tree is."""
        own = self.environment(self.place)
        del own["PYTHONPYCACHEPREFIX"]
        return own | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
