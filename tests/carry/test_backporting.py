"""Backports of the patch itself: what stands on the fork afterwards, and what is said where nothing does."""

import pytest
from msgspec import structs

from bot.carry import backporting, proving
from bot.carry.backporting import Result, pushing
from bot.errors import BotError
from bot.model import State
from tests.carry.backports import BOT, BROKEN, CONFLICT, CURED, FILE, MOVED, Yard, git_in
from tests.conftest import Workshop


@pytest.fixture
def yard(workshop: Workshop) -> Yard:
    workshop.patch()
    return Yard(workshop=workshop)


def test_c28_b11_one_conflicting_target_never_spoils_the_next(yard: Yard) -> None:
    shop = yard.workshop
    shop.commit("older", {FILE: CONFLICT}, "say it otherwise")
    shop.git("switch", "--quiet", "main")
    shop.commit("release/1.0", {FILE: MOVED}, "move")
    yard.make_fork()
    rows = yard.carry("main", "older", "release/1.0")
    assert [row.result for row in rows.values()] == [Result.PUSHED, Result.CONFLICTS, Result.PUSHED]
    assert yard.stands() == {name: rows[name].commit for name in ("main", "release/1.0")}
    older = rows["older"]
    assert older.state is State.CONFLICTS
    assert older.reason.startswith(f"conflicts in {FILE}: ")
    assert (older.branch, older.commit) == (None, None)
    moved = yard.git("show", f"upstream-bot/till/v1/release/1.0:{FILE}")
    assert moved.startswith('"""Moved down."""')
    assert "rate = 1" in moved


def test_c29_where_the_cure_is_there_already_there_is_no_branch(yard: Yard) -> None:
    yard.make_fork()
    row = yard.carry("cure")["cure"]
    assert (row.result, row.state) == (Result.NOT_NEEDED, State.UPSTREAM_IDENTICAL)
    assert row.reason.startswith("already contained, no pull request: ")
    assert not backporting.is_red(row)
    assert yard.stands() == {}


def test_where_the_defect_never_came_there_is_no_branch(yard: Yard) -> None:
    shop = yard.workshop
    shop.git("switch", "--quiet", "--orphan", "before")
    shop.commit("before", {"README": "nothing yet\n"}, "begin")
    yard.make_fork()
    row = yard.carry("before")["before"]
    assert (row.result, row.state) == (Result.NOT_NEEDED, State.NOT_AFFECTED_YET)
    assert row.reason.startswith("not affected: ")
    assert yard.stands() == {}


def test_c26_an_unknown_branch_is_refused_with_the_nearest_names_and_the_next_is_done(yard: Yard) -> None:
    yard.make_fork()
    rows = yard.carry("maim", "main")
    assert (rows["maim"].result, rows["maim"].state) == (Result.REFUSED, State.BRANCH_MISSING)
    assert "nearest: main" in rows["maim"].reason
    assert rows["main"].result is Result.PUSHED
    with pytest.raises(BotError, match="there is no branch 'maim'") as raised:
        backporting.refuse_unknown(yard.order("main", "maim"), lambda *_told: None)
    assert raised.value.hint == "nearest: main"


@pytest.mark.parametrize(
    "name", ["--upload-pack=touch$IFS/x", "../main", "refs/heads/main", "main@{1}", "HEAD", "m" * 300]
)
def test_c24_c25_what_is_no_branch_of_the_upstream_is_refused_and_git_never_hears_of_it(
    yard: Yard, name: str
) -> None:
    yard.make_fork()
    row = yard.carry(name)[name]
    assert (row.result, row.branch) == (Result.REFUSED, None)
    assert yard.stands() == {}


def test_c27_the_own_base_is_refused(yard: Yard) -> None:
    yard.make_fork()
    row = yard.carry("main", base="main")["main"]
    assert row.result is Result.REFUSED
    assert "own base" in row.reason
    assert yard.stands() == {}


