"""What the bot asks of GitHub, and how GitHub refuses; `api.py` is the only one behind it."""

from collections.abc import Sequence
from typing import Protocol

from bot.errors import BotError, Exit
from bot.model.hub import (
    Account,
    Annotation,
    ChangedFile,
    CheckRun,
    Comment,
    Commit,
    Draft,
    Pull,
    Reaction,
    Repository,
    Why,
    WorkflowRun,
)


class Refusal(BotError):  # noqa: N818 (it is what GitHub did, not what went wrong here)
    """GitHub said no, or nothing, after all the patience that we have. `message` is foreign text in part."""

    def __init__(self, why: Why, message: str, hint: str = "") -> None:
        super().__init__(message, hint, Exit.RED)
        self.why = why


class Hub(Protocol):
    """Every call may raise Refusal. `repo` is `owner/name`; lists are whole (all pages), oldest first."""

    def me(self) -> Account:
        """Whose token this is. Refusal(FORBIDDEN) for a workflow's own token, which cannot ask."""

    def repository(self, repo: str) -> Repository: ...
    def permission(self, repo: str, login: str) -> str:
        """`admin`, `maintain`, `write`, `triage`, `read` or `none`, as GitHub says at this moment."""

    def branches(self, repo: str) -> tuple[str, ...]: ...
    def ref(self, repo: str, name: str) -> str | None:
        """The commit of `heads/main` or `pull/7/head`, None where there is no such ref."""

    def pull(self, repo: str, number: int) -> Pull: ...
    def pulls(self, repo: str, *, head: str = "", base: str = "", state: str = "open") -> tuple[Pull, ...]:
        """`head` is `owner:branch`."""

    def commits(self, repo: str, number: int) -> tuple[Commit, ...]: ...
    def files(self, repo: str, number: int) -> tuple[ChangedFile, ...]: ...
    def compare(self, repo: str, old: str, new: str) -> tuple[ChangedFile, ...]:
        """Files that differ between two commits."""

    def comment(self, repo: str, comment: int) -> Comment: ...
    def comments(self, repo: str, number: int, since: str = "") -> tuple[Comment, ...]: ...
    def reactions(self, repo: str, comment: int) -> tuple[Reaction, ...]: ...
    def check_runs(self, repo: str, commit: str) -> tuple[CheckRun, ...]: ...
    def workflow_runs(self, repo: str, *, branch: str = "", commit: str = "") -> tuple[WorkflowRun, ...]: ...

    # What changes something. Each is safe to repeat where GitHub makes it so; `say` is not.
    def say(self, repo: str, number: int, body: str) -> Comment: ...
    def edit(self, repo: str, comment: int, body: str) -> Comment: ...
    def remove(self, repo: str, comment: int) -> None: ...
    def react(self, repo: str, comment: int, content: str) -> Reaction: ...
    def unreact(self, repo: str, comment: int, reaction: int) -> None: ...
    def label(self, repo: str, number: int, name: str) -> None: ...
    def open_pull(self, repo: str, draft: Draft) -> Pull: ...
    def edit_pull(self, repo: str, number: int, *, title: str, body: str) -> Pull: ...
    def start_check(self, repo: str, commit: str, name: str, external: str) -> int:
        """Make a check run in progress, or find the one with that external id; returns its id."""

    def finish_check(
        self, repo: str, check: int, conclusion: str, summary: str, annotations: Sequence[Annotation]
    ) -> None:
        """Complete it; annotations go in requests of at most 50."""
