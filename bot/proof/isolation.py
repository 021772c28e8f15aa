"""How far a proof's processes are kept from us; evidence carries the level."""

from enum import StrEnum
from functools import cache

from bot import proc
from bot.errors import BotError

#: A user, mount, network, process, IPC and host-name namespace of its own, whose first process dies with us.
UNSHARE = (
    "unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--uts",
    "--fork", "--kill-child", "--mount-proc", "--",
)  # fmt: skip
#: A full machine says no for a moment; a lower level must not be the answer to that.
TRIES = 3


class Level(StrEnum):
    """How much a proof's processes can reach.

    `none`: the same user, without our environment and open files. `namespace`: besides, no network, none of
    our processes in sight, and nothing to write to but one directory.
    """

    NONE = "none"
    NAMESPACE = "namespace"


@cache
def level() -> Level:
    """The best level that this machine allows; asked once, up to `TRIES` times on a machine that says no."""
    return Level.NAMESPACE if any(namespaces() for _ in range(TRIES)) else Level.NONE


def namespaces() -> bool:
    """Whether a namespace can be made now; the kernel takes dead ones down late, and counts them so long."""
    try:
        return proc.run([*UNSHARE, "mount", "--make-rprivate", "/"], timeout=10).code == 0
    except BotError:
        return False


def wrap(argv: tuple[str, ...], wanted: Level) -> tuple[str, ...]:
    return (*UNSHARE, *argv) if wanted is Level.NAMESPACE else argv
