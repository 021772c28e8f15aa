"""What is read of GitHub, and that one refused read hides one thing only."""

from typing import Any

import pytest

from bot.github.port import Refusal
from bot.github.vetting import decide, look, read_offer
from bot.model.hub import Account, ChangedFile, Reaction, Why
from bot.model.vetting import Area, Stage
from tests.github.vetting.sights import (
    GATE,
    HEAD,
    NOW,
    OLD,
    RULES,
    STRANGER,
    US,
    VETTER,
    a_comment,
    a_commit,
    a_pull,
    waits,
)

REPO = "NVIDIA/Megatron-LM"
LATE = ChangedFile(path="uv.lock", status="modified", additions=1, deletions=1)


class Shown:
    """GitHub for reading only: it shows what it is given, and refuses the reads that are named."""

    def __init__(self, refused: tuple[str, ...] = (), why: Why = Why.FORBIDDEN, **shown: Any) -> None:
        self.refused = refused
        self.why = why
        self.shown: dict[str, Any] = {
            "pull": a_pull(), "pulls": (), "me": US, "ref": None, "comments": (), "check_runs": (),
            "workflow_runs": (), "commits": (a_commit(),), "files": (), "compare": (LATE,), "branches": (),
        } | shown  # fmt: skip
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        def answer(*args: Any, **_: Any) -> Any:
            self.asked.append(name)
            if name in self.refused:
                raise Refusal(self.why, "no")
            return self.shown["reactions"].get(args[1], ()) if name == "reactions" else self.shown[name]

        return answer


def seen_by(hub: Any) -> Any:
    return look(hub, REPO, 6856, RULES, NOW)


def thumb(account: Account) -> tuple[Reaction, ...]:
    return (Reaction(id=1, author=account, content="+1"),)


def test_only_the_gatekeepers_thumb_makes_an_approval_count() -> None:
    said = tuple(a_comment(n, who, f"/ok to test {HEAD}") for n, who in ((1, VETTER), (2, STRANGER)))
    hub = Shown(comments=(waits(), *said), reactions={1: thumb(GATE), 2: thumb(STRANGER)})
    standing = decide(seen_by(hub))
    assert [one.uncounted is None for one in standing.approvals] == [True, False]
    assert standing.stage is Stage.ACCEPTED


def test_an_outsiders_token_that_may_not_see_everything_still_tells_what_it_can() -> None:
    hub = Shown(refused=("me", "check_runs", "workflow_runs"), comments=(waits(),))
    standing = decide(seen_by(hub))
    assert standing.stage is Stage.NEEDS_VETTING
    assert set(standing.untold) == {"account", "checks", "runs"}


def test_a_hidden_mirror_is_unknown_and_never_unvetted() -> None:
    assert decide(seen_by(Shown(refused=("ref",)))).stage is Stage.UNKNOWN


def test_a_dead_token_is_told_and_not_taken_for_nothing_there() -> None:
    with pytest.raises(Refusal):
        seen_by(Shown(refused=("comments",), why=Why.UNAUTHORIZED))


def test_a_closed_pull_request_costs_one_read() -> None:
    hub = Shown(pull=a_pull(open=False))
    assert decide(seen_by(hub)).stage is Stage.CLOSED
    assert hub.asked == ["pull"]


def test_a_pull_request_in_the_merge_queue_is_known_by_its_branch() -> None:
    queue = (f"gh-readonly-queue/main/pr-6856-{OLD}",)
    hub = Shown(pull=a_pull(labels=("Approved",)), ref=HEAD, branches=queue)
    assert decide(seen_by(hub)).stage is Stage.MERGE_QUEUE


def test_the_offer_tells_what_is_new_since_the_last_vetted_head() -> None:
    other = a_commit(id=OLD, message="x\n\nSigned-off-by: Some Body <body@example.org>")
    moved = ChangedFile(
        path="docs/a.md", previous=".github/CODEOWNERS", status="renamed", additions=0, deletions=0
    )
    hub: Any = Shown(ref=OLD, commits=(a_commit(), other), files=(moved,))
    offer = read_offer(hub, REPO, seen_by(hub))
    assert (offer.since, offer.vetted_head, offer.unsigned) == ((LATE,), OLD, (OLD,))
    assert offer.touched[Area.OWNERS] == (".github/CODEOWNERS",)
    refusing: Any = Shown(refused=("compare", "files"), ref=OLD)
    offer = read_offer(refusing, REPO, seen_by(refusing))
    assert (offer.since, offer.hidden) == (None, ("files", "compare"))
