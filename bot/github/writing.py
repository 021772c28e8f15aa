"""What the bot changes on GitHub; what must not be made twice is looked for before it is tried again."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bot.github import payloads, translate
from bot.github.asking import Request, of
from bot.github.instants import instant
from bot.github.port import Refusal
from bot.github.reading import Reader
from bot.model.hub import Account, Annotation, Comment, Draft, Pull, Reaction, Why

T = TypeVar("T")

#: GitHub takes so many annotations a request, and adds them to those that are there.
ANNOTATIONS = 50
TITLE = 100
#: GitHub tells times in whole seconds.
ROUNDING = 2.0


class Writer(Reader):
    def say(self, repo: str, number: int, body: str) -> Comment:
        where = of(repo, "issues", number, "comments")
        fresh = self.freshness()

        def look() -> payloads.Comment | None:
            found = self.asker.every(where, list[payloads.Comment])
            return next((one for one in found if fresh(one) and self.is_ours(one, body)), None)

        request = Request(method="POST", path=where, body={"body": body})
        return self.seen(translate.comment(self.asker.ask(request, payloads.Comment, look)))

    def freshness(self) -> Callable[[payloads.Comment], bool]:
        """Whether a comment was made from now on: by its number, or by GitHub's clock where none was seen."""
        newest, begun = self.asker.newest, self.asker.patience.clock()

        def is_fresh(comment: payloads.Comment) -> bool:
            if newest:
                return comment.id > newest
            elapsed = self.asker.patience.clock() - begun
            return instant(comment.created_at).timestamp() >= self.asker.heard - elapsed - ROUNDING

        return is_fresh

    def is_ours(self, comment: payloads.Comment, body: str) -> bool:
        same = flat(comment.body or "") == flat(body)
        return same and self.is_me(translate.account(comment.user))

    def is_me(self, author: Account) -> bool:
        """An App's or a workflow's token cannot ask whose it is; no person has such a token."""
        try:
            return author.id == self.me().id
        except Refusal as refusal:
            if refusal.why is not Why.FORBIDDEN:
                raise
            return author.kind == "Bot"

    def edit(self, repo: str, comment: int, body: str) -> Comment:
        where = of(repo, "issues", "comments", comment)
        return self.seen(translate.comment(self.patch(where, {"body": body}, payloads.Comment)))

    def remove(self, repo: str, comment: int) -> None:
        self.asker.erase(of(repo, "issues", "comments", comment))

    def react(self, repo: str, comment: int, content: str) -> Reaction:
        where = of(repo, "issues", "comments", comment, "reactions")
        return translate.reaction(self.post(where, {"content": content}, payloads.Reaction))

    def unreact(self, repo: str, comment: int, reaction: int) -> None:
        self.asker.erase(of(repo, "issues", "comments", comment, "reactions", reaction))

    def label(self, repo: str, number: int, name: str) -> None:
        self.post(of(repo, "issues", number, "labels"), {"labels": [name]}, list[payloads.Label])

    def open_pull(self, repo: str, draft: Draft) -> Pull:
        where = of(repo, "pulls")
        owner, _, branch = draft.head.rpartition(":")
        whose = owner or repo.partition("/")[0]
        query = {"head": f"{whose}:{branch}", "base": draft.base, "state": "open"}

        def look() -> payloads.Pull | None:
            found = self.asker.every(where, list[payloads.Pull], **query)
            return next((one for one in found if is_from(one, whose, branch)), None)

        body: dict[str, object] = {
            "head": draft.head, "base": draft.base, "title": draft.title, "body": draft.body,
            "draft": draft.draft,
        }  # fmt: skip
        request = Request(method="POST", path=where, body=body)
        return translate.pull(self.asker.ask(request, payloads.Pull, look))

    def edit_pull(self, repo: str, number: int, *, title: str, body: str) -> Pull:
        told: dict[str, object] = {"title": title, "body": body}
        return translate.pull(self.patch(of(repo, "pulls", number), told, payloads.Pull))

    def start_check(self, repo: str, commit: str, name: str, external: str) -> int:
        where = of(repo, "commits", commit, "check-runs")

        def look() -> payloads.Check | None:
            pages = self.asker.pages(where, payloads.Checks, check_name=name, filter="all")
            found = [one for page in pages for one in page.check_runs if one.external_id == external]
            return found[-1] if found else None

        if there := look():
            return there.id
        body: dict[str, object] = {
            "head_sha": commit, "name": name, "external_id": external, "status": "in_progress"
        }  # fmt: skip
        request = Request(method="POST", path=of(repo, "check-runs"), body=body)
        return self.asker.ask(request, payloads.Check, look).id

    def finish_check(
        self, repo: str, check: int, conclusion: str, summary: str, annotations: Sequence[Annotation]
    ) -> None:
        """Annotations that are there from an earlier try are not sent again."""
        where = of(repo, "check-runs", check)
        output = {"title": title(summary) or conclusion, "summary": summary}
        ended: dict[str, object] = {"status": "completed", "conclusion": conclusion}
        left = self.absent(where, annotations)
        while len(left) > ANNOTATIONS:
            self.annotate(where, {}, output, left[:ANNOTATIONS])
            left = left[ANNOTATIONS:]
        self.annotate(where, ended, output, left)

    def annotate(
        self, where: str, told: dict[str, object], output: dict[str, str], notes: Sequence[Annotation]
    ) -> None:
        def look() -> payloads.Check | None:
            return None if self.absent(where, notes) else self.asker.get(where, payloads.Check)

        added = {"annotations": [translate.payload(one) for one in notes]} if notes else {}
        request = Request(method="PATCH", path=where, body=told | {"output": output | added})
        self.asker.ask(request, payloads.Check, look if notes else None)

    def absent(self, where: str, notes: Sequence[Annotation]) -> tuple[Annotation, ...]:
        """Those that the check run does not have yet, each once."""
        if not notes:
            return ()
        told = self.asker.every(f"{where}/annotations", list[payloads.Note])
        there = {translate.annotation(one) for one in told}
        return tuple(one for one in dict.fromkeys(notes) if one not in there)

    def post(self, where: str, body: dict[str, object], kind: type[T]) -> T:
        """For what GitHub makes once, however often it is asked."""
        return self.asker.ask(Request(method="POST", path=where, body=body), kind)

    def patch(self, where: str, body: dict[str, object], kind: type[T]) -> T:
        return self.asker.ask(Request(method="PATCH", path=where, body=body), kind)


def flat(body: str) -> str:
    return body.replace("\r\n", "\n").strip()


def is_from(pull: payloads.Pull, owner: str, branch: str) -> bool:
    """GitHub's own filter is not relied on."""
    whose = pull.head.repo.full_name.partition("/")[0] if pull.head.repo else owner
    return pull.head.ref == branch and whose.lower() == owner.lower()


def title(summary: str) -> str:
    """The first line, without the marks of a heading."""
    return summary.strip().partition("\n")[0].lstrip("# ")[:TITLE].strip()
