"""`survey` and `watch` from the command line: what people read, what programs read, and the exit code."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import BROKEN, CURED, FILE

if TYPE_CHECKING:
    from tests.conftest import Workshop

OTHER = CURED.replace("        rate = 1\n", "        return amount\n")
OUTDENTED = CURED.replace("        rate = 1\n", "    rate = 1\n")
HALF = BROKEN.replace("{currency}", "{code}")
REWRITTEN = BROKEN.replace(
    "        if rank == 0:\n            print", "        if rank < 1:\n            print"
)


def survey(workshop: "Workshop", *args: str, code: int = 0) -> dict[str, Any]:
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream), "--json", *args)
    assert done.code == code, done.err
    assert done.err == ""
    found: dict[str, Any] = json.loads(done.out)
    return found


def states(found: dict[str, Any]) -> dict[str, str]:
    return {row["name"]: row["state"] for row in found["rows"]}


def start(workshop: "Workshop", **changes: Any) -> None:
    """The patch `till`, and branches on which it is something else each time."""
    workshop.patch(**changes)
    for name, text in {"half": HALF, "fixed": CURED, "words": OTHER, "far": f"# new\n{BROKEN}"}.items():
        workshop.commit(name, {FILE: text}, f"Make it {name} (#7)")
        workshop.git("switch", "--quiet", "main")


def test_every_branch_has_its_state_and_the_document_has_the_contract_s_shape(workshop: "Workshop") -> None:
    start(workshop)
    found = survey(workshop)
    assert found["schema"] == "upstream-bot/survey/1"
    assert (found["patch"], found["version"], found["upstream"]) == ("till", "v1", "local:upstream")
    assert states(found) == {
        "cure": "upstream_identical",
        "far": "applies_exact",
        "fixed": "upstream_identical",
        "half": "upstream_partial",
        "main": "applies_exact",
        "words": "conflicts",
    }
    assert found["counts"] == {
        "upstream_identical": 2,
        "upstream_partial": 1,
        "applies_exact": 2,
        "conflicts": 1,
    }
    (far,) = [row for row in found["rows"] if row["name"] == "far"]
    assert far.keys() == {
        *(
            "ref",
            "name",
            "head",
            "state",
            "overlay",
            "detail",
            "offset",
            "blob",
            "patched_blob",
            "hunks",
            "blame",
        )
    }
    assert (far["ref"], far["offset"], far["hunks"][0]["anchor"]) == ("refs/heads/far", 1, "convert")


def test_people_read_what_needs_somebody_first(workshop: "Workshop") -> None:
    start(workshop)
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream))
    headings = [line.split(" ")[0] for line in done.out.splitlines() if line[:1].isalpha()]
    assert headings == ["till", "upstream_partial", "conflicts", "applies_exact", "upstream_identical"]
    assert "  half: 1 of 2 changed lines is already in convert" in done.out.splitlines()
    assert "  cure, fixed: the change is already in convert" in done.out.splitlines()
    assert "  far: applies 1 line lower" in done.out.splitlines()


def test_globs_and_full_refs_choose_and_a_full_name_that_is_not_there_is_a_usage_error(
    workshop: "Workshop",
) -> None:
    start(workshop)
    assert states(survey(workshop, "--branch", "f*")) == {
        "far": "applies_exact",
        "fixed": "upstream_identical",
    }
    assert states(survey(workshop, "--ref", "refs/heads/mai?")) == {"main": "applies_exact"}
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream), "--branch", "mian", "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err == "upstream-bot: there is no branch 'mian'\nhint: nearest: main\n"


def test_a_broken_expectation_and_a_branch_that_only_the_manifest_knows_are_red(workshop: "Workshop") -> None:
    branches = [
        {"name": "main", "expect": "not_affected"},
        {"name": "fixed", "expect": "affected"},
        {"name": "far", "expect": "affected"},
        {"name": "release", "expect": "affected"},
        {"name": "pypi/1.0", "expect": "affected"},
    ]
    start(workshop, branches=branches)
    found = survey(workshop, code=1)
    assert [(one["name"], one["state"]) for one in found["broken"]] == [
        ("fixed", "upstream_identical"),
        ("main", "applies_exact"),
        ("release", "branch_missing"),
    ]
    assert "pypi/1.0" not in states(found)
    assert survey(workshop, "--branch", "far")["broken"] == []


def test_p2_a_patch_that_the_linter_refuses_is_patch_invalid_everywhere(workshop: "Workshop") -> None:
    start(workshop)
    file = workshop.patches / "till" / "v1" / "0001-till.patch"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    found = survey(workshop, code=1)
    assert set(states(found).values()) == {"patch_invalid"}
    assert "SHA-256" in found["rows"][0]["detail"]


def test_p35_a_rewritten_branch_is_told_once_and_a_branch_that_vanished_too(workshop: "Workshop") -> None:
    start(workshop)
    survey(workshop)
    workshop.git("branch", "--force", "far", "main")
    workshop.commit("far", {FILE: f"# other\n{BROKEN}"}, "Again")
    workshop.git("switch", "--quiet", "main")
    workshop.git("branch", "--quiet", "-D", "half")
    found = survey(workshop)
    rows = {row["name"]: row for row in found["rows"]}
    assert (rows["far"]["state"], rows["half"]["state"]) == ("branch_rewritten", "branch_missing")
    assert rows["far"]["detail"].endswith("applies_exact today: applies 1 line lower")
    assert states(survey(workshop))["far"] == "applies_exact"
    assert "half" not in states(survey(workshop))


def test_p16_a_revert_is_an_overlay_with_both_commits(workshop: "Workshop") -> None:
    start(workshop)
    landed = workshop.commit("back", {FILE: CURED}, "Keep the amount (#11)")
    taken = workshop.commit("back", {FILE: BROKEN}, 'Revert "Keep the amount (#11)" (#12)')
    workshop.commit("back", {"more.txt": "more\n"}, "More")
    (row,) = survey(workshop, "--branch", "back")["rows"]
    assert (row["state"], row["overlay"]) == ("applies_exact", "reverted_upstream")
    assert (row["blame"]["commit"], row["blame"]["number"]) == (taken, 12)
    assert f"{landed[:12]} (#11)" in row["detail"]


@pytest.mark.parametrize("kind", ["path", "url"])
def test_the_commit_that_broke_the_fit_is_named_also_where_the_upstream_is_remote(
    workshop: "Workshop", kind: str
) -> None:
    start(workshop)
    workshop.commit("moved", {"a.txt": "1\n"}, "Before (#20)")
    commit = workshop.commit("moved", {FILE: REWRITTEN}, "Say it otherwise (#21)")
    workshop.commit("moved", {FILE: f"# later\n{REWRITTEN}"}, "After (#22)")
    workshop.git("config", "uploadpack.allowFilter", "true")
    workshop.git("config", "uploadpack.allowAnySHA1InWant", "true")
    place = str(workshop.upstream) if kind == "path" else f"file://{workshop.upstream}"
    done = workshop.run("survey", "till", "--upstream", place, "--branch", "moved", "--json")
    (row,) = json.loads(done.out)["rows"]
    assert (row["state"], row["blame"] and row["blame"]["commit"]) == ("conflicts", commit)
    assert row["blame"]["number"] == 21


def test_probes_find_a_cure_in_other_words_and_confirm_the_defect_elsewhere(workshop: "Workshop") -> None:
    start(workshop)
    workshop.commit("loud", {FILE: REWRITTEN}, "Say it otherwise")
    rows = {row["name"]: row for row in survey(workshop, "--probe")["rows"]}
    assert rows["words"]["state"] == "upstream_equivalent"
    assert (rows["half"]["state"], rows["loud"]["state"]) == ("upstream_partial", "conflicts")
    assert "of its probes are failures" in rows["loud"]["detail"]
    assert rows["main"]["state"] == "applies_exact"


def test_p8_rivals_are_found_by_content_and_judged_by_the_tests(workshop: "Workshop") -> None:
    proposal = {"pull_request": 5, "rivals": [{"pull_request": 8}, {"pull_request": 40}]}
    start(workshop, proposal=proposal)
    heads = {5: CURED, 6: OTHER, 8: OUTDENTED, 9: f"# new\n{BROKEN}"}
    for number, text in heads.items():
        workshop.commit(f"pull-{number}", {FILE: text}, "Propose")
        workshop.git("update-ref", f"refs/pull/{number}/head", f"pull-{number}")
        workshop.git("switch", "--quiet", "main")
        workshop.git("branch", "--quiet", "-D", f"pull-{number}")
    found = survey(workshop, "--branch", "main", "--rivals", "--probe")
    told = {one["number"]: (one["listed"], one["verdict"], one["base"]) for one in found["rivals"]}
    assert told == {
        6: (False, "cured_uncontrolled", "main"),
        8: (True, told[8][1], "main"),
        40: (True, "", ""),
    }
    assert told[8][1] in {"regression", "not_cured", "partly_cured", "wrong_failure"}
    assert "equivalent cure" in found["rivals"][0]["detail"]
    plain = survey(workshop, "--branch", "main", "--rivals")
    assert plain["rivals"][0]["detail"] == "it came after ours, #5"
    assert survey(workshop, "--branch", "main")["rivals"] is None


def watch(workshop: "Workshop", *args: str) -> tuple[int, dict[str, Any]]:
    state = str(workshop.root / "state.json")
    done = workshop.run(
        "watch", "till", "--upstream", str(workshop.upstream), "--state", state, "--json", *args
    )
    assert done.err == ""
    return done.code, json.loads(done.out)


def test_watch_says_what_changed_since_the_last_time_and_what_needs_somebody(workshop: "Workshop") -> None:
    start(workshop)
    code, first = watch(workshop)
    assert (code, first["first"], first["changes"]) == (0, True, [])
    workshop.commit("main", {FILE: CURED}, "Keep the amount (#30)")
    workshop.commit("half", {"more.txt": "1\n"}, "More")
    commit = workshop.commit("far", {FILE: REWRITTEN}, "Say it otherwise (#31)")
    workshop.commit("fixed", {FILE: BROKEN}, "Lose it in a merge (#32)")
    workshop.commit("release", {FILE: BROKEN}, "Cut a release")
    workshop.git("branch", "--quiet", "-D", "words")
    code, _ = watch(workshop, "--check")
    assert code == 1
    code, second = watch(workshop)
    kinds = {one["name"]: (one["kind"], one["action"]) for one in second["changes"]}
    assert code == 1
    assert kinds == {
        "main": ("fixed upstream", False),
        "half": ("moved", False),
        "far": ("does not fit any more", True),
        "fixed": ("lost again", True),
        "release": ("new", True),
        "words": ("gone", True),
    }
    (broken,) = [one for one in second["changes"] if one["name"] == "far"]
    assert f"{commit[:12]} (#31)" in broken["detail"]
    assert watch(workshop) == (0, second | {"changes": []})


def test_watch_refuses_a_file_that_is_no_snapshot_and_keeps_it(workshop: "Workshop") -> None:
    start(workshop)
    state = workshop.root / "state.json"
    state.write_text("{}", encoding="utf-8")
    args = ("watch", "till", "--upstream", str(workshop.upstream), "--state", str(state))
    done = workshop.run(*args)
    assert (done.code, done.out, state.read_text(encoding="utf-8")) == (2, "", "{}")
    done = workshop.run(*args[:-1], str(Path(workshop.root, "no", "state.json")))
    assert (done.code, done.out) == (2, "")


def test_the_snapshot_alone_remembers_the_heads(workshop: "Workshop") -> None:
    start(workshop)
    watch(workshop)
    workshop.git("branch", "--force", "far", "fixed")
    code, found = watch(workshop, "--branch", "far")
    assert code == 1
    assert ("far", "rewritten") in [(one["name"], one["kind"]) for one in found["changes"]]


def test_odd_subjects_names_and_settings_of_git_change_nothing(workshop: "Workshop") -> None:
    start(workshop)
    commit = workshop.commit("odd", {FILE: REWRITTEN}, "Say it\x0cotherwise \u2028 or\x85so (#77)")
    workshop.git("branch", "a\u2028b", "main")
    home = workshop.root / "home"
    home.mkdir()
    settings = "[log]\n\tshowSignature = true\n[i18n]\n\tlogOutputEncoding = UTF-16\n"
    (home / ".gitconfig").write_text(settings, encoding="utf-8")
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream), "--json", HOME=str(home))
    rows = {row["name"]: row for row in json.loads(done.out)["rows"]}
    assert rows["odd"]["blame"] == {"commit": commit, "number": 77, "date": rows["odd"]["blame"]["date"]}
    assert rows["a\u2028b"]["state"] == "applies_exact"


def test_a_merge_that_keeps_its_own_side_blames_nothing_of_the_other(workshop: "Workshop") -> None:
    start(workshop)
    workshop.commit("side", {FILE: BROKEN.replace("{currency}", "{currency!r}")}, "On the side (#41)")
    workshop.git("switch", "--quiet", "main")
    commit = workshop.commit("trunk", {FILE: REWRITTEN}, "On the trunk (#40)")
    workshop.git("merge", "--quiet", "--strategy=ours", "--no-edit", "side")
    (row,) = survey(workshop, "--branch", "trunk")["rows"]
    assert (row["state"], row["blame"]["commit"]) == ("conflicts", commit)


def test_a_cause_that_was_picked_to_another_branch_hides_no_history(workshop: "Workshop") -> None:
    start(workshop)
    workshop.git("switch", "--quiet", "--orphan", "release")
    workshop.commit("release", {FILE: BROKEN}, "Cut a release")
    workshop.commit("release", {FILE: CURED}, "Keep the amount (#50)")
    taken = workshop.commit("release", {FILE: BROKEN}, "Take it out (#51)")
    (row,) = survey(workshop, "--branch", "release")["rows"]
    assert (row["state"], row["overlay"]) == ("applies_exact", "reverted_upstream")
    assert row["blame"]["commit"] == taken
