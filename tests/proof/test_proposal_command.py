"""`prove --proposal --base` from the command line: anybody's pull request, judged on its own diff."""

from pathlib import Path
from typing import Any

import pytest

from bot import proc
from tests.conftest import BROKEN, CURED, FILE, Workshop

#: A right cure in other words.
RETURNS = BROKEN.replace("{currency}", "{code}").replace('{code}")\n', '{code}")\n        return amount\n')
OUTDENTED = CURED.replace("        rate = 1\n", "    rate = 1\n")
COMMENTED = BROKEN.replace("    try:\n", "    # look it up\n    try:\n")
PARTLY = CURED.replace("        rate = 1\n", "            rate = 1\n")
NO_HAZARD = CURED.replace("return sum(amounts)", "return sum(map(int, amounts))")
UNKNOWN_CURE = "whether it cures is not known"


def propose(workshop: Workshop, number: int, files: dict[str, str], start: str = "main") -> str:
    """Make a pull request as a forge shows it: a ref that is no branch."""
    workshop.git("switch", "--quiet", start)
    head = workshop.commit(f"topic-{number}", files)
    workshop.git("update-ref", f"refs/pull/{number}/head", head)
    workshop.git("switch", "--quiet", "main")
    workshop.git("branch", "--quiet", "-D", f"topic-{number}")
    return head


def judge(workshop: Workshop, *names: str, base: str = "main") -> dict[str, Any]:
    """Judge the proposals in one run; their targets by name."""
    asked = [word for name in names for word in ("--proposal", name)]
    done = workshop.prove(*asked, "--base", base, "--runs", "1")
    assert done.code in (0, 1), done.err
    return {target["name"]: target for target in done.json["targets"]}


def test_each_diff_is_called_the_version_an_equivalent_cure_or_something_else(workshop: Workshop) -> None:
    workshop.patch()
    wanted = {
        CURED: ("cured_uncontrolled", "; its diff is the patch's v1"),
        RETURNS: ("cured_uncontrolled", "; its diff is an equivalent cure"),
        NO_HAZARD: ("hazard_changed", "; its diff is an equivalent cure"),
        OUTDENTED: ("regression", "; its diff is something else"),
        PARTLY: ("partly_cured", "; its diff is something else"),
        COMMENTED: ("not_cured", "; its diff is something else"),
    }
    heads = {f"pull/{n}": propose(workshop, n, {FILE: text}) for n, text in enumerate(wanted, 1)}
    seen = judge(workshop, *heads)
    assert list(seen) == list(heads)
    for (verdict, ending), target in zip(wanted.values(), seen.values(), strict=True):
        assert (target["verdict"], target["reason"].endswith(ending)) == (verdict, True), target["reason"]
    for name, target in seen.items():
        assert (target["kind"], target["head"], target["state"]) == ("proposal", heads[name], "applies_exact")
        assert target["base_commit"] == workshop.git("rev-parse", "main")
        assert target["before_tree"] == workshop.git("rev-parse", "main^{tree}")
        assert target["after_tree"] == workshop.git("rev-parse", f"{heads[name]}^{{tree}}")


def test_right_proposals_are_green_and_a_wrong_one_is_red(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 1, {FILE: RETURNS})
    propose(workshop, 2, {FILE: COMMENTED})
    assert workshop.prove("--proposal", "1", "--base", "main").code == 0
    assert workshop.prove("--proposal", "1", "--proposal", "2", "--base", "main").code == 1


def test_a_proposal_from_an_older_branch_point_is_judged_as_merged_and_never_checked_out(
    workshop: Workshop,
) -> None:
    workshop.patch()
    propose(workshop, 3, {FILE: RETURNS, "docs/till.md": "kept\n"})
    workshop.commit("main", {FILE: BROKEN.replace('{"eur": 2}', '{"eur": 2, "usd": 3}'), "new.txt": "new\n"})
    before = fingerprint(workshop)
    target = judge(workshop, "#3")["pull/3"]
    assert target["verdict"] == "cured_uncontrolled"
    assert "an equivalent cure; it also changes 1 other file: docs/till.md" in target["reason"]
    assert fingerprint(workshop) == before
    merged = workshop.git("merge-tree", "--write-tree", "main", "refs/pull/3/head")
    assert target["after_tree"] == merged
    assert target["before_tree"] == workshop.git("rev-parse", "main^{tree}")


