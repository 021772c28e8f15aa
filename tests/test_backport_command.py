"""`backport` from the command line: what stands on the remote, and what is said where nothing does."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot import sandbox
from bot.carry import backporting
from bot.sandbox import Hub
from tests.conftest import BROKEN, FILE, Done, Workshop

WHO = {"GIT_COMMITTER_NAME": "Carla Bot", "GIT_COMMITTER_EMAIL": "carla@example.org"}
CONFLICT = BROKEN.replace("no rate for {currency}", "there is no rate for {currency}")
BRANCH = "upstream-bot/till/v1/"
#: The names and their order are a contract.
KEYS = [
    "target", "head", "state", "verdict", "result", "branch", "commit", "tree", "reason", "recovery",
    "pull_request",
]  # fmt: skip


def fork(workshop: Workshop) -> Path:
    """A bare repository beside the upstream, with its branches."""
    place = workshop.root / "fork.git"
    subprocess.run(
        ("git", "clone", "--quiet", "--bare", str(workshop.upstream), str(place)), check=True, timeout=60
    )
    return place


def git_in(place: Path, *args: str) -> str:
    who = ("-c", "user.name=Per", "-c", "user.email=per@example.org")
    argv = ("git", *who, "-C", str(place), *args)
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60).stdout.strip("\n")


def backport(workshop: Workshop, *args: str, **env: str) -> Done:
    upstream = ("--upstream", str(workshop.upstream), "--runs", "1")
    return workshop.run("backport", "till", *upstream, *args, **(WHO | env))


def rows(done: Done) -> dict[str, Any]:
    told = done.json
    assert told["schema"] == "upstream-bot/backport/1"
    return {row["target"]: row for row in told["rows"]}


def shown(place: Path, branch: str) -> str:
    return git_in(place, "log", "-1", "--format=%H%n%T%n%P%n%an <%ae>%n%cn <%ce>%n%B", branch)


def test_a_proven_target_stands_on_the_remote_with_author_sign_off_and_trailer(workshop: Workshop) -> None:
    workshop.patch()
    place = fork(workshop)
    done = backport(workshop, "--to", "main", "--push-to", str(place), "--json")
    assert done.code == 0, done.out + done.err
    row = rows(done)["main"]
    assert list(row) == KEYS
    assert (row["result"], row["state"], row["verdict"]) == ("pushed", "applies_exact", "proven")
    assert (row["branch"], row["pull_request"]) == (f"{BRANCH}main", None)
    told = [
        row["commit"],
        row["tree"],
        row["head"],
        "Ada <ada@example.org>",
        "Carla Bot <carla@example.org>",
        "keep the amount when there is no rate",
        "",
        "Patch-Version: till/v1",
        "Signed-off-by: Carla Bot <carla@example.org>",
    ]
    assert shown(place, row["branch"]).splitlines() == told
    again = rows(backport(workshop, "--to", "main", "--push-to", str(place), "--json"))["main"]
    assert (again["result"], again["commit"]) == ("already_pushed", row["commit"])


def test_where_one_target_is_red_the_exit_code_is_and_the_others_are_done(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("older", {FILE: CONFLICT}, "say it otherwise")
    place = fork(workshop)
    done = backport(workshop, "--to", "older", "--to", "main", "--to", "cure", "--push-to", str(place))
    assert done.code == 1, done.err
    older, main, cure = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert older.startswith(f"older: conflicts: conflicts in {FILE}: ")
    assert main.startswith("main: pushed: proven on ")
    assert cure.startswith("cure: not_needed: already contained, no pull request: ")
    assert "  git -C till-older am --3way -- " in done.out
    assert git_in(place, "for-each-ref", "--format=%(refname)", "refs/heads/upstream-bot").endswith("/main")


def test_without_targets_the_affected_branches_are_meant_and_kept_without_a_remote(
    workshop: Workshop,
) -> None:
    workshop.patch()
    done = backport(workshop)
    assert done.code == 0, done.err
    assert done.out.startswith("main: kept: proven on ")
    assert "refs/backports/" in done.out
    dry = backport(workshop, "--dry-run")
    assert (dry.code, dry.out.partition(" proven")[0]) == (0, "main: would_push:")


@pytest.mark.parametrize("name", ["mian", "refs/heads/main", "main*", "../main", "-main", "HEAD"])
def test_c25_c26_a_name_that_does_not_exist_is_a_usage_error(workshop: Workshop, name: str) -> None:
    workshop.patch()
    place = fork(workshop)
    done = backport(workshop, f"--to={name}", "--to", "main", "--push-to", str(place), "--json")
    assert (done.code, done.out) == (2, "")
    assert git_in(place, "for-each-ref", "refs/heads/upstream-bot") == ""
    if name == "mian":
        assert "nearest: main" in done.err


@pytest.mark.parametrize(
    "remote", ["ext::sh -c true", "-x", "nowhere", "https://-host/x", "file://{root}/gone.git", " "]
)
def test_what_cannot_be_pushed_to_is_a_usage_error(workshop: Workshop, remote: str) -> None:
    workshop.patch()
    done = backport(workshop, "--to", "main", f"--push-to={remote.format(root=workshop.root)}")
    assert (done.code, done.out) == (2, "")


def test_without_anybody_who_signs_off_nothing_is_made(workshop: Workshop) -> None:
    workshop.patch()
    none = {"GIT_COMMITTER_NAME": "", "GIT_COMMITTER_EMAIL": "", "HOME": str(workshop.root)}
    done = backport(workshop, "--to", "main", **none, XDG_CONFIG_HOME=str(workshop.root))
    if done.code == 0:
        pytest.skip("this machine's own git configuration names somebody for every user")
    assert (done.code, done.out) == (2, "")
    assert "nobody is named who commits and signs off" in done.err


def test_a_token_is_neither_shown_nor_given_to_a_foreign_host(workshop: Workshop) -> None:
    workshop.patch()
    token = "not-a-real-token"  # noqa: S105 (it opens nothing)
    secret = {"GH_TOKEN": token, "GITHUB_API_URL": "http://localhost:9"}
    done = backport(workshop, "--to", "main", "--push-to", "https://localhost:9/acme/shop.git", **secret)
    assert (done.code, done.out) == (2, "")
    assert token not in done.err
    to = backporting.place("https://localhost:9/acme/shop.git", token)
    assert token not in to.typed + to.address.shown + to.address.url
    assert to.header.startswith("Authorization: Basic ")
    assert to.header not in to.address.redact(f"fatal: {to.header}")
    assert token not in to.address.redact(f"fatal: unable to access {to.address.url}: {token}")
    for other in ("http://localhost:9/acme/shop.git", "ssh://git@localhost/shop", "https://me@localhost/a/b"):
        assert backporting.place(other, token).header == ""


@dataclass(frozen=True, kw_only=True)
class Town:
    """The upstream on an embedded GitHub, and bob's fork, to which git pushes by its address there."""

    workshop: Workshop
    hub: Hub

    @property
    def env(self) -> dict[str, str]:
        return {"GH_TOKEN": self.hub.token("bob"), "GITHUB_API_URL": self.hub.url, "HOME": str(self.home)}

    @property
    def home(self) -> Path:
        return self.workshop.root / "home"

    def prepare(self) -> None:
        base = self.workshop.git("rev-parse", "main")
        self.workshop.manifest(base, upstream={"repo": f"{self.hub.url}/acme/shop.git", "paths": ["shop"]})
        self.hub.account("bob")
        self.hub.repo("acme/shop", source=self.workshop.upstream / ".git")
        self.hub.fork("acme/shop", "bob")
        self.home.mkdir()
        there = self.hub.git_dir("bob/shop").parents[1]
        config = f'[url "{there}/"]\n\tinsteadOf = {self.hub.url}/\n'
        (self.home / ".gitconfig").write_text(config, encoding="utf-8")

    def backport(self, *args: str) -> Done:
        return backport(self.workshop, "--push-to", f"{self.hub.url}/bob/shop.git", *args, **self.env)