def test_b12_the_same_branch_twice_is_one_row(yard: Yard) -> None:
    yard.make_fork()
    rows = backporting.backport(yard.order("main", "main"), lambda *_told: None)
    assert [row.target for row in rows] == ["main"]


def test_what_is_never_carried_is_refused(yard: Yard) -> None:
    shop = yard.workshop
    shop.manifest(shop.git("rev-parse", "main"), never_carry=["shop/*"])
    yard.make_fork()
    row = yard.carry("main")["main"]
    assert (row.result, row.reason) == (
        Result.REFUSED,
        f"the patch changes what is never carried: {FILE}",
    )
    assert yard.stands() == {}


def test_a_target_that_is_not_proven_gets_no_branch(yard: Yard) -> None:
    shop = yard.workshop
    shop.commit("main", {FILE: BROKEN.replace("amount * rate", "amount + rate")}, "break another thing")
    yard.make_fork()
    row = yard.carry("main")["main"]
    assert (row.result, row.verdict) == (Result.UNPROVEN, "base_broken")
    assert yard.stands() == {}


def test_c21_a_commit_of_a_person_on_our_branch_stops_us(yard: Yard) -> None:
    yard.make_fork()
    first = yard.carry("main")["main"]
    theirs = yard.person_commits(first.branch or "", {FILE: CURED + "\n# mine\n"}, "add a word")
    row = yard.carry("main")["main"]
    assert row.result is Result.BLOCKED
    assert row.commit is None
    assert "not ours" in row.reason
    assert yard.stands() == {"main": theirs}
    yard.workshop.commit("main", {"README": "the target moved\n"}, "move")
    assert yard.carry("main")["main"].result is Result.BLOCKED
    assert yard.stands() == {"main": theirs}


def test_c21_our_commit_with_other_words_is_a_persons(yard: Yard) -> None:
    yard.make_fork()
    row = yard.carry("main")["main"]
    words = yard.git("log", "-1", "--format=%B", row.commit or "").replace("keep", "hold")
    amended = yard.git("commit-tree", "-p", row.head or "", "-m", words, f"{row.commit}^{{tree}}")
    yard.git("update-ref", f"refs/heads/{row.branch}", amended)
    again = yard.carry("main")["main"]
    assert (again.result, yard.stands()) == (Result.BLOCKED, {"main": amended})


def test_b57_when_the_target_moved_our_own_commit_is_made_anew_on_it(yard: Yard) -> None:
    yard.make_fork()
    first = yard.carry("main")["main"]
    head = yard.workshop.commit("main", {"README": "the target moved\n"}, "move")
    row = yard.carry("main")["main"]
    assert (row.result, row.head) == (Result.PUSHED, head)
    assert row.commit != first.commit
    assert yard.stands() == {"main": row.commit}
    assert yard.git("rev-parse", f"{row.commit}^") == head


def test_a_branch_that_another_bot_of_ours_made_is_left_as_it_is(yard: Yard) -> None:
    yard.make_fork()
    other = backporting.Person(name="Other Bot", email="other@example.org")
    first = yard.carry("main", committer=other)["main"]
    row = yard.carry("main")["main"]
    assert (row.result, row.commit) == (Result.ALREADY_PUSHED, first.commit)
    assert yard.stands() == {"main": first.commit}


def test_a_branch_that_rests_on_a_newer_head_is_not_taken_back(yard: Yard) -> None:
    shop = yard.workshop
    shop.git("branch", "old", "main")
    shop.commit("main", {"README": "newer\n"}, "move")
    yard.make_fork()
    newer = yard.carry("main")["main"]
    shop.git("switch", "--quiet", "old")
    shop.git("branch", "--force", "main", "old")
    row = yard.carry("main")["main"]
    assert (row.result, row.commit) == (Result.ALREADY_PUSHED, newer.commit)
    assert "newer head" in row.reason
    assert yard.stands() == {"main": newer.commit}


