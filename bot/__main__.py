"""Entry of `upstream-bot`: the one place where errors become sentences and exit codes."""

import errno
import os
import signal
import sys
import time
from types import FrameType

from bot.errors import BotError, Exit

#: How we are told to end.
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Seconds without another interrupt after which one more ends what is then still being cleaned up.
CLEANING = 5.0
#: Errors of a disk or cache that people can mend.
STORAGE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})


def main() -> int:
    """Run the command line of this process and return its exit code (DESIGN 5)."""
    listen()
    try:
        from bot import cli

        return cli.main(sys.argv[1:])
    except BotError as error:
        return complain(error.message, error.hint, error.code)
    except KeyboardInterrupt:
        return interrupted()
    except OSError as error:
        return system_error(error)
    except Exception as error:  # noqa: BLE001 (the funnel: whatever comes here is our bug, and says so)
        return bug(error)


def system_error(error: OSError) -> int:
    """Tell what people can mend from what is our bug."""
    if isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.RED
    if error.errno not in STORAGE:
        return bug(error)
    hint = "free some space or make the place writable; UPSTREAM_BOT_CACHE and TMPDIR move what we write"
    return complain(f"cannot write: {error.strerror}", hint, Exit.USAGE)


def interrupted() -> int:
    """Say so; all is cleaned up, and one more signal must not turn the exit code into another."""
    for number in ENDS:
        signal.signal(number, signal.SIG_IGN)
    told = "interrupted; nothing is left behind but what was fetched, which is kept"
    return complain(told, "", Exit.INTERRUPTED)


def listen() -> None:
    """Take every wish that we end as one interrupt, which cleans up."""
    last = -CLEANING

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= CLEANING:  # people press Ctrl-C more than once: that must not end the cleaning
            raise KeyboardInterrupt

    for number in ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def complain(message: str, hint: str, code: Exit) -> int:
    print(f"upstream-bot: {message}", file=sys.stderr)
    if hint:
        print(f"hint: {hint}", file=sys.stderr)
    return code


def bug(error: BaseException) -> int:
    import traceback

    traceback.print_exception(error)
    hint = "please report it with the lines above"
    return complain(f"this is a bug in upstream-bot: {type(error).__name__}", hint, Exit.BUG)


if __name__ == "__main__":
    sys.exit(main())
