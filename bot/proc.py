"""The only process launcher: argument lists, an environment by allow-list, deadlines, and no shell."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bot.errors import BotError

#: What every tool may see. Tokens are never here: a caller that needs one adds it by name.
ALLOWED = (
    "HOME", "LANG", "PATH", "TERM", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
)  # fmt: skip


#: Bytes that a pipe may hold: with fewer, git and we take turns far more often.
PIPE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Completed:
    argv: tuple[str, ...]
    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode("utf-8", "replace").strip()

    @property
    def complaint(self) -> str:
        """The last non-empty line of stderr: what the tool said of its failure."""
        lines = [line.strip() for line in self.err.decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1] if lines else f"exit code {self.code}"


def environment(extra: Mapping[str, str] = {}, *, also: Iterable[str] = ()) -> dict[str, str]:
    """The allow-listed part of our environment, the variables named in `also`, then `extra`."""
    names = (*ALLOWED, *also)
    return {name: os.environ[name] for name in names if name in os.environ} | dict(extra)


def run(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    data: bytes = b"",
    timeout: float | None = None,
) -> Completed:
    """Run to the end and return what came out, whatever the exit code. `timeout` is in seconds.

    Raises BotError when the program is not there or does not end in time; its process group is then killed.
    """
    process = start(argv, env=env, pipes=True)
    try:
        out, err = exchange(process, data, timeout)
    except (TimeoutError, subprocess.TimeoutExpired):
        raise BotError(
            f"{argv[0]} did not end within {timeout:.0f} s", "try again, or look at the network"
        ) from None
    finally:
        if process.returncode is None:  # nobody has waited for its end
            kill_group(process)
    return Completed(argv=tuple(map(str, argv)), code=process.returncode, out=out, err=err)


def exchange(process: subprocess.Popen[bytes], data: bytes, timeout: float | None) -> tuple[bytes, bytes]:
    """Feed a process and take what it says, to its end: as `communicate` does, in far larger portions.

    Raises TimeoutError after `timeout` seconds.
    """
    assert process.stdin  # noqa: S101 (pipes were asked for)
    assert process.stdout  # noqa: S101
    assert process.stderr  # noqa: S101
    deadline = None if timeout is None else time.monotonic() + timeout
    said: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    with selectors.DefaultSelector() as ready, process.stdin, process.stdout, process.stderr:
        for number in said:
            ready.register(number, selectors.EVENT_READ)
        rest = offer(ready, process.stdin, memoryview(data))
        while ready.get_map():
            for key, _ in waited(ready, deadline):
                if key.fd in said:
                    hear(ready, key.fd, said[key.fd])
                else:
                    rest = offer(ready, process.stdin, rest)
        process.wait(left(deadline))
    out, err = said.values()
    return b"".join(out), b"".join(err)


def offer(ready: selectors.BaseSelector, stream: IO[bytes], rest: memoryview) -> memoryview:
    """Write what goes into the pipe, and return the rest; the stream is closed after the last of it."""
    number = stream.fileno()
    os.set_blocking(number, False)
    try:
        rest = rest[os.write(number, rest) :] if rest else rest
    except BlockingIOError:
        pass
    except BrokenPipeError:  # it has ended, or wants no more
        rest = rest[:0]
    known = number in ready.get_map()
    if rest and not known:
        ready.register(number, selectors.EVENT_WRITE)
    if not rest:
        if known:
            ready.unregister(number)
        stream.close()
    return rest


def hear(ready: selectors.BaseSelector, number: int, said: list[bytes]) -> None:
    got = os.read(number, PIPE)
    if got:
        said.append(got)
    else:
        ready.unregister(number)


def waited(ready: selectors.BaseSelector, deadline: float | None) -> list[tuple[selectors.SelectorKey, int]]:
    found = ready.select(left(deadline))
    if not found:
        raise TimeoutError
    return found


def left(deadline: float | None) -> float | None:
    """Seconds to the deadline. Raises TimeoutError when it has passed."""
    if deadline is None:
        return None
    rest = deadline - time.monotonic()
    if rest <= 0:
        raise TimeoutError
    return rest


def start(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    pipes: bool = False,
    fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, so that Ctrl-C reaches us alone and we end it whole.

    Its three standard streams are pipes or nothing; it inherits `fds` and no other open file.
    """
    stream = subprocess.PIPE if pipes else subprocess.DEVNULL
    try:
        return subprocess.Popen(
            [os.fspath(part) for part in argv],
            env=environment() if env is None else dict(env),
            stdin=stream,
            stdout=stream,
            stderr=stream,
            pass_fds=tuple(fds),
            start_new_session=True,
            pipesize=PIPE if pipes else -1,
        )
    except FileNotFoundError:
        raise BotError(f"{argv[0]} is not installed", f"install {argv[0]} and run again") from None
    except PermissionError:
        raise BotError(f"{argv[0]} may not be run", "check its permissions") from None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process with its group and reap it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
