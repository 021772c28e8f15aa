"""One request as the calls see it: who asks for what, and what it names."""

from dataclasses import dataclass, field
from typing import Any

from bot.model.hub import Account
from bot.sandbox import answers, standing
from bot.sandbox.records import Comment, Kind, Pull, Repository, Token
from bot.sandbox.world import Moment, World


@dataclass(frozen=True, kw_only=True)
class Asked:
    """`names` come from the path, `stale` is the tick that lists are shown as of, if a fault says so."""

    world: World
    method: str
    path: str
    names: dict[str, str]
    query: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    token: Token | None = None
    stale: int | None = None

    @property
    def me(self) -> Account:
        """Whose token it is; a request without one is refused."""
        if self.token is None:
            raise answers.refused(401, "Requires authentication")
        return self.token.owner

    @property
    def app(self) -> str:
        """The slug of the App that asks, empty for people."""
        return self.token.app if self.token else ""

    @property
    def moment(self) -> Moment:
        """How far lists are seen."""
        now = self.world.present()
        return Moment(tick=now.tick if self.stale is None else self.stale, time=now.time - self.world.lag)

    def repo(self) -> Repository:
        """The repository in the path; 404 where the asker may not see it."""
        found = self.world.find(f"{self.names['owner']}/{self.names['repo']}")
        if found is None or not sees(self.token, found):
            raise answers.missing()
        return found

    def pull(self) -> Pull:
        found = self.repo().pulls.get(self.number("number"))
        if found is None:
            raise answers.missing()
        return found

    def comment(self) -> Comment:
        found = self.world.comments.get(self.number("comment"))
        if found is None or found.repo != self.repo().id or found.body is None:
            raise answers.missing()
        return found

    def number(self, name: str) -> int:
        text = self.names[name]
        if not (text.isascii() and text.isdigit()):
            raise answers.missing()
        return int(text)

    def text(self, name: str, default: str | None = None) -> str:
        """A string of the body; 422 where it is another thing, or not there and has no default."""
        found = self.body.get(name, default)
        if found is None and name not in self.body:
            raise answers.malformed(f'"{name}" wasn\'t supplied.')
        if not isinstance(found, str):
            raise answers.malformed(f"For 'properties/{name}', {found!r} is not a string.")
        return found


def sees(token: Token | None, repo: Repository) -> bool:
    """Whether that token shows the repository at all."""
    if not repo.private:
        return True
    if token is None or (token.repositories is not None and repo.id not in token.repositories):
        return False
    if token.kind in (Kind.APP, Kind.ACTIONS):
        return True
    scoped = token.kind is Kind.FINE or "repo" in token.scopes
    return scoped and standing.may(repo, token.owner, "read")
