"""What people do on the sandbox without the API: open, push, comment, react, merge, lock; no rule binds."""

from typing import Any

from bot.errors import BotError
from bot.model.hub import Draft
from bot.sandbox import backing, events, heads
from bot.sandbox.calls import labels as labelling
from bot.sandbox.calls.pulls import open_pull
from bot.sandbox.records import Check, Comment, Pull, Reaction, Repository, Review, Run
from bot.sandbox.world import World


class Acting:
    """Verbs of people; each makes the events that GitHub would send."""

    world: World

    def open(self, repo: str, *, head: str, by: str, base: str = "main", **more: Any) -> int:
        """Open a pull request from `owner:branch`, or a branch of the repository; return its number.

        `more` sets title, body and draft.
        """
        with self.world.changing():
            found, by_account = self.world.repository(repo), self.world.known(by)
            owner, _, branch = head.rpartition(":")
            source = self.network(found, owner) if owner else found
            told: dict[str, Any] = {"title": "a change", "body": "", "draft": False} | more
            draft = Draft(head=branch, base=base, **told)
            pull = open_pull(self.world, found, source, draft, by_account)
            events.pull_request(self.world, found, pull, "opened", pull.author)
            return pull.number

    def network(self, repo: Repository, owner: str) -> Repository:
        for one in self.world.repositories.values():
            if one.owner.login == owner and repo.id in (one.id, one.parent) and not one.deleted:
                return one
        raise BotError(f"{owner} has no fork of {repo.full_name}", "make one with `hub.fork(…)`")

    def refresh(self, repo: str) -> None:
        """Notice pushes now, not at the next request."""
        with self.world.changing():
            found = self.world.repository(repo)
            for pull, before in heads.refresh(self.world, found):
                events.moved(self.world, found, pull, before)

    def say(self, repo: str, number: int, by: str, body: str) -> int:
        """Comment; return the comment's id."""
        with self.world.changing():
            found, version = self.world.repository(repo), self.world.version(body)
            comment = Comment(
                id=self.world.new_id(), repo=found.id, number=number, author=self.world.known(by),
                created=version.moment, versions=[version],
            )  # fmt: skip
            self.world.comments[comment.id] = comment
            events.issue_comment(self.world, found, comment, "created", comment.author)
            return comment.id

    def edit(self, comment: int, by: str, body: str) -> None:
        with self.world.changing():
            found = self.world.comments[comment]
            found.versions.append(self.world.version(body))
            repo = self.world.repositories[found.repo]
            events.issue_comment(self.world, repo, found, "edited", self.world.known(by))

    def remove(self, comment: int, by: str) -> None:
        """Delete a comment."""
        with self.world.changing():
            found = self.world.comments[comment]
            repo = self.world.repositories[found.repo]
            events.issue_comment(self.world, repo, found, "deleted", self.world.known(by))
            found.versions.append(self.world.version(None))

    def react(self, comment: int, by: str, content: str) -> int:
        with self.world.changing():
            new = Reaction(
                id=self.world.new_id(), comment=comment, author=self.world.known(by), content=content,
                created=self.world.version(),
            )  # fmt: skip
            self.world.reactions[new.id] = new
            return new.id

    def review(self, repo: str, number: int, by: str, body: str = "", state: str = "approved") -> None:
        with self.world.changing():
            found, pull = self.world.repository(repo), self.world.pull(repo, number)
            one = Review(
                id=self.world.new_id(), author=self.world.known(by), state=state, body=body,
                commit=pull.head, submitted=self.world.clock.now(),
            )  # fmt: skip
            events.review(self.world, found, pull, one)

    def label(self, repo: str, number: int, name: str, by: str = "") -> None:
        with self.world.changing():
            found, pull = self.world.repository(repo), self.world.pull(repo, number)
            labelling.ensure(self.world, found, name)
            pull.labels.append(name)
            who = self.world.account(by) or found.owner
            events.labelled(self.world, found, pull, found.labels[name], who)

    def draft(self, repo: str, number: int, *, draft: bool = True, by: str = "") -> None:
        with self.world.changing():
            found, pull = self.world.repository(repo), self.world.pull(repo, number)
            pull.draft = draft
            self.tell(found, pull, "converted_to_draft" if draft else "ready_for_review", by)

    def lock(self, repo: str, number: int, *, locked: bool = True, by: str = "") -> None:
        with self.world.changing():
            found, pull = self.world.repository(repo), self.world.pull(repo, number)
            pull.locked = locked
            self.tell(found, pull, "locked" if locked else "unlocked", by)

    def close(self, repo: str, number: int, by: str = "") -> None:
        with self.world.changing():
            found, pull = self.world.repository(repo), self.world.pull(repo, number)
            pull.open, pull.closed = False, self.world.clock.now()
            self.tell(found, pull, "closed", by)

    def merge(self, repo: str, number: int, by: str = "") -> str:
        """Merge for good; return the merge commit, which is the base branch's head then."""
        with self.world.changing():
            found, pull = self.world.repository(repo), self.world.pull(repo, number)
            heads.refresh(self.world, found)
            if pull.merge_commit is None:
                raise BotError(f"pull request {number} has conflicts", "merge another one")
            backing.set_ref(found.git, f"heads/{pull.base}", pull.merge_commit)
            pull.merged, pull.open, pull.thinking, pull.mergeable = True, False, 0, None
            pull.closed = pull.merged_at = self.world.clock.now()
            pull.merger = self.world.account(by) or found.owner
            self.tell(found, pull, "closed", by)
            return pull.merge_commit

    def tell(self, repo: Repository, pull: Pull, action: str, by: str) -> None:
        events.pull_request(self.world, repo, pull, action, self.world.account(by) or repo.owner)

    def check(self, repo: str, commit: str, name: str, **more: Any) -> int:
        """A check run of somebody else's, green unless `more` sets status, conclusion or app."""
        with self.world.changing():
            told = {"status": "completed", "conclusion": "success", "app": "github-actions"} | more
            done = told["status"] == "completed"
            now = self.world.clock.now()
            new = Check(
                id=self.world.new_id(), repo=self.world.repository(repo).id, commit=commit, name=name,
                started=now, completed=now if done else None,
                **(told | ({} if done else {"conclusion": None})),
            )  # fmt: skip
            self.world.checks[new.id] = new
            return new.id

    def run(self, repo: str, *, branch: str, commit: str, **more: Any) -> int:
        """A workflow's run; `more` sets name, event, status, conclusion, attempt, path."""
        with self.world.changing():
            told = {"name": "CI", "event": "push"} | more
            new = Run(
                id=self.world.new_id(), repo=self.world.repository(repo).id, branch=branch, commit=commit,
                created=self.world.clock.now(), **told,
            )  # fmt: skip
            self.world.runs[new.id] = new
            return new.id
