"""`--from-pr`: the diff of a pull request, carried where it is the patch's version or a right cure."""

import pytest

from bot.carry import backporting
from bot.carry.backporting import Result
from bot.errors import BotError
from tests.carry.backports import CURED, FILE, MOVED, OTHER, WRONG, Yard, git_in
from tests.conftest import BROKEN, Workshop

ALSO = CURED.replace("def total", "\ndef half(amount):\n    return amount / 2\n\n\ndef total")


@pytest.fixture
def yard(workshop: Workshop) -> Yard:
    """A second branch to carry to, whose file is another than that of main."""
    workshop.patch()
    workshop.commit("moved", {FILE: MOVED}, "move")
    workshop.git("switch", "--quiet", "main")
    return Yard(workshop=workshop)


def message(yard: Yard, commit: str | None) -> list[str]:
    return yard.git("log", "-1", "--format=%an%n%B", commit or "").splitlines()


def test_the_patchs_version_is_carried_as_the_patch(yard: Yard) -> None:
    yard.pull(7, {FILE: CURED}, message="Fix the till")
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.PUSHED, row.reason
    assert row.reason.endswith("; the diff of pull request 7 is the patch's v1")
    assert "Patch-Version: till/v1" in message(yard, row.commit)


def test_a_right_cure_in_other_words_is_carried_with_its_own_words(yard: Yard) -> None:
    head = yard.pull(7, {FILE: OTHER}, message="Fix the till\n\nIn my words.")
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.PUSHED, row.reason
    assert row.reason.endswith("; the diff of pull request 7")
    assert message(yard, row.commit) == [
        "Ada",
        "Fix the till",
        "",
        "In my words.",
        "",
        f"(cherry picked from commit {head})",
        "Signed-off-by: Carla Bot <carla@example.org>",
    ]
    text = yard.git("show", f"{row.commit}:{FILE}")
    assert text.startswith('"""Moved down."""')
    assert 'print("no rate for", code)' in text
    assert yard.git("rev-parse", f"{row.commit}^") == row.head
    again = yard.carry("moved", proposal=7)["moved"]
    assert (again.result, again.commit) == (Result.ALREADY_PUSHED, row.commit)


def test_what_does_not_cure_gets_no_branch_and_the_row_says_so(yard: Yard, workshop: Workshop) -> None:
    yard.pull(7, {FILE: WRONG})
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert (row.result, row.verdict) == (Result.UNPROVEN, "not_cured")
    assert "its diff is not the patch's v1, and was not seen to be a right cure: not_cured" in row.reason
    assert yard.stands() == {}
    assert yard.follow(row.recovery, workshop.root) == [1]


def test_c27_the_base_of_the_pull_request_is_found_and_refused(yard: Yard) -> None:
    yard.pull(7, {FILE: CURED})
    yard.make_fork()
    rows = yard.carry("main", "moved", proposal=7)
    assert [row.result for row in rows.values()] == [Result.REFUSED, Result.PUSHED]
    assert "own base" in rows["main"].reason


def test_c29_a_diff_that_is_there_already_is_not_needed(yard: Yard) -> None:
    yard.workshop.commit("moved", {FILE: MOVED.replace(BROKEN, CURED)}, "cure it")
    yard.workshop.git("switch", "--quiet", "main")
    yard.pull(7, {FILE: CURED})
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.NOT_NEEDED
    assert "already contained" in row.reason
    assert yard.stands() == {}


def test_b4_a_pull_request_that_merged_main_carries_its_own_change_alone(yard: Yard) -> None:
    shop = yard.workshop
    shop.git("switch", "--quiet", "--create", "work", "main")
    shop.commit("work", {FILE: OTHER}, "Fix the till")
    shop.commit("main", {"other.txt": "of main alone\n"}, "go on")
    shop.git("switch", "--quiet", "work")
    shop.git("merge", "--quiet", "--no-edit", "main")
    shop.git("update-ref", "refs/pull/7/head", "work")
    shop.git("switch", "--quiet", "main")
    shop.git("branch", "-D", "work")
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.PUSHED, row.reason
    assert yard.git("diff", "--name-only", f"{row.commit}^", row.commit or "") == FILE


