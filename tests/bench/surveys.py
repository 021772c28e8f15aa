"""The bars of DESIGN 8 about surveys: a real clone's branches and refs, beside git doing it by checkout."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot import survey, upstream
from bot.model import Ref
from tests.bench import synthetic
from tests.bench.rows import SHORT, Row, at_most, say
from tests.bench.runs import Bench, timed

#: Branches on which git applies the fix by checkout; it takes seconds for each.
BY_CHECKOUT = 20
PATCHES = 100
#: Numbers of branches that are surveyed to see how the time grows.
GROWING = (50, 100, 200)
WHO = {
    f"GIT_{role}_{key}": "bench@localhost" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
}


@dataclass(frozen=True, kw_only=True)
class Survey:
    seconds: float
    rows: list[dict[str, Any]]

    @property
    def blobs(self) -> int:
        """How many versions of the file there are."""
        return len({row["blob"] for row in self.rows})


def measure(bench: Bench) -> Iterator[Row]:
    """Nothing where there is no clone: released wheels have no branches."""
    if bench.source.spec.startswith("pypi:"):
        return
    say("survey of all branches")
    runs = [look(bench, f"branches-{number}") for number in range(SHORT)]
    seconds = statistics.median(run.seconds for run in runs)
    count, blobs = len(runs[0].rows), runs[0].blobs
    work = f"survey of one patch over {count} branches with {blobs} versions of the file, empty cache"
    yield at_most(0.6, seconds, work=work, measured=seconds, unit="s")
    yield beside_git(bench, runs[0], seconds / count)
    say("survey of all refs")
    every = [look(bench, f"refs-{number}", "--ref", "refs/*") for number in range(3)]
    seconds = statistics.median(run.seconds for run in every)
    work = f"survey over {len(every[0].rows)} refs with {every[0].blobs} versions of the file, empty cache"
    yield at_most(2, seconds, work=work, measured=seconds, unit="s")
    yield from growing(bench, [row["name"] for row in runs[0].rows if row["head"]])
    yield many(bench)


def growing(bench: Bench, branches: list[str]) -> Iterator[Row]:
    """Seconds against branches and against versions of the file: what a survey costs when there are more."""
    for count in GROWING:
        some = branches[:: max(len(branches) // count, 1)][:count]
        named = [word for branch in some for word in ("--branch", branch)]
        runs = [look(bench, f"some-{count}-{number}", *named) for number in range(3)]
        seconds = statistics.median(run.seconds for run in runs)
        work = f"survey over {len(runs[0].rows)} branches with {runs[0].blobs} versions of the file"
        yield Row(work=work, bar="none: shows growth", measured=seconds, unit="s", ratio=seconds, holds=True)


def look(bench: Bench, name: str, *options: str) -> Survey:
    """One survey by the command line with an empty cache."""
    cache = bench.place / f"survey-{name}"
    argv = [sys.executable, "-m", "bot", "survey", bench.source.patch.id, "--json"]
    argv += ["--patches", str(bench.source.patch.folder.parent), "--upstream", bench.source.spec, *options]
    seconds, done = timed(argv, bench.environment(cache))
    if done.returncode not in (0, 1):
        raise SystemExit(f"bench: survey failed:\n{done.stderr[-2000:]}")
    return Survey(seconds=seconds, rows=json.loads(done.stdout)["rows"])


def beside_git(bench: Bench, run: Survey, ours: float) -> Row:
    """`git switch` and `git cherry-pick` of the fix, on branches that take it."""
    say(f"git switch and git cherry-pick on {BY_CHECKOUT} branches")
    heads = [row["head"] for row in run.rows if row["state"] == "applies_exact"][:: 178 // BY_CHECKOUT]
    clone = bench.place / "by-checkout"
    env = os.environ | WHO | {"GIT_NO_LAZY_FETCH": "1"}

    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], env=env, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("clone", "--quiet", "--shared", "--no-checkout", bench.source.spec, str(clone))
    inside = ("-C", str(clone))
    subject = bench.source.subjects[0]
    fix = git(*inside, "commit-tree", "-p", str(subject.head), "-m", "the fix", made_tree(bench, clone))
    git(*inside, "switch", "--quiet", "--detach", str(subject.head))
    began = time.perf_counter()
    for head in heads[:BY_CHECKOUT]:
        git(*inside, "switch", "--quiet", "--detach", head)
        git(*inside, "cherry-pick", fix)
    each = (time.perf_counter() - began) / BY_CHECKOUT
    return Row(
        work="the same for one branch",
        bar=">= 300 x faster",
        measured=ours,
        unit="s",
        beside=each,
        what=f"git switch and git cherry-pick, mean of {BY_CHECKOUT} branches",
        ratio=each / ours,
        holds=each / ours >= 300,
    )


def made_tree(bench: Bench, clone: Path) -> str:
    """The patched tree of the first branch, whose objects the clone then borrows."""
    borrowed = clone / ".git" / "objects" / "info" / "alternates"
    borrowed.write_text(borrowed.read_text() + f"{bench.source.store.absolute()}/objects\n")
    tree = bench.source.subjects[0].after_tree
    assert tree
    return tree


def many(bench: Bench) -> Row:
    """Synthetic patches of functions all over the tree, one after the other in one process."""
    say(f"{PATCHES} synthetic patches")
    source = upstream.open_upstream(bench.source.spec, cache=bench.place / "many", notice=lambda _text: None)
    refs = source.fetch(source.find((), ()))
    patches = synthetic.patches(source.store, str(bench.source.subjects[0].head), bench.source.patch, PATCHES)
    began = time.perf_counter()
    blobs = sum(surveyed(source, patch, refs) for patch in patches)
    seconds = time.perf_counter() - began
    work = f"{len(patches)} synthetic patches x {len(refs)} branches, {blobs} versions of their files"
    return at_most(10, seconds, work=work, measured=seconds, unit="s")


def surveyed(source: upstream.Upstream, patch: Any, refs: tuple[Ref, ...]) -> int:
    rows = survey.survey(source.store, patch, refs, has_history=True)
    return len({row.blob for row in rows})
