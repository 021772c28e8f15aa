"""The running sandbox as tests and the demo use it: seeding, conversation, faults, events, the log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.sandbox import backing
from bot.sandbox.acting import Acting
from bot.sandbox.clock import Clock
from bot.sandbox.events import Event
from bot.sandbox.journal import Entry
from bot.sandbox.seeding import Seeding
from bot.sandbox.server import Server
from bot.sandbox.troubles import Troubles
from bot.sandbox.world import World


class Hub(Seeding, Acting):
    """`url` is the API's address and the pages'. `fail` holds the fault switches, `clock` the time."""

    def __init__(self, root: Path) -> None:
        super().__init__(World(root=root))
        self.fail = Troubles(self.world)

    @property
    def url(self) -> str:
        return self.world.url

    @property
    def clock(self) -> Clock:
        return self.world.clock

    @property
    def log(self) -> tuple[Entry, ...]:
        """All requests to the API so far, oldest first."""
        with self.world.lock:
            return tuple(self.world.log)

    def forget_log(self) -> None:
        with self.world.lock:
            self.world.log.clear()

    def writes(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.log if entry.method != "GET")

    @property
    def events(self) -> tuple[Event, ...]:
        """All deliveries so far; one that was delivered twice is there twice."""
        with self.world.lock:
            return tuple(self.world.events)

    def listen(self, hook: Callable[[Event], None] | None) -> None:
        """Call `hook` with each event from now on, while the request that made it still waits."""
        self.world.tell = hook

    def git_dir(self, repo: str) -> Path:
        """The bare repository: push to it, fetch from it."""
        return self.world.repository(repo).git.path

    def ref(self, repo: str, name: str) -> str | None:
        """What `heads/main` or `pull/7/head` is in git."""
        return backing.refs(self.world.repository(repo).git).get(name)


@contextmanager
def started(root: Path) -> Iterator[Hub]:
    """Serve an empty GitHub whose repositories are made below `root`, until the block ends."""
    hub = Hub(root)
    server = Server(hub.world)
    server.thread.start()
    try:
        yield hub
    finally:
        server.stop()
