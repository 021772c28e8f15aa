"""Pull requests: what git says, forks, trial merges, and GitHub's refusals to open one."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from bot.sandbox import Hub
from tests.sandbox.talking import FORK, PULL, SHOP, Client

PULLS = f"/repos/{SHOP}/pulls"
Clients = Callable[[str], Client]


def git(*args: str) -> str:
    who = ("-c", "user.name=Bob", "-c", "user.email=bob@example.org")
    return subprocess.run(["git", *who, *args], check=True, capture_output=True, text=True).stdout.strip()


def test_c1_a_plain_push_to_the_fork_moves_the_head(hub: Hub, bob: Client, tmp_path: Path) -> None:
    work = str(tmp_path / "work")
    git("clone", "--quiet", "--branch", "fix", str(hub.git_dir(FORK)), work)
    git("-C", work, "commit", "--quiet", "--allow-empty", "--message", "more")
    git("-C", work, "push", "--quiet", "origin", "fix")
    head = git("-C", work, "rev-parse", "HEAD")
    assert bob.get(PULL).json["head"]["sha"] == head
    assert bob.get(f"/repos/{SHOP}/git/ref/pull/1/head").json["object"]["sha"] == head
    assert git("-C", str(hub.git_dir(SHOP)), "rev-parse", "refs/pull/1/head") == head
    moved = hub.events[-1]
    assert (moved.name, moved.action, moved.payload["after"]) == ("pull_request", "synchronize", head)


def test_c2_a_force_push_shows_in_git_while_the_pull_request_is_stale(hub: Hub, bob: Client) -> None:
    old = str(hub.ref(SHOP, "pull/1/head"))
    hub.fail.stale_head(SHOP, 1, reads=2)
    new = hub.commit(FORK, "main", {"till.py": "three\n"})
    hub.branch(FORK, "fix", new)
    assert [bob.get(PULL).json["head"]["sha"] for _ in range(2)] == [old, old]
    assert bob.get(f"/repos/{SHOP}/git/ref/pull/1/head").json["object"]["sha"] == new
    assert bob.get(PULL).json["head"]["sha"] == new


def test_the_trial_merge_is_not_there_in_the_first_answer(bob: Client, hub: Hub) -> None:
    first, second = bob.get(PULL).json, bob.get(PULL).json
    assert (first["merge_commit_sha"], first["mergeable"], first["mergeable_state"]) == (
        None,
        None,
        "unknown",
    )
    assert second["mergeable"] is True
    merge = str(second["merge_commit_sha"])
    parents = git("-C", str(hub.git_dir(SHOP)), "show", "--no-patch", "--format=%P", merge).split()
    assert parents == [second["base"]["sha"], second["head"]["sha"]]


def test_c20_the_base_moves_and_so_does_the_trial_merge(hub: Hub, bob: Client) -> None:
    bob.get(PULL)
    before = bob.get(PULL).json
    hub.commit(SHOP, "main", {"other.py": "x\n"})
    assert bob.get(PULL).json["merge_commit_sha"] is None
    after = bob.get(PULL).json
    assert after["head"]["sha"] == before["head"]["sha"]
    assert after["merge_commit_sha"] != before["merge_commit_sha"]


def test_a_conflict_leaves_no_trial_merge(hub: Hub, bob: Client) -> None:
    hub.commit(SHOP, "main", {"till.py": "mine\n"})
    bob.get(PULL)
    shown = bob.get(PULL).json
    assert (shown["mergeable"], shown["mergeable_state"], shown["merge_commit_sha"]) == (False, "dirty", None)


def test_commits_and_files_are_gits(bob: Client) -> None:
    (commit,) = bob.get(f"{PULL}/commits").json
    assert (commit["commit"]["message"], commit["author"]["login"]) == ("fix the till", "bob")
    files = {one["filename"]: one for one in bob.get(f"{PULL}/files").json}
    assert (files["new.py"]["status"], files["new.py"]["previous_filename"]) == ("renamed", "old.py")
    assert (files["till.py"]["additions"], files["till.py"]["deletions"]) == (1, 1)


def test_two_commits_are_compared_from_where_they_parted(hub: Hub, bob: Client) -> None:
    head = hub.ref(SHOP, "pull/1/head")
    hub.commit(SHOP, "main", {"other.py": "x\n"})
    told = bob.get(f"/repos/{SHOP}/compare/main...{head}").json
    assert (told["status"], told["ahead_by"], told["behind_by"]) == ("diverged", 1, 1)
    assert {one["filename"] for one in told["files"]} == {"till.py", "new.py"}
    assert bob.get(f"/repos/{SHOP}/compare/main...nothing").status == 404


def test_refs_that_are_not_there_are_404(bob: Client) -> None:
    assert bob.get(f"/repos/{SHOP}/git/ref/heads/none").status == 404
    assert bob.get(f"/repos/{SHOP}/branches/none").message == "Branch not found"


def test_c48_a_deleted_fork_leaves_no_repository(hub: Hub) -> None:
    hub.delete(FORK)
    # Not held against the description: GitHub answers null here, and describes an object.
    shown = Client(hub=hub).get(PULL).json
    assert shown["head"]["repo"] is None
    assert shown["head"]["sha"] == hub.ref(SHOP, "pull/1/head")


def test_c50_draft_closed_and_merged_show(hub: Hub, bob: Client) -> None:
    hub.draft(SHOP, 1)
    assert bob.get(PULL).json["draft"] is True
    merge = hub.merge(SHOP, 1, by="ada")
    shown = bob.get(PULL).json
    assert (shown["state"], shown["merged"], shown["merged_by"]["login"]) == ("closed", True, "ada")
    assert shown["merge_commit_sha"] == merge == hub.ref(SHOP, "heads/main")
    assert bob.get(PULLS).json == []
    assert len(bob.get(f"{PULLS}?state=closed").json) == 1


def test_lists_are_filtered_by_head_base_and_state(hub: Hub, bob: Client) -> None:
    hub.commit(SHOP, "dev", {"x": "1\n"})
    hub.commit(SHOP, "topic", {"y": "1\n"})
    hub.open(SHOP, head="topic", by="ada", base="dev")
    assert [one["number"] for one in bob.get(PULLS).json] == [2, 1]
    assert [one["number"] for one in bob.get(f"{PULLS}?head=bob:fix").json] == [1]
    assert [one["number"] for one in bob.get(f"{PULLS}?head=acme:topic&base=dev").json] == [2]
    assert bob.get(f"{PULLS}?head=eve:fix").json == []
    assert bob.get(f"{PULLS}?state=ajar").status == 422


def test_an_outsider_opens_one_from_a_fork(hub: Hub, bob: Client) -> None:
    hub.commit(FORK, "second", {"second.py": "x\n"})
    made = bob.post(PULLS, title="Second", head="bob:second", base="main", body="b", draft=True)
    assert (made.status, made.json["number"], made.json["draft"]) == (201, 2, True)
    assert made.json["head"]["label"] == "bob:second"
    assert hub.ref(SHOP, "pull/2/head") == made.json["head"]["sha"]


def test_a_second_one_of_the_same_branches_is_refused(hub: Hub, bob: Client) -> None:
    again = {"title": "Again", "head": "bob:fix", "base": "main"}
    answer = bob.post(PULLS, **again)
    assert (answer.status, answer.errors[0]["message"]) == (422, "A pull request already exists for bob:fix.")
    hub.close(SHOP, 1)
    assert bob.post(PULLS, **again).status == 201


def test_what_cannot_be_a_pull_request_is_refused(hub: Hub, bob: Client, ada: Client) -> None:
    hub.branch(SHOP, "same", str(hub.ref(SHOP, "heads/main")))
    cases = {
        ("bob:none", "main"): "head",
        ("bob:fix", "none"): "base",
        ("eve:fix", "main"): "head",
        ("same", "main"): "No commits between main and same",
    }
    for (head, base), what in cases.items():
        error = ada.post(PULLS, title="x", head=head, base=base).errors[0]
        assert what in (error.get("field"), error.get("message"))
    assert (
        bob.post(PULLS, title="x", head="same", base="main").errors[0]["message"] == "must be a collaborator"
    )
    assert ada.post(PULLS, title=" ", head="same", base="main").status == 422


def test_title_and_text_have_limits(bob: Client) -> None:
    for change in ({"title": "x" * 257}, {"body": "x" * 65_537}):
        assert bob.ask("PATCH", PULL, change).status == 422
    assert bob.patch(PULL, title="x" * 256, body="x" * 65_536).status == 200


def test_others_pull_requests_are_edited_by_writers_only(hub: Hub, ada: Client, client: Clients) -> None:
    assert client(hub.token("eve")).patch(PULL, title="mine").status == 403
    assert ada.patch(PULL, title="Better", base="main").json["title"] == "Better"


def test_closing_and_reopening_are_events(hub: Hub, bob: Client) -> None:
    assert bob.patch(PULL, state="closed").json["closed_at"]
    assert bob.patch(PULL, state="open").json["state"] == "open"
    assert [event.action for event in hub.events] == ["opened", "closed", "reopened"]


def test_what_is_merged_is_not_opened_again(hub: Hub, bob: Client) -> None:
    hub.merge(SHOP, 1)
    assert bob.patch(PULL, state="open").status == 422