@pytest.fixture
def town(workshop: Workshop) -> Iterator[Town]:
    """Yield a town whose upstream holds the patch's defect."""
    workshop.patch()
    with sandbox.started(workshop.root / "hub") as hub:
        made = Town(workshop=workshop, hub=hub)
        made.prepare()
        yield made


def test_b46_a_draft_pull_request_is_opened_once_and_adopted_by_the_next_run(town: Town) -> None:
    done = town.backport("--to", "main", "--to", "cure", "--json")
    assert done.code == 0, done.out + done.err
    told = rows(done)
    assert (told["main"]["pull_request"], told["cure"]["pull_request"]) == (1, None)
    repo = town.hub.world.repository("acme/shop")
    (pull,) = repo.pulls.values()
    assert (pull.draft, pull.base, pull.head_branch) == (True, "main", f"{BRANCH}main")
    assert pull.head == told["main"]["commit"]
    assert "A bot writes this for the owner of this account" in pull.body
    assert "[x]" not in pull.body
    town.hub.forget_log()
    again = rows(town.backport("--to", "main", "--json"))["main"]
    assert (again["result"], again["pull_request"]) == ("already_pushed", 1)
    assert not [entry for entry in town.hub.writes() if entry.method != "GET"]


def test_b8_c21_after_a_close_a_new_one_and_over_a_persons_commit_none(town: Town) -> None:
    first = rows(town.backport("--to", "main", "--json"))["main"]
    town.hub.close("acme/shop", 1)
    assert rows(town.backport("--to", "main", "--json"))["main"]["pull_request"] == 2
    theirs = town.hub.commit("bob/shop", first["branch"], {FILE: "mine\n"}, by="bob")
    done = town.backport("--to", "main", "--json")
    assert (done.code, rows(done)["main"]["result"]) == (1, "blocked")
    assert git_in(town.hub.git_dir("bob/shop"), "rev-parse", first["branch"]) == theirs


def test_b47_what_github_refuses_is_said_in_the_row_and_the_branch_stands(town: Town) -> None:
    town.hub.fail.status(403, times=1, method="POST", path="*/pulls", message="Resource not accessible")
    done = town.backport("--to", "main", "--json")
    row = rows(done)["main"]
    assert (done.code, row["result"], row["pull_request"]) == (1, "failed", None)
    assert "no pull request: " in row["reason"]
    assert rows(town.backport("--to", "main", "--json"))["main"]["pull_request"] == 1


def test_a_connection_that_dies_after_the_write_leaves_one_pull_request(town: Town) -> None:
    town.hub.fail.dead(times=1, method="POST", path="*/pulls")
    town.backport("--to", "main", "--json")
    row = rows(town.backport("--to", "main", "--json"))["main"]
    assert row["pull_request"] == 1
    assert len(town.hub.world.repository("acme/shop").pulls) == 1