def test_a_branch_that_moves_after_it_was_looked_at_stays_where_it_went(yard: Yard) -> None:
    yard.make_fork()
    row = yard.carry("main")["main"]
    order = yard.order("main")
    source = proving.open_source(order.proof, lambda *_told: None)
    assert order.push_to
    seen = pushing.look(source.store, order.push_to)
    theirs = yard.person_commits(row.branch or "", {FILE: CURED + "\n# mine\n"}, "add a word")
    why = pushing.push(source, order.push_to, row.head or "", row.branch or "", seen)
    assert pushing.STALE in why
    assert yard.stands() == {"main": theirs}
    none = pushing.There()
    assert pushing.STALE in pushing.push(source, order.push_to, row.head or "", row.branch or "", none)
    assert yard.stands() == {"main": theirs}


def test_b16_a_branch_named_like_our_prefix_is_told_and_another_prefix_taken(yard: Yard) -> None:
    yard.make_fork()
    yard.git("branch", "upstream-bot", "main")
    row = yard.carry("main")["main"]
    assert (row.result, row.branch) == (Result.PUSHED, "upstream-bot-backport/till/v1/main")
    assert "because another branch there blocks upstream-bot/" in row.reason
    assert yard.git("rev-parse", row.branch or "") == row.commit


def test_b17_targets_that_differ_in_one_mark_get_branches_of_their_own(yard: Yard) -> None:
    shop = yard.workshop
    shop.git("branch", "release/x", "main")
    shop.git("branch", "release-x", "main")
    yard.make_fork()
    rows = yard.carry("release/x", "release-x")
    assert yard.stands() == {name: row.commit for name, row in rows.items()}
    assert len(yard.stands()) == len(rows) == 2


def test_a_dry_run_says_what_would_be_and_leaves_the_fork_alone(yard: Yard) -> None:
    yard.make_fork()
    row = yard.carry("main", dry_run=True)["main"]
    assert (row.result, row.branch) == (Result.WOULD_PUSH, "upstream-bot/till/v1/main")
    assert yard.stands() == {}
    assert yard.carry("main")["main"].commit == row.commit


def test_the_same_inputs_make_the_same_commit_in_another_cache(yard: Yard) -> None:
    yard.make_fork()
    first = yard.carry("main", push=False)["main"]
    order = yard.order("main", push=False)
    apart = structs.replace(order, proof=structs.replace(order.proof, cache=yard.workshop.root / "cache2"))
    (second,) = backporting.backport(apart, lambda *_told: None)
    assert (second.result, second.commit) == (Result.KEPT, first.commit)


def test_a_target_that_the_manifest_names_in_vain_is_a_row(yard: Yard) -> None:
    shop = yard.workshop
    named = [{"name": "main", "expect": "affected"}, {"name": "gone", "expect": "affected"}]
    shop.manifest(shop.git("rev-parse", "main"), branches=named)
    yard.make_fork()
    rows = yard.carry()
    assert [row.result for row in rows.values()] == [Result.PUSHED, Result.REFUSED]
    assert rows["gone"].state is State.BRANCH_MISSING


def test_a_remote_that_cannot_be_read_stops_before_any_proof(yard: Yard) -> None:
    yard.fork.mkdir()
    with pytest.raises(BotError, match="local:fork.git cannot be read"):
        yard.carry("main")


def test_the_upstream_is_left_as_it_was(yard: Yard) -> None:
    yard.make_fork()
    files = [path for path in yard.workshop.upstream.rglob("*") if path.is_file()]
    stamps = {path: path.stat().st_mtime_ns for path in files}
    assert yard.carry("main")["main"].result is Result.PUSHED
    assert yard.carry("main")["main"].result is Result.ALREADY_PUSHED
    now = [path for path in yard.workshop.upstream.rglob("*") if path.is_file()]
    assert {path: path.stat().st_mtime_ns for path in now} == stamps


