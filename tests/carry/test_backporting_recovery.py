"""B48: each printed command is run, in a fresh place, and does what it is for; none of them forces."""

from pathlib import Path

import pytest

from bot.carry.backporting import Result, Row
from tests.carry.backports import CONFLICT, CURED, FILE, PREFIX, Yard, git_in
from tests.conftest import BROKEN, Workshop

BROKEN_OTHERWISE = BROKEN.replace("amount * rate", "amount + rate")


@pytest.fixture
def yard(workshop: Workshop) -> Yard:
    workshop.patch()
    return Yard(workshop=workshop)


@pytest.fixture
def place(yard: Yard) -> Path:
    """Where people sit: the folder with `patches/`, and nothing else of the bot's."""
    return yard.workshop.root


def unforced(row: Row) -> tuple[str, ...]:
    assert row.recovery
    for command in row.recovery:
        assert not {"--force", "-f", "--hard", "--force-with-lease"} & set(command.split())
    return row.recovery


def split(commands: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The commands up to where people mend, and those after it."""
    at = next(at for at, command in enumerate(commands) if command.startswith("#"))
    return commands[:at], commands[at + 1 :]


def test_b48_the_conflict_is_reproduced_in_a_clone_mended_and_pushed(yard: Yard, place: Path) -> None:
    yard.workshop.commit("older", {FILE: CONFLICT}, "say it otherwise")
    yard.make_fork()
    row = yard.carry("older")["older"]
    first, then = split(unforced(row))
    *made, picked = yard.follow(first, place)
    assert made == [0] * len(made)
    assert picked != 0
    clone = place / "till-older"
    assert "<<<<<<<" in (clone / FILE).read_text(encoding="utf-8")
    assert git_in(clone, "diff", "--name-only", "--diff-filter=U") == FILE
    (clone / FILE).write_text(CURED, encoding="utf-8")
    git_in(clone, "add", FILE)
    assert yard.follow(then, place) == [0] * len(then)
    assert set(yard.stands()) == {"older"}
    assert yard.git("rev-parse", f"{PREFIX}older^") == row.head


def test_a_conflict_of_a_pull_request_is_reproduced_in_a_clone(yard: Yard, place: Path) -> None:
    yard.workshop.commit("older", {FILE: CONFLICT}, "say it otherwise")
    yard.workshop.git("switch", "--quiet", "main")
    yard.pull(7, {FILE: CURED})
    yard.make_fork()
    row = yard.carry("older", proposal=7)["older"]
    assert row.result is Result.CONFLICTS
    assert FILE in row.reason
    first, then = split(unforced(row))
    *made, picked = yard.follow(first, place)
    assert made == [0] * len(made)
    assert picked != 0
    clone = place / "till-older"
    (clone / FILE).write_text(CURED, encoding="utf-8")
    git_in(clone, "add", FILE)
    assert yard.follow((f"GIT_EDITOR=true {then[0]}", *then[1:]), place) == [0] * len(then)
    assert set(yard.stands()) == {"older"}


def test_a_commit_that_is_kept_is_taken_into_a_clone(yard: Yard, place: Path) -> None:
    row = yard.carry("main", push=False)["main"]
    assert row.result is Result.KEPT
    git_in(place, "clone", "--quiet", str(yard.workshop.upstream), "mine")
    assert yard.follow(unforced(row), place / "mine") == [0]
    assert git_in(place / "mine", "rev-parse", f"{PREFIX}main") == row.commit
    assert git_in(place / "mine", "show", f"{PREFIX}main:{FILE}") == CURED.rstrip("\n")


def test_what_stands_on_a_branch_that_blocks_us_can_be_looked_at(yard: Yard, place: Path) -> None:
    yard.make_fork()
    first = yard.carry("main")["main"]
    theirs = yard.person_commits(first.branch or "", {FILE: CURED + "\n# mine\n"}, "add a word")
    row = yard.carry("main")["main"]
    commands = unforced(row)
    assert yard.follow(commands, place) == [0] * len(commands)
    assert git_in(place / "till-main", "rev-parse", "FETCH_HEAD") == theirs


def test_a_commit_that_the_remote_refuses_is_pushed_by_hand(yard: Yard, place: Path) -> None:
    hook = yard.make_fork() / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho refusing to update a workflow >&2\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    row = yard.carry("main")["main"]
    assert row.result is Result.FAILED
    assert "the remote refused: [remote rejected] (pre-receive hook declined)" in row.reason
    assert yard.stands() == {}
    hook.unlink()
    git_in(place, "clone", "--quiet", str(yard.workshop.upstream), "mine")
    assert yard.follow(unforced(row), place / "mine") == [0, 0]
    assert yard.stands() == {"main": row.commit}


@pytest.mark.parametrize("target", ["cure", "maim", "main"])
def test_the_bots_own_commands_run(yard: Yard, place: Path, target: str) -> None:
    if target == "main":
        yard.workshop.commit("main", {FILE: BROKEN_OTHERWISE}, "break another thing")
    yard.make_fork()
    row = yard.carry(target)[target]
    (code,) = yard.follow(unforced(row), place)
    assert code == {"cure": 0, "maim": 0, "main": 1}[target]
