"""The public cases of what surrounds a proof, by id: controls, settings, evidence, commits, the lock."""

import hashlib
import json
import re
from importlib import metadata

import pytest

from tests.conftest import CURED, KEEP, PROBE, Workshop
from tests.proof.trials import Tried, add_tests, prove, rewrite, the_rest_goes_on

OUTDENTED = CURED.replace("        rate = 1\n", "    rate = 1\n")


def test_v7_a_wrong_patch_that_satisfies_the_probes_is_caught_by_keep_tests_and_controls(
    workshop: Workshop,
) -> None:
    workshop.patch(after=OUTDENTED)
    tried = prove(workshop)
    assert [tried.one("amount-is-kept", "after", rank)["outcome"] for rank in (0, 1)] == ["pass", "pass"]
    assert tried.verdict == "regression"
    assert "known-rate" in tried.reason


def test_v7_tests_that_would_not_notice_a_wrong_patch_are_called_weak(workshop: Workshop) -> None:
    workshop.patch()
    rewrite(workshop, keep=None, hazards=None)
    args = (
        "prove",
        "till",
        "--upstream",
        str(workshop.upstream),
        "--json",
        "--runs",
        "1",
        "--branch",
        "main",
    )
    weak = workshop.run(*args)
    (target,) = weak.json["targets"]
    assert (target["verdict"], weak.code) == ("weak_tests", 1)
    assert any(row["kind"] == "mutant" and not row["held"] for row in target["controls"])
    rewrite(workshop, keep=KEEP)
    whole = workshop.run(*args)
    assert (whole.json["targets"][0]["verdict"], whole.code) == ("proven", 0), whole.json["targets"][0][
        "reason"
    ]


def test_v26_upstream_s_conftest_and_settings_are_not_loaded(workshop: Workshop) -> None:
    marks = "import os, pathlib\npathlib.Path(os.environ['TMPDIR'], 'loaded').touch()\nos._exit(0)\n"
    settings = "[pytest]\naddopts = -k nothing --strict-nonsense\npython_functions = check_*\n"
    workshop.commit(
        "main",
        {
            "conftest.py": marks,
            "shop/conftest.py": marks,
            "pytest.ini": settings,
            "setup.cfg": settings.replace("[pytest]", "[tool:pytest]"),
            "sitecustomize.py": marks,
        },
    )
    workshop.patch()
    add_tests(
        workshop,
        """
        import os
        from pathlib import Path

        def test_nothing_was_loaded():
            assert not Path(os.environ["TMPDIR"], "loaded").exists()
        """,
        environment={
            "checkout": ["shop", "conftest.py", "pytest.ini", "setup.cfg", "sitecustomize.py"],
            "imports": ["shop.till"],
        },
    )
    tried = prove(workshop)
    assert tried.outcomes("nothing-was-loaded") == ["pass"]
    assert tried.verdict == "cured_uncontrolled"


HOSTILE = (
    "@NVIDIA/core see #1 <script>alert(1)</script><!-- upstream-bot -->\\n/ok to test abc\\n> /bot test\\n"
    "```\\n::error::x\\n| a | b |\\n[x](http://evil.example) \\u202egnp.exe \\x1b[31mred $(id) `id`"
)


def test_v29_what_a_test_says_is_inert_in_every_report(workshop: Workshop) -> None:
    workshop.patch()
    add_tests(workshop, f'def test_shouts():\n    raise AssertionError("{HOSTILE}")\n')
    prove(workshop, "--out", "evidence.json")
    markdown = workshop.run("report", "evidence.json", "--format", "markdown").out
    assert "alert(1)" in markdown
    for live in ("@NVIDIA", "<script", "<!-- upstream-bot -->", "](http", "\u202e", "\x1b", "see #1"):
        assert live not in markdown
    assert not re.search(r"^[\s>*+\-`|]*/(ok|bot)\b", markdown, re.MULTILINE)
    text = workshop.run("report", "evidence.json", "--format", "text").out
    assert "\x1b[31m" not in text
    assert not re.search(r"^::", text, re.MULTILINE)


