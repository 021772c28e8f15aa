"""A hub in memory for tables of the gate only: it answers what the gate asks, and refuses all else."""

from dataclasses import dataclass, field
from typing import Any

from bot.github.port import Refusal
from bot.model.hub import Account, ChangedFile, Comment, Pull, Reaction, Repository, Side, Why

REPO = Repository(id=1, name="acme/shop")
FORK = Repository(id=2, name="ann/shop")
BOT = Account(id=9, login="keeper")
ANN = Account(id=11, login="ann")
HEAD = "a" * 40
NEXT = "b" * 40


def a_pull(**changes: Any) -> Pull:
    fields: dict[str, Any] = {
        "number": 7,
        "title": "Fix",
        "body": "",
        "author": Account(id=12, login="cora"),
        "base": Side(branch="main", commit="c" * 40, repository=REPO),
        "head": Side(branch="fix", commit=HEAD, repository=FORK),
        "open": True,
        "merged": False,
        "draft": False,
        "locked": False,
        "labels": (),
        "merge_commit": None,
        "created": "2026-08-01T00:00:00Z",
        "url": "",
    }
    return Pull(**(fields | changes))


def say(number: int, body: str, *, second: int = 0, author: Account = ANN, edited: bool = False) -> Comment:
    when = f"2026-08-01T10:{second // 60:02}:{second % 60:02}Z"
    return Comment(
        id=number,
        author=author,
        body=body,
        created=when,
        updated="2026-08-01T11:00:00Z" if edited else when,
        url=f"https://hub.test/acme/shop/pull/7#issuecomment-{number}",
    )


@dataclass
class Memory:
    """`heads` are what the API says of the head, look by look; the last stays."""

    spoken: list[Comment] = field(default_factory=list)
    permissions: dict[str, str | Refusal] = field(default_factory=lambda: {"ann": "write"})
    shown: Pull = field(default_factory=a_pull)
    heads: list[str] = field(default_factory=lambda: [HEAD])
    mirror: str | None = HEAD
    reacted: dict[int, tuple[str, ...]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def me(self) -> Account:
        self.asked.append("me")
        return BOT

    def permission(self, _repo: str, login: str) -> str:
        self.asked.append("permission")
        said = self.permissions.get(login, "none")
        if isinstance(said, Refusal):
            raise said
        return said

    def comment(self, _repo: str, comment: int) -> Comment:
        self.asked.append("comment")
        for one in self.spoken:
            if one.id == comment:
                return one
        raise Refusal(Why.MISSING, "Not Found")

    def comments(self, _repo: str, _number: int, since: str = "") -> tuple[Comment, ...]:
        self.asked.append("comments")
        return tuple(one for one in self.spoken if one.updated >= since)

    def reactions(self, _repo: str, comment: int) -> tuple[Reaction, ...]:
        self.asked.append("reactions")
        return tuple(Reaction(id=1, author=BOT, content=word) for word in self.reacted.get(comment, ()))

    def pull(self, _repo: str, _number: int) -> Pull:
        self.asked.append("pull")
        head = self.heads.pop(0) if len(self.heads) > 1 else self.heads[0]
        side = self.shown.head
        return a_pull(
            head=Side(branch=side.branch, commit=head, repository=side.repository),
            base=self.shown.base,
            open=self.shown.open,
            merged=self.shown.merged,
            draft=self.shown.draft,
            locked=self.shown.locked,
        )

    def ref(self, _repo: str, _name: str) -> str | None:
        self.asked.append("ref")
        return self.mirror

    def branches(self, _repo: str) -> tuple[str, ...]:
        self.asked.append("branches")
        return ("main", "dev", "core_r0.19.0", "core_r0.18.0", "HEAD", "pull-request/7")

    def files(self, _repo: str, _number: int) -> tuple[ChangedFile, ...]:
        self.asked.append("files")
        return (ChangedFile(path="shop/till.py", status="modified", additions=1, deletions=1),)


__all__ = ["ANN", "BOT", "FORK", "HEAD", "NEXT", "REPO", "Memory", "a_pull", "say"]
