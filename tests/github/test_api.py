"""Every call of the Hub against the embedded GitHub, with what GitHub leaves null."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import BotError
from bot.github import api, port
from bot.github.port import Refusal
from bot.model.hub import Annotation, Draft, Why
from bot.sandbox import Hub
from tests.sandbox.talking import SHOP

AsToken = Callable[[api.Token], port.Hub]


def why(call: Callable[[], object]) -> Why:
    with pytest.raises(Refusal) as refused:
        call()
    return refused.value.why


def requests(github: Hub) -> int:
    return len(github.log)


def test_who_and_where(ada: port.Hub, actions: port.Hub) -> None:
    assert ada.me().login == "ada"
    assert ada.repository(SHOP).name == SHOP
    assert why(actions.me) is Why.FORBIDDEN


@pytest.mark.parametrize("role", ["read", "triage", "write", "maintain", "admin"])
def test_a_permission_is_told_by_its_own_name(role: str, github: Hub, ada: port.Hub) -> None:
    github.permit(SHOP, "eve", role)
    assert ada.permission(SHOP, "eve") == role


def test_an_outsider_may_not_ask_for_permissions(github: Hub, as_token: AsToken) -> None:
    assert why(lambda: as_token(github.token("bob")).permission(SHOP, "ada")) is Why.FORBIDDEN


def test_branches_come_from_all_pages_and_a_ref_that_is_not_there_is_none(github: Hub, ada: port.Hub) -> None:
    head = ada.ref(SHOP, "heads/main")
    assert head
    for number in range(130):
        github.branch(SHOP, f"b{number:03}", head)
    github.forget_log()
    assert len(ada.branches(SHOP)) == 131
    assert requests(github) == 2
    assert ada.ref(SHOP, "pull/1/head") == ada.pull(SHOP, 1).head.commit
    assert ada.ref(SHOP, "heads/no") is None


def test_a_pull_request_is_one_request(github: Hub, ada: port.Hub) -> None:
    pull = ada.pull(SHOP, 1)
    assert requests(github) == 1
    assert (pull.title, pull.author.login, pull.open, pull.merged) == ("Fix the till", "bob", True, False)
    assert pull.head.repository is not None
    assert pull.head.repository.name == "bob/shop"
    assert pull.merge_commit is None
    assert ada.pull(SHOP, 1).merge_commit


def test_a_pull_request_of_a_deleted_fork_has_no_head_repository(github: Hub, ada: port.Hub) -> None:
    github.delete("bob/shop")
    assert ada.pull(SHOP, 1).head.repository is None
    assert [one.number for one in ada.pulls(SHOP)] == [1]


def test_a_draft_that_is_locked_closed_and_labelled_says_so(github: Hub, ada: port.Hub) -> None:
    github.draft(SHOP, 1)
    github.lock(SHOP, 1)
    github.label(SHOP, 1, "bug")
    github.close(SHOP, 1)
    pull = ada.pull(SHOP, 1)
    assert (pull.draft, pull.locked, pull.open, pull.labels) == (True, True, False, ("bug",))


def test_a_merged_one_is_merged_in_lists_too(github: Hub, ada: port.Hub) -> None:
    merge = github.merge(SHOP, 1)
    assert ada.pull(SHOP, 1).merge_commit == merge
    (listed,) = ada.pulls(SHOP, state="closed")
    assert listed.merged
    assert ada.pulls(SHOP) == ()


def test_pull_requests_are_found_by_head_and_base(ada: port.Hub) -> None:
    assert [one.number for one in ada.pulls(SHOP, head="bob:fix", base="main")] == [1]
    assert ada.pulls(SHOP, head="bob:other") == ()
    assert ada.pulls(SHOP, base="other") == ()


def test_commits_and_files(ada: port.Hub) -> None:
    pull = ada.pull(SHOP, 1)
    (commit,) = ada.commits(SHOP, 1)
    assert (commit.id, commit.message, commit.verified) == (pull.head.commit, "fix the till", False)
    assert commit.account == pull.author
    files = ada.files(SHOP, 1)
    assert [(one.path, one.status, one.previous) for one in files] == [
        ("new.py", "renamed", "old.py"),
        ("till.py", "modified", ""),
    ]
    assert ada.compare(SHOP, pull.base.commit, pull.head.commit) == files


def test_comments_come_from_all_pages_oldest_first(github: Hub, ada: port.Hub) -> None:
    made = [github.say(SHOP, 1, "bob", f"{number}") for number in range(203)]
    github.forget_log()
    assert [one.id for one in ada.comments(SHOP, 1)] == made
    assert requests(github) == 3


def test_a_renamed_repository_is_followed_with_query_pages_and_bodies(github: Hub, ada: port.Hub) -> None:
    github.clock.stop("2026-01-01T00:00:00Z")
    github.say(SHOP, 1, "bob", "old")
    github.clock.stop("2026-02-01T00:00:00Z")
    made = [github.say(SHOP, 1, "bob", f"{number}") for number in range(120)]
    github.rename(SHOP, "acme/mall")
    assert [one.id for one in ada.comments(SHOP, 1, since="2026-01-15T00:00:00Z")] == made
    said = ada.say(SHOP, 1, "new")
    assert ada.edit(SHOP, said.id, "newer").body == "newer"
    ada.remove(SHOP, said.id)
    assert why(lambda: ada.comment(SHOP, said.id)) is Why.MISSING
    assert ada.repository(SHOP).name == "acme/mall"


def test_a_comment_is_said_edited_and_removed(github: Hub, ada: port.Hub) -> None:
    said = ada.say(SHOP, 1, "ünï 🧪\n")
    assert (said.author.login, said.body) == ("ada", "ünï 🧪\n")
    assert ada.comment(SHOP, said.id) == said
    assert ada.edit(SHOP, said.id, "b").body == "b"
    ada.remove(SHOP, said.id)
    assert why(lambda: ada.remove(SHOP, said.id)) is Why.MISSING
    assert requests(github) == 5


def test_reactions_are_made_once(ada: port.Hub) -> None:
    said = ada.say(SHOP, 1, "a")
    first = ada.react(SHOP, said.id, "eyes")
    assert ada.react(SHOP, said.id, "eyes") == first
    assert ada.reactions(SHOP, said.id) == (first,)
    ada.unreact(SHOP, said.id, first.id)
    assert ada.reactions(SHOP, said.id) == ()


def test_a_workflow_speaks_as_a_bot(actions: port.Hub) -> None:
    assert actions.say(SHOP, 1, "a").author.kind == "Bot"


def test_refusals_are_told_apart(github: Hub, ada: port.Hub, as_token: AsToken) -> None:
    bob = as_token(github.token("bob"))
    assert why(lambda: bob.label(SHOP, 1, "bug")) is Why.FORBIDDEN
    github.lock(SHOP, 1)
    assert why(lambda: bob.say(SHOP, 1, "a")) is Why.LOCKED
    assert why(lambda: ada.say(SHOP, 1, " ")) is Why.INVALID
    assert why(lambda: ada.say(SHOP, 1, "x" * 65_537)) is Why.INVALID
    assert why(lambda: ada.pull(SHOP, 99)) is Why.MISSING
    github.repo("acme/quiet", issues=False)
    assert why(lambda: ada.comments("acme/quiet", 9)) is Why.GONE
    assert why(as_token("nonsense").me) is Why.UNAUTHORIZED
    assert why(lambda: as_token("").say(SHOP, 1, "a")) is Why.UNAUTHORIZED


@pytest.mark.parametrize("repo", ["shop", "a/b/c", "../user", "a/..", "/shop", "acme/"])
def test_what_is_no_repository_is_not_asked_for(repo: str, github: Hub, ada: port.Hub) -> None:
    assert why(lambda: ada.repository(repo)) is Why.INVALID
    assert why(lambda: ada.ref(SHOP, "heads/../../../user")) is Why.INVALID
    assert requests(github) == 0


def test_foreign_names_stay_inside_their_path(github: Hub, ada: port.Hub) -> None:
    head = ada.ref(SHOP, "heads/main")
    assert head
    github.branch(SHOP, "a#b%20c&d", head)
    assert ada.ref(SHOP, "heads/a#b%20c&d") == head
    assert ada.ref(SHOP, "heads/main?x=1") is None


def test_a_label_that_is_there_is_fine(github: Hub, ada: port.Hub) -> None:
    ada.label(SHOP, 1, "bug")
    ada.label(SHOP, 1, "bug")
    assert github.world.pull(SHOP, 1).labels == ["bug"]


def test_a_pull_request_is_opened_and_edited(github: Hub, ada: port.Hub) -> None:
    github.commit(SHOP, "next", {"more.py": "1\n"})
    pull = ada.open_pull(SHOP, Draft(head="next", base="main", title="Next", body="b"))
    assert (pull.number, pull.draft, pull.head.branch) == (2, True, "next")
    edited = ada.edit_pull(SHOP, 2, title="Later", body="")
    assert (edited.title, edited.body) == ("Later", "")
    again = Draft(head="next", base="main", title="Next", body="b")
    assert why(lambda: ada.open_pull(SHOP, again)) is Why.INVALID


def test_c44_137_annotations_go_in_three_requests(github: Hub, actions: port.Hub) -> None:
    head = actions.pull(SHOP, 1).head.commit
    check = actions.start_check(SHOP, head, "proof", "p:1")
    assert actions.start_check(SHOP, head, "proof", "p:1") == check
    notes = [
        Annotation(path="till.py", first_line=1, last_line=1, level="failure", title="t", message=str(number))
        for number in range(137)
    ]
    github.forget_log()
    actions.finish_check(SHOP, check, "failure", "## Not fixed\n", notes)
    assert sum(one.method == "PATCH" for one in github.log) == 3
    assert list(github.world.checks[check].annotations) == notes
    (shown,) = actions.check_runs(SHOP, head)
    assert (shown.status, shown.conclusion, shown.app) == ("completed", "failure", "github-actions")


def test_a_person_may_not_write_check_runs(ada: port.Hub) -> None:
    head = ada.pull(SHOP, 1).head.commit
    assert why(lambda: ada.start_check(SHOP, head, "proof", "p:1")) is Why.FORBIDDEN


def test_workflow_runs_are_found_by_branch_and_commit_oldest_first(github: Hub, ada: port.Hub) -> None:
    head = ada.pull(SHOP, 1).head.commit
    first, second = (github.run(SHOP, branch="pull-request/1", commit=head) for _ in range(2))
    assert [one.id for one in ada.workflow_runs(SHOP, branch="pull-request/1")] == [first, second]
    assert [one.id for one in ada.workflow_runs(SHOP, commit=head)] == [first, second]
    assert ada.workflow_runs(SHOP, branch="main") == ()


def test_an_address_without_a_server_is_unreachable() -> None:
    waits: list[float] = []
    nobody = api.connect("t", "http://localhost:9", sleep=waits.append)
    assert why(nobody.me) is Why.UNREACHABLE
    assert sum(waits) == 63


def test_what_is_no_address_is_told() -> None:
    with pytest.raises(BotError, match="no address"):
        api.connect("t", "ftp://localhost")


def test_a_token_may_end_in_a_line_end_and_what_is_no_token_is_told(github: Hub, as_token: AsToken) -> None:
    assert as_token(f"{github.token('ada')}\n").me().login == "ada"
    assert why(lambda: as_token("two\nlines")) is Why.UNAUTHORIZED
    assert requests(github) == 1


def test_only_one_file_imports_pygithub() -> None:
    house = Path(api.__file__).parents[1]
    found = set()
    for path in house.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found |= {path for name in names if name.split(".")[0] == "github"}
    assert found == {house / "github" / "api.py"}


def test_the_command_line_starts_without_pygithub() -> None:
    program = "import sys, bot.cli; assert not {'github', 'requests'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