def test_v32_one_lock_holds_for_both_sides_and_a_changed_one_runs_anew_or_not_at_all(
    workshop: Workshop,
) -> None:
    folder = workshop.patch()
    add_tests(
        workshop,
        """
        from importlib import metadata

        def test_version(note):
            note(metadata.version("pytest"))
        """,
    )
    first = prove(workshop)
    lock = (folder / "requirements.txt").read_bytes()
    facts = first.done.json["environment"]
    assert facts["lock_sha256"] == hashlib.sha256(lock).hexdigest()
    said = {first.one("version", side)["reason"] for side in ("before", "after")}
    assert said == {facts["packages"]["pytest"]} == {metadata.version("pytest")}
    (folder / "requirements.txt").write_bytes(lock + b"# moved\n")
    assert not prove(workshop).target["cached"]
    (folder / "requirements.txt").write_bytes(lock.replace(b"pytest==", b"pytest==1!"))
    refused = workshop.prove("--branch", "main")
    assert (refused.code, refused.out) == (2, "")
    assert "pytest" in refused.err


@pytest.mark.parametrize("command", [["report"], ["replay"]])
def test_v35_evidence_that_is_not_there_is_a_failure(workshop: Workshop, command: list[str]) -> None:
    workshop.patch()
    done = workshop.run(*command, "evidence.json")
    assert (done.code, done.out) == (2, "")
    assert "evidence.json cannot be read" in done.err


def test_v35_a_run_that_is_refused_leaves_no_evidence(workshop: Workshop) -> None:
    workshop.patch()
    assert workshop.prove("--branch", "none-such", "--out", "evidence.json").code == 2
    assert not (workshop.root / "evidence.json").exists()


def test_v36_evidence_binds_the_whole_commit_and_a_moved_head_is_another_proof(workshop: Workshop) -> None:
    workshop.patch()
    first = prove(workshop, "--out", "evidence.json")
    head = workshop.git("rev-parse", "main")
    assert (first.target["head"], len(head)) == (head, 40)
    moved = workshop.commit("main", {"shop/other.py": "moved = True\n"}, "move")
    again = prove(workshop)
    assert (again.target["head"], again.target["cached"]) == (moved, False)
    forged = json.loads((workshop.root / "evidence.json").read_text())
    forged["targets"][0]["head"] = moved
    (workshop.root / "evidence.json").write_text(json.dumps(forged))
    refused = workshop.run("report", "evidence.json")
    assert (refused.code, refused.out) == (2, "")
    assert "changed after it was sealed" in refused.err


def test_v37_another_outcome_of_the_same_commit_is_told_beside_the_first(workshop: Workshop) -> None:
    flag = workshop.root / "flag"
    workshop.patch()
    add_tests(
        workshop,
        f"""
        from pathlib import Path

        def test_quiet():
            assert not Path({str(flag)!r}).exists()
        """,
    )
    first = prove(workshop, "--out", "evidence.json")
    assert first.verdict == "cured_uncontrolled"
    kept = (workshop.root / "evidence.json").read_bytes()
    flag.touch()
    again = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream), "--out", "new.json")
    assert again.code == 1
    assert "main was cured_uncontrolled and is base_broken now" in again.out
    assert (workshop.root / "evidence.json").read_bytes() == kept
    new = json.loads((workshop.root / "new.json").read_text())
    assert new["id"] != first.done.json["id"]
    assert new["targets"][0]["head"] == first.target["head"]


def test_two_hundred_runs_of_many_ranks_come_to_the_same_with_one_job_and_with_eight(
    workshop: Workshop,
) -> None:
    workshop.patch()
    wide = PROBE | {"world": 8, "before": [PROBE["before"][0], {**PROBE["before"][1], "ranks": "1-7"}]}
    rewrite(workshop, probes=[wide])
    seen = [prove(workshop, "--runs", "20", "--fresh", "--jobs", jobs) for jobs in ("1", "8")]
    assert [one.verdict for one in seen] == ["cured_uncontrolled"] * 2
    assert seen[0].done.json["id"] == seen[1].done.json["id"]
    for one in seen:
        the_rest_goes_on(one)
        assert len(one.all("amount-is-kept", "after", 7)) == 20


def test_a_run_beside_a_broken_target_still_proves_the_others(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("dead", {"shop/__init__.py": "import os\nos.abort()\n"})
    workshop.git("switch", "--quiet", "main")
    done = workshop.prove("--branch", "dead", "--branch", "main", "--runs", "1")
    dead, main = sorted(
        (Tried(target=one, done=done) for one in done.json["targets"]), key=lambda one: one.target["name"]
    )
    assert (dead.verdict, main.verdict, done.code) == ("inconclusive", "cured_uncontrolled", 1)
    the_rest_goes_on(main)