def fingerprint(workshop: Workshop) -> dict[Path, int]:
    """When each file of the upstream repository, refs and objects too, was last written."""
    return {path: path.stat().st_mtime_ns for path in workshop.upstream.rglob("*") if path.is_file()}


def test_a_merge_that_upstream_has_already_made_touches_none_of_its_files(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 3, {FILE: RETURNS})
    workshop.commit("main", {"new.txt": "new\n"})
    workshop.git("merge", "--quiet", "--no-edit", "refs/pull/3/head")
    merged = workshop.git("rev-parse", "main^{tree}")
    workshop.git("reset", "--quiet", "--hard", "main~1")
    before = fingerprint(workshop)
    target = judge(workshop, "3")["pull/3"]
    assert fingerprint(workshop) == before
    assert (target["after_tree"], target["verdict"]) == (merged, "cured_uncontrolled")


def test_the_versions_text_is_known_again_on_a_base_that_moved_on(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 3, {FILE: CURED})
    workshop.commit("main", {FILE: BROKEN.replace('{"eur": 2}', '{"eur": 2, "usd": 3}')})
    assert judge(workshop, "3")["pull/3"]["reason"].endswith("its diff is the patch's v1")


def test_a_proposal_that_conflicts_with_its_base_is_not_run_and_names_the_files(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 4, {FILE: CURED})
    workshop.commit("main", {FILE: RETURNS.replace("return amount\n", "return amount * 1\n")})
    target = judge(workshop, "4")["pull/4"]
    assert (target["state"], target["verdict"]) == ("conflicts", "not_run")
    assert target["reason"] == f"conflicts: merging it conflicts in {FILE}"
    assert (target["probes"], target["after_tree"]) == ([], None)


def test_other_files_are_named_as_data_and_at_most_five(workshop: Workshop) -> None:
    workshop.patch()
    odd = {f"docs/{n}.md": "x\n" for n in range(5)} | {"docs/$(id)\n::error::`x`": "x\n"}
    propose(workshop, 5, {FILE: CURED} | odd)
    propose(workshop, 6, {"README": "more\n"})
    seen = judge(workshop, "5", "6")
    assert seen["pull/5"]["reason"].endswith(
        "its diff is an equivalent cure (v1 and more); it also changes 6 other files: "
        "'docs/$(id)\\n::error::`x`', docs/0.md, docs/1.md, docs/2.md, docs/3.md, and 1 more"
    )
    assert (seen["pull/6"]["verdict"], seen["pull/6"]["after_tree"] is None) == ("not_cured", False)
    assert seen["pull/6"]["reason"].endswith(
        "something else; it changes none of the patch's files but 1 other file: README"
    )


def test_a_merge_that_changes_nothing_says_so_and_cures_nothing(workshop: Workshop) -> None:
    workshop.patch()
    old = workshop.git("rev-parse", "main")
    workshop.commit("main", {"README": "moved\n"})
    target = judge(workshop, old)[old]
    assert (target["verdict"], target["before_tree"]) == ("not_cured", target["after_tree"])
    assert target["reason"].endswith("; merging it changes nothing")


def test_on_a_base_that_is_cured_the_defect_is_not_reproduced(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 7, {"README": "more\n"}, start="cure")
    target = judge(workshop, "7", base="cure")["pull/7"]
    assert (target["state"], target["verdict"]) == ("upstream_identical", "defect_not_reproduced")
    assert UNKNOWN_CURE in target["reason"]
    assert {one["outcome"] for row in target["probes"] for one in row["before"]} == {"pass"}


