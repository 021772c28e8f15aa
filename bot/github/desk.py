"""One conversation as the steps that write in it see it: whose token, which pull request, what time."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.github.looking import WORKFLOW, whose
from bot.github.port import Hub
from bot.model.hub import Account

Sleep = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Desk:
    """`me` is None for a workflow's own token; `now` tells the time as GitHub writes it."""

    hub: Hub
    repo: str
    number: int
    me: Account | None
    sleep: Sleep
    now: Callable[[], str]

    def is_ours(self, author: Account) -> bool:
        return author.id == self.me.id if self.me else author.login == WORKFLOW


@dataclass(frozen=True, kw_only=True)
class Office:
    """What desks are opened with."""

    hub: Hub
    sleep: Sleep
    now: Callable[[], str]

    def desk(self, repo: str, number: int) -> Desk:
        """May raise Refusal: a dead token is noticed here."""
        return Desk(
            hub=self.hub, repo=repo, number=number, me=whose(self.hub), sleep=self.sleep, now=self.now
        )
