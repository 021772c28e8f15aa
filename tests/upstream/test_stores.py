"""The cache stays whole: killed runs, two runs at once, and a place that cannot be written."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import git
from bot.errors import BotError
from bot.upstream import Upstream, open_upstream

Git = Callable[..., str]
Open = Callable[[Path | str], Upstream]
Run = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def stuck_run(home: Path, tmp_path: Path, another_run: Run, origin: Path) -> subprocess.Popen[str]:
    """A run whose server hangs in the middle of a pack; servers that start from now on do not."""
    started, hook = tmp_path / "started", tmp_path / "hook"
    hook.write_text(f'#!/bin/sh\n"$@" | head -c 200\ntouch {started}\nexec sleep 60\n')
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(f"[uploadpack]\n\tpackObjectsHook = {hook}\n")
    run = another_run(f"file://{origin}")
    wait_for(started)
    (home / ".gitconfig").unlink()
    return run


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < deadline, f"{path.name} never came"
        time.sleep(0.01)


def kill_whole(process: subprocess.Popen[str]) -> None:
    """SIGKILL to a run and to the git it started in a session of its own: the power fails."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    for child in children:
        os.killpg(int(child), signal.SIGKILL)
    process.wait()


def litter(cache: Path) -> list[str]:
    patterns = ("*/*/objects/pack/tmp_*", "*/*/refs/**/*.lock", "*/*.new-*", "*/*/*.lock")
    return [path.name for pattern in patterns for path in cache.glob(pattern)]


def test_a_run_killed_in_the_middle_of_a_fetch_is_mended_by_the_next(
    origin: Path, opened: Open, stuck_run: subprocess.Popen[str], cache: Path
) -> None:
    kill_whole(stuck_run)
    assert litter(cache), "the fetch was in the middle"
    upstream = opened(f"file://{origin}")
    refs = upstream.fetch(upstream.find(["*"], []))
    assert [ref.problem for ref in refs] == ["", "", ""]
    git.must(upstream.store, "fsck", "--full", "--strict")
    assert litter(cache) == []


def test_what_a_killed_run_left_blocks_nobody(origin: Path, opened: Open, cache: Path) -> None:
    upstream = opened(f"file://{origin}")
    (main,) = upstream.find(["main"], [])
    store = upstream.store.path
    (store / "refs/upstream").mkdir()
    (store / "refs/upstream" / f"{main.head}.lock").touch()
    (store / "shallow.lock").touch()
    (store / "objects/pack/tmp_pack_x").write_bytes(b"half")
    (store.parent / f"{store.name}.new-x").mkdir()
    assert Path(f"{store}.lock").exists()
    (again,) = upstream.fetch([main])
    assert (again.head, again.problem) == (main.head, "")
    assert litter(cache) == []


def test_two_runs_at_once_both_end_well(
    origin: Path, opened: Open, another_run: Run, cache: Path, run_git: Git
) -> None:
    runs = [another_run(f"file://{origin}") for _ in range(2)]
    said = [run.communicate(timeout=60)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert said[0] == said[1]
    assert run_git(origin, "rev-parse", "release/1.0") in said[0]
    git.must(opened(f"file://{origin}").store, "fsck", "--full")
    assert litter(cache) == []


def test_a_run_that_waits_for_another_says_so_and_goes_on_when_that_ends(
    origin: Path, opened: Open, stuck_run: subprocess.Popen[str], notices: list[str]
) -> None:
    upstream = opened(f"file://{origin}")
    end = threading.Timer(0.3, kill_whole, [stuck_run])
    end.start()
    (main,) = upstream.fetch(upstream.find(["main"], []))
    end.join()
    assert main.problem == ""
    assert notices[-1] == "waiting for another run that fills the same cache"


def test_a_half_deleted_cache_is_made_again(origin: Path, opened: Open) -> None:
    store = opened(origin).store.path
    (store / "HEAD").unlink()
    assert [ref.name for ref in opened(origin).find(["main"], [])] == ["main"]


def test_stores_of_different_upstreams_do_not_mix(origin: Path, opened: Open, run_git: Git) -> None:
    run_git(origin.parent, "clone", "-q", str(origin), "twin")
    places: list[Path | str] = [
        origin,
        origin.parent / "twin",
        f"file://{origin}",
        f"file://{origin.parent}/twin",
    ]
    assert len({opened(place).store for place in places}) == 4


@pytest.mark.parametrize("spec", ["{origin}", "file://{origin}", "pypi:demo"])
def test_a_cache_that_cannot_be_written_stops_with_a_hint(origin: Path, tmp_path: Path, spec: str) -> None:
    (tmp_path / "regular").write_text("a file")
    with pytest.raises(BotError, match="cache") as caught:
        open_upstream(spec.format(origin=origin), cache=tmp_path / "regular" / "cache", notice=print)
    assert "UPSTREAM_BOT_CACHE" in caught.value.hint
