"""Start the warm parent, give it the jobs, and take the outcomes as they come."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from bot import proc
from bot.errors import BotError
from bot.model import Outcome, Value
from bot.proof.child import channel

HARNESS = Path(__file__).parent / "child"
#: Seconds that the warm parent has to end by itself after the last outcome.
ENDING = 10.0


class Unit(Value, frozen=True, kw_only=True):
    """One run of one test: `ranks` are run beside each other; `timeout` is in seconds."""

    number: int
    test: str
    launcher: str
    world: int
    ranks: tuple[int, ...]
    run: int
    timeout: float


class Job(Value, frozen=True, kw_only=True):
    """One tree and what to run on it; the child's `Job` says what each field is."""

    key: str
    root: str
    tests: str
    blobs: dict[str, str]
    anchors: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    stubs: tuple[str, ...]
    setup_timeout: float
    units: tuple[Unit, ...]


class Request(Value, frozen=True, kw_only=True):
    """All jobs of one warm parent; `at_a_time` trees are worked on beside each other."""

    preload: tuple[str, ...]
    launchers: tuple[str, ...]
    at_a_time: int
    jobs: tuple[Job, ...]


class Seen(Value, frozen=True, kw_only=True):
    """One outcome: of which job, unit and rank."""

    key: str
    unit: int
    rank: int
    outcome: Outcome


class Leak(Value, frozen=True, kw_only=True):
    """A test left processes behind; they were killed."""

    key: str
    unit: int
    left: int


Event = Seen | Leak


def run(request: Request, python: Path, scratch: Path, hear: Callable[[Event], None]) -> None:
    """Run every job; `hear` is called as outcomes come. Raises BotError when the environment is broken.

    Nothing that was started is alive afterwards, however this ends.
    """
    ours, theirs = channel.pair()
    argv = (str(python), "-P", "-s", str(HARNESS / "__main__.py"), str(theirs.fileno()))
    process = proc.start(argv, env=child_environment(scratch), pipes=True, fds=(theirs.fileno(),))
    theirs.close()
    try:
        hand_over(process, request)
        while (message := channel.receive(ours)) is not None:
            if message["about"] == "done":
                return
            take(message, hear)
        raise BotError(
            f"the warm parent ended early: {last_words(process)}", "run again; report it if it stays"
        )
    finally:
        ours.close()
        end(process)


def hand_over(process: subprocess.Popen[bytes], request: Request) -> None:
    """Write the request to the warm parent's standard input; it reads to the end."""
    assert process.stdin  # noqa: S101 (pipes were asked for)
    with suppress(BrokenPipeError):
        process.stdin.write(msgspec.json.encode(request))
        process.stdin.close()


def take(message: Mapping[str, Any], hear: Callable[[Event], None]) -> None:
    """Turn one message of the warm parent into an event."""
    body = {name: value for name, value in message.items() if name != "about"}
    match message["about"]:
        case "outcome":
            hear(msgspec.convert(body, Seen))
        case "leak":
            hear(msgspec.convert(body, Leak))
        case "preload":
            raise BotError(
                f"the environment is broken: {body['error']}", "build it anew with `upstream-bot env PATCH`"
            )
        case _:
            return


def last_words(process: subprocess.Popen[bytes]) -> str:
    proc.kill_group(process)
    said = process.stderr.read().decode("utf-8", "replace").strip() if process.stderr else ""
    return said.splitlines()[-1] if said else f"exit code {process.returncode}"


def end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the warm parent, which ends when our socket is closed, and kill it if it does not."""
    try:
        process.wait(timeout=ENDING)
    except subprocess.TimeoutExpired:
        proc.kill_group(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with suppress(BrokenPipeError):
                stream.close()


def child_environment(scratch: Path) -> dict[str, str]:
    """All that a proof's processes may see: fixed values, and nothing of ours."""
    place = str(scratch)
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": place,
        "TMPDIR": place,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "TRITON_CACHE_DIR": f"{place}/triton",
        "TORCHINDUCTOR_CACHE_DIR": f"{place}/inductor",
    }


def launchers_of(jobs: Sequence[Job]) -> tuple[str, ...]:
    return tuple(sorted({unit.launcher for job in jobs for unit in job.units}))
