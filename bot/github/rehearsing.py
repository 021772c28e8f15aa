"""A rehearsal: GitHub as it is, but what we would write is told to somebody and stays in memory."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from bot.github.port import Hub, Refusal
from bot.model.hub import Account, Annotation, Comment, Draft, Pull, Reaction, Why

#: What is told: in a few words, and the text that would be written.
Tell = Callable[[str, str], None]
NOBODY = Account(id=0, login="github-actions[bot]", kind="Bot")


class Rehearsal:
    """A Hub whose writes go nowhere; comments that were said here are read again like others."""

    def __init__(self, hub: Hub, tell: Tell) -> None:
        self._hub = hub
        self._tell = tell
        self._said: dict[int, Comment] = {}
        self._bodies: dict[int, str] = {}
        self._gone: set[int] = set()

    def __getattr__(self, name: str) -> Any:
        """All readings that no writing changes."""
        return getattr(self._hub, name)

    def who(self) -> Account:
        try:
            return self._hub.me()
        except Refusal:
            return NOBODY

    def comment(self, repo: str, comment: int) -> Comment:
        if comment in self._gone:
            raise Refusal(Why.MISSING, "gone")
        return self._as_it_would_be(self._said.get(comment) or self._hub.comment(repo, comment))

    def comments(self, repo: str, number: int, since: str = "") -> tuple[Comment, ...]:
        there = (*self._hub.comments(repo, number, since), *self._said.values())
        return tuple(self._as_it_would_be(one) for one in there if one.id not in self._gone)

    def _as_it_would_be(self, comment: Comment) -> Comment:
        body = self._bodies.get(comment.id)
        return comment if body is None else replace(comment, body=body)

    def say(self, _repo: str, number: int, body: str) -> Comment:
        self._tell(f"comment on {number}", body)
        made = Comment(id=-1 - len(self._said), author=self.who(), body=body, created="", updated="")
        self._said[made.id] = made
        return made

    def edit(self, repo: str, comment: int, body: str) -> Comment:
        self._tell(f"edit comment {comment}", body)
        self._bodies[comment] = body
        return self.comment(repo, comment)

    def remove(self, _repo: str, comment: int) -> None:
        self._tell(f"delete comment {comment}", "")
        self._gone.add(comment)

    def react(self, _repo: str, comment: int, content: str) -> Reaction:
        self._tell(f"react with {content} on comment {comment}", "")
        return Reaction(id=0, author=self.who(), content=content)

    def unreact(self, _repo: str, comment: int, reaction: int) -> None:
        self._tell(f"take reaction {reaction} off comment {comment}", "")

    def label(self, _repo: str, number: int, name: str) -> None:
        self._tell(f"label {number} as {name}", "")

    def open_pull(self, repo: str, draft: Draft) -> Pull:
        raise Refusal(Why.FORBIDDEN, f"a rehearsal opens no pull request in {repo}: {draft.title}")

    def edit_pull(self, repo: str, number: int, *, title: str, body: str) -> Pull:
        self._tell(f"edit pull request {number}, {title}", body)
        return self._hub.pull(repo, number)

    def start_check(self, _repo: str, commit: str, name: str, external: str) -> int:
        self._tell(f"check run {name} ({external}) on {commit}", "")
        return 0

    def finish_check(
        self, _repo: str, check: int, conclusion: str, summary: str, annotations: Sequence[Annotation]
    ) -> None:
        self._tell(f"end check run {check} as {conclusion} with {len(annotations)} annotations", summary)