def test_on_a_base_without_the_function_a_proposal_is_not_applicable(workshop: Workshop) -> None:
    workshop.commit("old", {FILE: "def total():\n    return 0\n"}, "old")
    workshop.patch()
    propose(workshop, 8, {FILE: "def total():\n    return 1\n"}, start="old")
    target = judge(workshop, "8", base="old")["pull/8"]
    assert (target["state"], target["verdict"]) == ("not_affected_yet", "not_applicable")
    assert (target["probes"], target["reason"].count("its diff")) == ([], 0)


def test_where_the_patch_conflicts_a_proposal_that_cures_is_still_judged(workshop: Workshop) -> None:
    workshop.patch()
    moved = BROKEN.replace('print(f"no rate for {currency}")', 'print("no rate for", currency, flush=True)')
    workshop.commit("next", {FILE: moved})
    right = moved.replace("currency, ", "code, ").replace("flush=True)\n", "flush=True)\n        rate = 1\n")
    propose(workshop, 9, {FILE: right}, start="next")
    target = judge(workshop, "9", base="next")["pull/9"]
    assert (target["state"], target["verdict"]) == ("conflicts", "cured_uncontrolled")
    assert target["reason"].endswith("; its diff is an equivalent cure")


def test_a_proposal_that_deletes_the_file_breaks_what_was_kept(workshop: Workshop) -> None:
    workshop.patch()
    workshop.git("switch", "--quiet", "--create", "gone")
    workshop.git("rm", "--quiet", FILE)
    workshop.commit("gone", {"README": "gone\n"})
    target = judge(workshop, "gone")["gone"]
    assert target["verdict"] == "regression"
    assert "something else; it also changes 1 other file: README" in target["reason"]


def test_histories_that_never_meet_are_unknown_and_the_others_go_on(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 10, {FILE: CURED})
    tree = workshop.git("rev-parse", "cure^{tree}")
    workshop.git("update-ref", "refs/pull/11/head", workshop.git("commit-tree", "-m", "alone", tree))
    seen = judge(workshop, "11", "10")
    assert (seen["pull/11"]["state"], seen["pull/11"]["verdict"]) == ("unknown", "not_run")
    assert "do not meet" in seen["pull/11"]["reason"]
    assert seen["pull/10"]["verdict"] == "cured_uncontrolled"


def test_one_pull_request_under_all_its_names_is_one_target_and_a_second_run_is_cached(
    workshop: Workshop,
) -> None:
    workshop.patch()
    head = propose(workshop, 12, {FILE: CURED})
    first = judge(workshop, "12", "#12", "pull/12", "pull/12/head", "refs/pull/12/head", head)
    assert list(first) == ["pull/12", head]
    again = judge(workshop, "pull/12", base="refs/heads/main")["pull/12"]
    assert (again["cached"], again["reason"]) == (True, first["pull/12"]["reason"])


def test_replay_judges_the_recorded_commits_when_base_and_proposal_moved(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 13, {FILE: RETURNS})
    propose(workshop, 14, {FILE: COMMENTED})
    asked = ("--proposal", "14", "--proposal", "13", "--base", "main")
    first = workshop.prove(*asked, "--out", "evidence.json").json
    propose(workshop, 13, {FILE: OUTDENTED})
    workshop.commit("main", {FILE: CURED})
    again = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream), "--json")
    assert (again.code, again.json["id"]) == (0, first["id"])
    assert "every verdict holds" in again.err
    assert workshop.run("report", "evidence.json", "--format", "markdown").code == 0


def test_replay_tells_that_a_recorded_commit_is_gone(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 13, {FILE: RETURNS})
    workshop.prove("--proposal", "13", "--base", "main", "--out", "evidence.json")
    workshop.git("update-ref", "-d", "refs/pull/13/head")
    workshop.git("reflog", "expire", "--expire=now", "--all")
    workshop.git("gc", "--quiet", "--prune=now")
    again = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream))
    assert again.code == 1
    assert "pull/13 was cured_uncontrolled and is not_run now" in again.out


