"""Start the warm parent, give it the jobs, and take the outcomes as they come."""

import os
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from bot import proc
from bot.errors import BotError
from bot.model import Outcome, Value
from bot.proof import isolation
from bot.proof.child import channel, processes
from bot.proof.isolation import Level

HARNESS = Path(__file__).parent / "child"
#: Seconds that the warm parent has to end by itself after the last outcome.
ENDING = 10.0


class Unit(Value, frozen=True, kw_only=True):
    """One run of one test: `ranks` are run beside each other; `timeout` is in seconds."""

    number: int
    test: str
    launcher: str
    device: str
    world: int
    ranks: tuple[int, ...]
    run: int
    timeout: float


class Sibling(Value, frozen=True, kw_only=True):
    """One tree: the child's `Sibling` says what each field is."""

    key: str
    files: dict[str, str]
    blobs: dict[str, str]
    units: tuple[Unit, ...]


class Family(Value, frozen=True, kw_only=True):
    """Trees that share what they import first; the child's `Family` says what each field is."""

    root: str
    tests: str
    place: str
    anchors: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    stubs: tuple[str, ...]
    setup_timeout: float
    memory: int
    siblings: tuple[Sibling, ...]


class Warmth(Value, frozen=True, kw_only=True):
    """What the warm parent needs before it knows any tree; `at_a_time` trees are worked on beside each other.

    `place` is the run's scratch directory; tests may write to `place`/work only.
    """

    preload: tuple[str, ...]
    launchers: tuple[str, ...]
    at_a_time: int
    place: str
    isolation: Level


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


class Engine:
    """A warm parent that has been started, and imports what is no upstream's while trees are laid out."""

    def __init__(self, process: subprocess.Popen[bytes], ours: socket.socket) -> None:
        self.process = process
        self.ours = ours

    def run(self, families: Sequence[Family], hear: Callable[[Event], None]) -> None:
        """Run every family, once; `hear` is called as outcomes come. Raises BotError: a broken environment.

        When the warm parent is killed after it has said something, that is kept: only code of the same
        user, with no namespace around it, can do that.
        """
        write(self.process, msgspec.json.encode(families), last=True)
        said = False
        while (message := channel.receive(self.ours)) is not None:
            if message["about"] == "done":
                return
            take(message, hear)
            said = True
        if not said:
            told = last_words(self.process)
            raise BotError(f"the warm parent ended early: {told}", "run again; report it if it stays")


@contextmanager
def started(warmth: Warmth, python: Path) -> Iterator[Engine]:
    """Start a warm parent. Nothing that was started is alive afterwards, however this ends."""
    spare = frozenset(processes.children(os.getpid()))
    processes.hide()
    processes.adopt_orphans()
    ours, theirs = channel.pair()
    argv = (str(python), str(HARNESS / "__main__.py"), str(theirs.fileno()))
    process = proc.start(
        isolation.wrap(argv, warmth.isolation),
        env=child_environment(Path(warmth.place, "work")),
        pipes=True,
        fds=(theirs.fileno(),),
    )
    theirs.close()
    try:
        write(process, msgspec.json.encode(warmth) + b"\n", last=False)
        yield Engine(process, ours)
    finally:
        ours.close()
        end(process)
        processes.kill_below(os.getpid(), spare=spare)


def write(process: subprocess.Popen[bytes], data: bytes, *, last: bool) -> None:
    """Write to the warm parent's standard input; why it has gone is heard elsewhere."""
    assert process.stdin  # noqa: S101 (pipes were asked for)
    with suppress(BrokenPipeError):
        process.stdin.write(data)
        process.stdin.flush()
        if last:
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
    with suppress(BrokenPipeError):
        process.stdin.close() if process.stdin else None
    try:
        process.wait(timeout=ENDING)
    except subprocess.TimeoutExpired:
        proc.kill_group(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with suppress(BrokenPipeError):
                stream.close()


def child_environment(work: Path) -> dict[str, str]:
    """All that a proof's processes may see: fixed values, and nothing of ours."""
    place = str(work)
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": place,
        "TMPDIR": place,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo",
        "TRITON_CACHE_DIR": f"{place}/triton",
        "TORCHINDUCTOR_CACHE_DIR": f"{place}/inductor",
    }