def test_b1_b26_several_commits_become_one_that_names_everybody(yard: Yard) -> None:
    shop = yard.workshop
    shop.git("switch", "--quiet", "--create", "work", "main")
    shop.commit("work", {FILE: CURED}, "Fix the till\n\nSigned-off-by: Ada <ada@example.org>")
    shop.commit("work", {}, "nothing (B5)")
    (shop.upstream / FILE).write_text(OTHER, encoding="utf-8")
    bob = "Bob <bob@example.org>"
    shop.git("commit", "--quiet", "--all", f"--author={bob}", f"--message=Words\n\nSigned-off-by: {bob}")
    shop.git("update-ref", "refs/pull/7/head", "work")
    shop.git("switch", "--quiet", "main")
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.PUSHED, row.reason
    assert message(yard, row.commit)[:6] == [
        "Ada",
        "Fix the till",
        "",
        "Signed-off-by: Ada <ada@example.org>",
        f"Signed-off-by: {bob}",
        f"Co-authored-by: {bob}",
    ]


def test_b35_lock_files_stay_as_the_target_has_them_and_are_named(yard: Yard) -> None:
    shop = yard.workshop
    base = shop.git("rev-parse", "main")
    shop.commit("main", {"uv.lock": "one\n"}, "lock")
    shop.commit("moved", {"uv.lock": "other\n"}, "lock")
    shop.git("switch", "--quiet", "main")
    shop.manifest(base, never_carry=["uv.lock"])
    yard.pull(7, {FILE: OTHER, "uv.lock": "two\n"})
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.PUSHED, row.reason
    assert row.reason.endswith("; not carried: uv.lock")
    assert yard.git("show", f"{row.commit}:uv.lock") == "other"


@pytest.mark.parametrize("path", [".github/workflows/x.yml", ".gitmodules"])
def test_b21_c54_what_git_or_github_would_run_is_refused_before_anything(yard: Yard, path: str) -> None:
    yard.pull(7, {FILE: CURED, path: "on: push\n"})
    yard.make_fork()
    with pytest.raises(BotError, match="which no bot carries") as raised:
        yard.carry("moved", proposal=7)
    assert path in raised.value.message
    assert yard.stands() == {}


def test_b45_c54_a_link_is_refused(yard: Yard) -> None:
    shop = yard.workshop
    (shop.upstream / "link").symlink_to("/etc/passwd")
    yard.pull(7, {FILE: CURED})
    with pytest.raises(BotError, match="changes 'link', which no bot carries"):
        yard.carry("moved", proposal=7, push=False)


def test_a_pull_request_that_is_not_there_is_said_to_be_absent(yard: Yard) -> None:
    with pytest.raises(BotError, match="does not show the pull request 9"):
        yard.carry("moved", proposal=9, push=False)


def test_the_version_with_more_is_judged_as_a_whole(yard: Yard) -> None:
    yard.pull(7, {FILE: ALSO})
    yard.make_fork()
    row = yard.carry("moved", proposal=7)["moved"]
    assert row.result is Result.PUSHED, row.reason
    assert "def half" in yard.git("show", f"{row.commit}:{FILE}")
    assert not backporting.is_red(row)


def test_a_partial_copy_carries_the_same(yard: Yard) -> None:
    yard.pull(7, {FILE: OTHER})
    yard.make_fork()
    near = yard.carry("moved", proposal=7, push=False)["moved"]
    far = yard.carry("moved", proposal=7, upstream=f"file://{yard.workshop.upstream}")["moved"]
    assert (far.result, far.commit) == (Result.PUSHED, near.commit)


def test_b33_from_a_clone_whose_history_is_cut_off_no_diff_is_taken(yard: Yard, workshop: Workshop) -> None:
    yard.pull(7, {FILE: OTHER})
    place = workshop.root / "shallow.git"
    origin = f"file://{workshop.upstream}"
    git_in(workshop.root, "clone", "--quiet", "--mirror", "--depth=1", origin, str(place))
    with pytest.raises(BotError, match="this clone's history is cut off"):
        yard.carry("moved", proposal=7, push=False, upstream=str(place))