def test_a_git_url_is_brought_only_what_the_proof_needs_even_where_the_base_renamed_a_file(
    workshop: Workshop,
) -> None:
    workshop.patch()
    workshop.git("config", "uploadpack.allowFilter", "true")
    workshop.git("config", "uploadpack.allowAnySHA1InWant", "true")
    text = "".join(f"line {number}\n" for number in range(40))
    workshop.commit("main", {"docs/old.md": text, "huge.bin": "x" * 99})
    propose(workshop, 15, {FILE: CURED, "docs/old.md": text.replace("line 3\n", "line three\n")})
    workshop.git("mv", "docs/old.md", "docs/new.md")
    workshop.commit("main", {"docs/new.md": text.replace("line 30\n", "line thirty\n")})
    url = ("prove", "till", "--upstream", f"file://{workshop.upstream}", "--no-controls", "--json")
    branch = workshop.run(*url, "--branch", "main").json["targets"][0]
    assert (branch["state"], branch["verdict"]) == ("applies_exact", "cured_uncontrolled")
    (target,) = workshop.run(*url, "--proposal", "15", "--base", "main").json["targets"]
    assert target["reason"].endswith(
        "an equivalent cure (v1 and more); it also changes 1 other file: docs/new.md"
    )
    (store,) = (workshop.cache / "stores").glob("*/HEAD")
    unused = workshop.git("rev-parse", "main:huge.bin")
    assert not has_object(store.parent, unused)
    assert has_object(store.parent, workshop.git("rev-parse", "main:docs/new.md"))


def has_object(store: Path, oid: str) -> bool:
    done = proc.run(["git", f"--git-dir={store}", "cat-file", "-e", oid], env={"GIT_NO_LAZY_FETCH": "1"})
    return done.code == 0


def refused(workshop: Workshop, *args: str) -> str:
    """The two lines of a refusal."""
    done = workshop.prove(*args)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 2), done
    return done.err


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--proposal", "1"], "--proposal needs --base"),
        (["--base", "main"], "--base needs --proposal"),
        (["--proposal", "1", "--base", "main", "--base", "cure"], "--base is given more than once"),
        (["--proposal", "1", "--base", "main", "--branch", "main"], "does not go with --branch"),
        (["--proposal", "1", "--base", "main", "--ref", "refs/heads/main"], "does not go with --branch"),
    ],
)
def test_half_a_question_and_two_questions_are_refused(
    workshop: Workshop, args: list[str], sentence: str
) -> None:
    assert sentence in refused(workshop, *args)


def test_names_that_do_not_exist_are_refused_with_the_nearest(workshop: Workshop) -> None:
    workshop.patch()
    propose(workshop, 17, {FILE: CURED})
    told = refused(workshop, "--proposal", "18", "--base", "main")
    assert "does not show the pull request 18" in told
    assert "nearest: main" in refused(workshop, "--proposal", "17", "--base", "mian")
    assert "nearest: cure" in refused(workshop, "--proposal", "curee", "--base", "main")
    assert f"no commit {'1' * 40}" in refused(workshop, "--proposal", "1" * 40, "--base", "main")
    assert "is a pattern" in refused(workshop, "--proposal", "refs/pull/*/head", "--base", "main")
    assert "is a pattern" in refused(workshop, "--proposal", "17", "--base", "*")


@pytest.mark.parametrize("name", ["--upload-pack=touch x", "../main", "main@{1}", "HEAD", "a b", "$(id)", ""])
def test_a_hostile_proposal_is_only_an_unknown_one(workshop: Workshop, name: str) -> None:
    workshop.patch()
    done = workshop.prove(f"--proposal={name}", "--base=main")
    assert (done.code, done.out) == (2, "")
    assert "there is no branch" in done.err


def test_releases_have_no_proposals(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.run("prove", "till", "--upstream", "pypi:till", "--proposal", "1", "--base", "1.0")
    assert (done.code, done.out) == (2, "")
    assert "a proposal needs a branch" in done.err
    assert "--upstream" in done.err