def test_a_partial_copy_of_the_upstream_pushes_to_a_fork_that_is_behind(yard: Yard) -> None:
    yard.make_fork()
    shop = yard.workshop
    for number in range(3):
        shop.commit("main", {"README": f"word {number}\n", FILE: MOVED}, f"go on {number}")
    row = yard.carry("main", upstream=f"file://{shop.upstream}")["main"]
    assert row.result is Result.PUSHED, row.reason
    assert yard.stands() == {"main": row.commit}
    assert git_in(yard.fork, "fsck", "--full", "--strict", "--no-dangling") == ""
    assert yard.git("log", "-1", "--format=%cn", row.commit or "") == BOT.name


def test_with_evidence_from_elsewhere_nothing_is_run_and_its_trees_are_made_anew(yard: Yard) -> None:
    yard.make_fork()
    order = yard.order("main")
    seen = proving.prove_branches(structs.replace(order.proof, branches=("main",)), lambda *_told: None)
    (target,) = seen.targets

    def carried(**changes: object) -> backporting.Row:
        forged = structs.replace(seen, targets=(structs.replace(target, **changes),))
        return backporting.backport(order, lambda *_told: None, forged)[0]

    assert carried(probes=()).result is Result.UNPROVEN
    assert carried(head="f" * 40).reason == "there is no evidence about its present head"
    assert carried(after_tree=target.before_tree).result is Result.FAILED
    assert carried(after_tree="f" * 40).result is Result.FAILED
    assert yard.stands() == {}
    good = carried()
    assert (good.result, yard.stands()) == (Result.PUSHED, {"main": good.commit})


def test_two_at_once_leave_one_branch(yard: Yard) -> None:
    yard.make_fork()
    shop = yard.workshop
    args = ("backport", "till", "--upstream", str(shop.upstream), "--runs", "1", "--push-to", str(yard.fork))
    who = {"GIT_COMMITTER_NAME": BOT.name, "GIT_COMMITTER_EMAIL": BOT.email}
    both = [shop.start(*args, **who), shop.start(*args, **who)]
    told = [one.communicate(timeout=100) for one in both]
    assert [one.returncode for one in both] == [0, 0], told
    assert set(yard.stands()) == {"main"}


def test_b57_a_target_that_moves_while_it_is_proven_is_told_and_the_next_run_follows(yard: Yard) -> None:
    shop = yard.workshop
    first = shop.git("rev-parse", "main")
    yard.make_fork()

    def move(_done: int, _total: int, what: str) -> None:
        if what == "looking at each target" and shop.git("rev-parse", "main") == first:
            shop.commit("main", {"README": "the target moved\n"}, "move")

    (row,) = backporting.backport(yard.order("main"), move)
    assert (row.result, row.head) == (Result.PUSHED, first)
    now = shop.git("rev-parse", "main")
    assert f"main moved to {now[:12]} while it was proven; this is about {first[:12]}" in row.reason
    assert yard.follow(row.recovery, shop.root) == [0]
    assert yard.git("rev-parse", "upstream-bot/till/v1/main^") == now


def test_b34_where_the_cure_was_reverted_we_stop_and_name_the_revert(yard: Yard) -> None:
    shop = yard.workshop
    shop.git("branch", "other", "main")
    shop.commit("main", {FILE: CURED}, "cure it")
    taker = shop.commit("main", {FILE: BROKEN}, "take it out again")
    yard.make_fork()
    rows = yard.carry("main", "other")
    assert [row.result for row in rows.values()] == [Result.REFUSED, Result.PUSHED]
    assert "on main the cure was reverted: " in rows["main"].reason
    assert taker[:12] in rows["main"].reason
    assert set(yard.stands()) == {"other"}
    (of_base,) = yard.carry("other", base="main").values()
    assert of_base.result is Result.REFUSED
    assert "on main the cure was reverted: " in of_base.reason
