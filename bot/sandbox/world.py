"""Everything that the embedded GitHub holds, in one place, behind one lock."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.errors import BotError
from bot.model.hub import Account
from bot.sandbox.clock import Clock
from bot.sandbox.faults import Faults
from bot.sandbox.journal import Entry
from bot.sandbox.records import Check, Comment, Pull, Reaction, Repository, Run, Token, Version


@dataclass(frozen=True, kw_only=True)
class Moment:
    """How far a reader sees: what came after that tick, or after that time, is not there yet."""

    tick: int
    time: float

    def sees(self, version: Version | None) -> bool:
        return version is not None and version.tick <= self.tick and version.moment <= self.time

    def text(self, versions: Iterable[Version]) -> str | None:
        """The newest version that is seen; None: not there yet, or not any more."""
        return next((one.text for one in reversed(list(versions)) if self.sees(one)), None)


@dataclass(kw_only=True)
class World:
    """Hold `lock` while you read or change anything. `limit`: requests an hour; `lag`: seconds."""

    root: Path
    url: str = ""
    clock: Clock = field(default_factory=Clock)
    faults: Faults = field(default_factory=Faults)
    lock: threading.RLock = field(default_factory=threading.RLock)
    accounts: dict[str, Account] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    repositories: dict[int, Repository] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    reactions: dict[int, Reaction] = field(default_factory=dict)
    checks: dict[int, Check] = field(default_factory=dict)
    runs: dict[int, Run] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    outbox: list[Any] = field(default_factory=list)
    tell: Callable[[Any], None] | None = None
    used: dict[str, tuple[float, int]] = field(default_factory=dict)
    limit: int = 5000
    lag: float = 0.0
    tick: int = 0
    last_id: int = 1000

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock; what happened is told when it is free again, so that who hears may ask back."""
        with self.lock:
            yield
            told, self.outbox = self.outbox, []
        for event in told:
            if self.tell:
                self.tell(event)

    def new_id(self) -> int:
        self.last_id += 1
        return self.last_id

    def version(self, text: str | None = "") -> Version:
        self.tick += 1
        return Version(tick=self.tick, moment=self.clock.now(), text=text)

    def account(self, login: str) -> Account | None:
        return self.accounts.get(login.lower())

    def known(self, login: str) -> Account:
        account = self.account(login)
        if account is None:
            raise BotError(f"the sandbox has no account {login}", "add it with `hub.account(…)`")
        return account

    def repository(self, full_name: str) -> Repository:
        """The repository of that name. Raises BotError."""
        found = self.find(full_name)
        if found is None:
            raise BotError(f"the sandbox has no repository {full_name}", "add it with `hub.repo(…)`")
        return found

    def find(self, full_name: str) -> Repository | None:
        wanted = full_name.lower()
        alive = (repo for repo in self.repositories.values() if not repo.deleted)
        return next((repo for repo in alive if repo.full_name.lower() == wanted), None)

    def pull(self, full_name: str, number: int) -> Pull:
        pull = self.repository(full_name).pulls.get(number)
        if pull is None:
            raise BotError(f"{full_name} has no pull request {number} in the sandbox", "open it first")
        return pull

    def present(self) -> Moment:
        return Moment(tick=self.tick, time=self.clock.now())

    def conversation(self, repo: Repository, number: int, moment: Moment) -> list[tuple[Comment, str]]:
        """The comments that a reader sees then, oldest first, each with its text."""
        here = (one for one in self.comments.values() if (one.repo, one.number) == (repo.id, number))
        seen = ((comment, moment.text(comment.versions)) for comment in here)
        return [(comment, text) for comment, text in seen if text is not None]

    def reactions_to(self, comment: int, moment: Moment) -> list[Reaction]:
        return [
            one
            for one in self.reactions.values()
            if one.comment == comment and moment.sees(one.created) and not moment.sees(one.removed)
        ]
