"""What the bot reads of GitHub: each call is one request, and one more for each further page."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from bot.github import payloads, translate
from bot.github.asking import Asker, of, path
from bot.github.port import Refusal
from bot.model.hub import (
    Account,
    ChangedFile,
    CheckRun,
    Comment,
    Commit,
    Pull,
    Reaction,
    Repository,
    Why,
    WorkflowRun,
)

A = TypeVar("A")
B = TypeVar("B")


def each(turn: Callable[[A], B], told: Iterable[A]) -> tuple[B, ...]:
    return tuple(turn(one) for one in told)


class Reader:
    def __init__(self, asker: Asker) -> None:
        self.asker = asker

    def me(self) -> Account:
        return translate.account(self.asker.get(path("user"), payloads.User))

    def repository(self, repo: str) -> Repository:
        return translate.repository(self.asker.get(of(repo), payloads.Repo))

    def permission(self, repo: str, login: str) -> str:
        where = of(repo, "collaborators", login, "permission")
        return translate.permission(self.asker.get(where, payloads.Role))

    def branches(self, repo: str) -> tuple[str, ...]:
        found = self.asker.every(of(repo, "branches"), list[payloads.Named])
        return tuple(one.name for one in found)

    def ref(self, repo: str, name: str) -> str | None:
        where = of(repo, "git", "ref", name)
        try:
            return self.asker.get(where, payloads.Ref).object.sha
        except Refusal as refusal:
            if refusal.why is not Why.MISSING:
                raise
            return None

    def pull(self, repo: str, number: int) -> Pull:
        return translate.pull(self.asker.get(of(repo, "pulls", number), payloads.Pull))

    def pulls(self, repo: str, *, head: str = "", base: str = "", state: str = "open") -> tuple[Pull, ...]:
        order = {"sort": "created", "direction": "asc"}
        found = self.asker.every(
            of(repo, "pulls"), list[payloads.Pull], head=head, base=base, state=state, **order
        )
        return each(translate.pull, found)

    def commits(self, repo: str, number: int) -> tuple[Commit, ...]:
        """GitHub shows 250 at most."""
        return each(
            translate.commit, self.asker.every(of(repo, "pulls", number, "commits"), list[payloads.Commit])
        )

    def files(self, repo: str, number: int) -> tuple[ChangedFile, ...]:
        """GitHub shows 3,000 at most."""
        return each(
            translate.changed_file, self.asker.every(of(repo, "pulls", number, "files"), list[payloads.File])
        )

    def compare(self, repo: str, old: str, new: str) -> tuple[ChangedFile, ...]:
        """What `new` has since it left `old`: GitHub's way. It shows 300 files at most, on the first page."""
        where = of(repo, "compare", f"{old}...{new}")
        return each(translate.changed_file, self.asker.get(where, payloads.Comparison, per_page="1").files)

    def comment(self, repo: str, comment: int) -> Comment:
        told = self.asker.get(of(repo, "issues", "comments", comment), payloads.Comment)
        return self.seen(translate.comment(told))

    def comments(self, repo: str, number: int, since: str = "") -> tuple[Comment, ...]:
        found = self.asker.every(of(repo, "issues", number, "comments"), list[payloads.Comment], since=since)
        return tuple(self.seen(translate.comment(one)) for one in found)

    def seen(self, comment: Comment) -> Comment:
        self.asker.newest = max(self.asker.newest, comment.id)
        return comment

    def reactions(self, repo: str, comment: int) -> tuple[Reaction, ...]:
        where = of(repo, "issues", "comments", comment, "reactions")
        return each(translate.reaction, self.asker.every(where, list[payloads.Reaction]))

    def check_runs(self, repo: str, commit: str) -> tuple[CheckRun, ...]:
        """The latest of each App and name."""
        found = self.asker.pages(of(repo, "commits", commit, "check-runs"), payloads.Checks)
        told = [one for page in found for one in page.check_runs]
        return tuple(sorted(each(translate.check_run, told), key=lambda one: one.id))

    def workflow_runs(self, repo: str, *, branch: str = "", commit: str = "") -> tuple[WorkflowRun, ...]:
        found = self.asker.pages(of(repo, "actions", "runs"), payloads.Runs, branch=branch, head_sha=commit)
        told = [one for page in found for one in page.workflow_runs]
        return each(translate.workflow_run, reversed(told))
