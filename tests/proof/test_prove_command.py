"""`prove` from the command line on an upstream of our own: what it sees, and what it leaves behind."""

import signal
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.model import Evidence
from tests.conftest import CURED, FILE, KEEP, PROBE, PROOFS, Workshop


def test_defect_and_cure_are_seen_rank_by_rank_and_run_by_run(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.prove("--branch", "main")
    assert done.code == 0, done.err
    (target,) = done.json["targets"]
    assert (target["state"], target["verdict"]) == ("applies_exact", "cured_uncontrolled")
    seen = {row["rank"]: row for row in target["probes"]}
    assert [one["exception"] for one in seen[0]["before"]] == ["NameError"] * 3
    assert [one["exception"] for one in seen[1]["before"]] == ["UnboundLocalError"] * 3
    assert {one["function"] for row in seen.values() for one in row["before"]} == {"convert"}
    assert {one["outcome"] for row in seen.values() for one in row["after"]} == {"pass"}
    assert {one["fault_hits"] for row in seen.values() for one in row["after"]} == {1}
    assert {one["outcome"] for row in target["keep"] for one in row["before"] + row["after"]} == {"pass"}
    assert [one["exception"] for one in target["hazards"][0]["after"]] == ["TypeError"] * 3


def test_with_controls_that_all_hold_a_cure_is_proven(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.run("prove", "till", "--upstream", str(workshop.upstream), "--branch", "main", "--json")
    (target,) = done.json["targets"]
    assert (done.code, target["verdict"]) == (0, "proven"), target["reason"]
    kinds = [row["kind"] for row in target["controls"] if row["held"]]
    assert (kinds.count("sham"), kinds.count("ablation")) == (1, 2)
    assert kinds.count("mutant") >= 6
    assert len(kinds) == len(target["controls"])


def test_a_control_that_no_test_notices_makes_the_tests_weak(workshop: Workshop) -> None:
    workshop.patch(keep=KEEP[1:])
    done = workshop.run("prove", "till", "--upstream", str(workshop.upstream), "--branch", "main", "--json")
    (target,) = done.json["targets"]
    assert (done.code, target["verdict"]) == (1, "weak_tests")
    missed = {row["what"] for row in target["controls"] if not row["held"]}
    assert "rate = 1 one level out" in missed
    assert target["reason"].startswith("mutant")


def test_the_evidence_has_the_contracts_names_and_no_path_of_this_machine(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.prove("--branch", "main")
    evidence = msgspec.json.decode(done.out, type=Evidence)
    assert evidence.schema == "upstream-bot/evidence/1"
    assert (evidence.patch, evidence.version, evidence.runs, evidence.upstream) == (
        "till",
        "v1",
        3,
        "local:upstream",
    )
    assert str(workshop.root) not in done.out
    assert evidence.targets[0].head == workshop.git("rev-parse", "main")
    assert evidence.targets[0].before_tree == workshop.git("rev-parse", "main^{tree}")
    assert evidence.targets[0].after_tree == workshop.git("rev-parse", "cure^{tree}")


def test_the_upstream_repository_is_left_as_it_was(workshop: Workshop) -> None:
    workshop.patch()
    before = fingerprint(workshop)
    assert workshop.prove("--branch", "main").code == 0
    assert fingerprint(workshop) == before


def fingerprint(workshop: Workshop) -> dict[str, object]:
    told = [
        workshop.git(*command)
        for command in (["status", "--short"], ["for-each-ref"], ["count-objects", "-v"])
    ]
    files = [path for path in workshop.upstream.rglob("*") if path.is_file()]
    return {"told": told, "files": {str(path): path.stat().st_mtime_ns for path in files}}


def test_a_second_run_starts_no_process_and_a_changed_byte_in_a_probe_runs_again(workshop: Workshop) -> None:
    workshop.patch()
    first = workshop.prove("--branch", "main").json
    second = workshop.prove("--branch", "main", PATH=path_without_new_processes(workshop)).json
    assert second["id"] == first["id"]
    assert [target["cached"] for target in second["targets"]] == [True]
    test = workshop.patches / "till" / "proofs" / "test_till.py"
    test.write_text(test.read_text() + "#")
    third = workshop.prove("--branch", "main").json
    assert [target["cached"] for target in third["targets"]] == [False]
    assert third["targets"][0]["verdict"] == "cured_uncontrolled"


def path_without_new_processes(workshop: Workshop) -> str:
    """Give a PATH that has git and nothing else."""
    place = workshop.root / "only-git"
    place.mkdir()
    (place / "git").symlink_to("/usr/bin/git")
    return str(place)


def test_fresh_ignores_the_cache_and_sees_the_same(workshop: Workshop) -> None:
    workshop.patch()
    first = workshop.prove("--branch", "main").json
    again = workshop.prove("--branch", "main", "--fresh").json
    assert again["id"] == first["id"]
    assert [target["cached"] for target in again["targets"]] == [False]


def test_a_damaged_cache_entry_counts_as_nothing(workshop: Workshop) -> None:
    workshop.patch()
    first = workshop.prove("--branch", "main").json
    for entry in (workshop.cache / "evidence").rglob("*.json"):
        entry.write_bytes(b'{"kind": "branch"}')
    again = workshop.prove("--branch", "main").json
    assert again["targets"][0]["cached"] is False
    assert untimed(again) == untimed(first)  # a difference is shown, which two ids would not do


def untimed(part: Any) -> Any:
    """Leave out what may differ between two runs that saw the same."""
    if isinstance(part, dict):
        return {key: untimed(value) for key, value in part.items() if key not in {"seconds", "cached"}}
    return [untimed(one) for one in part] if isinstance(part, list) else part


def test_a_branch_without_the_symbol_is_not_applicable_and_forced_probes_say_symbol_missing(
    workshop: Workshop,
) -> None:
    workshop.commit("old", {FILE: 'def nested_elsewhere():\n    """{currency}"""\n'}, "old")
    workshop.patch()
    done = workshop.prove("--branch", "old")
    assert done.code == 0
    (target,) = done.json["targets"]
    assert (target["state"], target["verdict"], target["probes"]) == (
        "not_affected_yet",
        "not_applicable",
        [],
    )
    assert "convert" in target["reason"]
    (forced,) = workshop.prove("--branch", "old", "--force").json["targets"]
    assert forced["verdict"] == "not_applicable"
    assert {one["outcome"] for row in forced["probes"] for one in row["before"]} == {"symbol_missing"}
    assert {one["outcome"] for row in forced["probes"] for one in row["after"]} == {"not_run"}


def test_a_branch_that_the_manifest_names_and_upstream_lacks_is_a_row_not_an_error(
    workshop: Workshop,
) -> None:
    names = [{"name": "main", "expect": "affected"}, {"name": "gone", "expect": "affected"}]
    workshop.patch(branches=names)
    done = workshop.prove()
    assert done.code == 1
    assert [(row["name"], row["state"]) for row in done.json["targets"]] == [
        ("main", "applies_exact"),
        ("gone", "branch_missing"),
    ]
    assert done.json["targets"][0]["verdict"] == "cured_uncontrolled"


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (CURED.replace("        rate = 1\n", "        rate = 2\n"), "not_cured"),
        (CURED.replace("        rate = 1\n", "            rate = 1\n"), "partly_cured"),
        (CURED.replace("        rate = 1\n", "    rate = 1\n"), "regression"),
        (CURED.replace("except KeyError", "except Exception"), "regression"),
        (CURED.replace("return sum(amounts)", "return sum(map(int, amounts))"), "hazard_changed"),
    ],
    ids=["other value", "on one rank only", "outdented", "wider handler", "hazard gone"],
)
def test_a_wrong_cure_is_never_called_cured(workshop: Workshop, source: str, verdict: str) -> None:
    workshop.patch(after=source)
    done = workshop.prove("--branch", "main")
    assert done.code == 1
    assert done.json["targets"][0]["verdict"] == verdict


def test_v37_a_later_run_that_sees_otherwise_does_not_erase_the_first(workshop: Workshop) -> None:
    flag = workshop.root / "flag"
    workshop.patch()
    quiet = f"from pathlib import Path\n\n\ndef test_quiet():\n    assert not Path({str(flag)!r}).exists()\n"
    workshop.proofs("test_more.py", quiet)
    expected = {"before": [{"outcome": "pass"}], "after": [{"outcome": "pass"}]}
    more = [{"id": "quiet", "test": "proofs/test_more.py::test_quiet", **expected}]
    workshop.manifest(workshop.git("rev-parse", "main"), hazards=more)
    assert workshop.prove("--branch", "main").json["targets"][0]["verdict"] == "cured_uncontrolled"
    flag.touch()
    seen = [workshop.prove("--branch", "main", *more).json["targets"][0] for more in ((), ("--fresh",))]
    assert [target["verdict"] for target in seen] == ["cured_uncontrolled", "flaky"]
    flag.unlink()
    again = [workshop.prove("--branch", "main", *more).json["targets"][0] for more in (("--fresh",), ())]
    assert [(target["verdict"], target["cached"]) for target in again] == [("flaky", False), ("flaky", True)]


def test_replay_says_that_the_verdicts_hold_and_notices_another_patch(workshop: Workshop) -> None:
    workshop.patch()
    workshop.prove("--branch", "main", "--out", "evidence.json")
    again = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream))
    assert (again.code, again.out.splitlines()[-1]) == (0, "every verdict holds")
    test = workshop.patches / "till" / "proofs" / "test_till.py"
    test.write_text(test.read_text() + "#")
    other = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream))
    assert (other.code, other.out) == (2, "")
    assert "not what that evidence is about" in other.err


def test_replay_finds_the_recorded_commit_after_the_branch_moved(workshop: Workshop) -> None:
    workshop.patch()
    first = workshop.prove("--branch", "main", "--out", "evidence.json").json
    workshop.commit("main", {"README": "moved\n"}, "move")
    again = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream), "--json")
    assert again.code == 0
    assert again.json["targets"][0]["head"] == first["targets"][0]["head"]


def test_replay_tells_a_verdict_that_does_not_hold(workshop: Workshop) -> None:
    flag = workshop.root / "flag"
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        f"from pathlib import Path\n\n\ndef test_quiet():\n    assert not Path({str(flag)!r}).exists()\n",
    )
    more = [*KEEP, {"id": "quiet", "test": "proofs/test_more.py::test_quiet"}]
    workshop.manifest(workshop.git("rev-parse", "main"), keep=more)
    assert workshop.prove("--branch", "main", "--out", "evidence.json").code == 0
    flag.touch()
    again = workshop.run("replay", "evidence.json", "--upstream", str(workshop.upstream))
    assert again.code == 1
    assert "main was cured_uncontrolled and is base_broken now" in again.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_with_130_and_leaves_no_child_scratch_or_lock(
    workshop: Workshop, number: int
) -> None:
    workshop.patch()
    workshop.proofs("test_till.py", "import time\n\n\ndef test_the_amount_is_kept():\n    time.sleep(60)\n")
    workshop.manifest(workshop.git("rev-parse", "main"), keep=None, hazards=None)
    process = workshop.start("prove", "till", "--upstream", str(workshop.upstream), "--branch", "main")
    until(lambda: bool(list(Path(workshop.env["TMPDIR"]).glob("*/*/proofs"))))
    time.sleep(1)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "interrupted" in err
    workshop.proofs("test_till.py", PROOFS)
    assert workshop.prove("--branch", "main").code == 0


def test_a_kill_leaves_no_process_and_the_next_run_sweeps_the_scratch_directory(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs("test_till.py", "import time\n\n\ndef test_the_amount_is_kept():\n    time.sleep(60)\n")
    workshop.manifest(workshop.git("rev-parse", "main"), keep=None, hazards=None)
    process = workshop.start("prove", "till", "--upstream", str(workshop.upstream), "--branch", "main")
    until(lambda: bool(list(Path(workshop.env["TMPDIR"]).glob("*/*/proofs"))))
    time.sleep(1)
    process.kill()
    process.communicate()
    assert list(Path(workshop.env["TMPDIR"]).iterdir())
    workshop.proofs("test_till.py", PROOFS)
    assert workshop.prove("--branch", "main").code == 0


def until(happened: "object", seconds: float = 20) -> None:
    """Wait until `happened()` is true; fail the test when it never is."""
    assert callable(happened)
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def test_probes_that_no_launcher_or_device_can_run_are_said_to_be_not_run(workshop: Workshop) -> None:
    gpu = {**PROBE, "id": "on-gpu", "device": "gpu", "required": False}
    workshop.patch(probes=[PROBE, gpu])
    (target,) = workshop.prove("--branch", "main").json["targets"]
    assert target["verdict"] == "cured_uncontrolled"
    outcomes = [
        one for row in target["probes"] if row["id"] == "on-gpu" for one in row["before"] + row["after"]
    ]
    assert {(one["outcome"], one["reason"]) for one in outcomes} == {("not_run", "no CUDA device")}
    assert "1 of 2 probes proven" in target["reason"]


def test_a_patch_without_probes_is_never_proven(workshop: Workshop) -> None:
    workshop.patch(probes=None, keep=None, hazards=None)
    done = workshop.prove("--branch", "main")
    assert (done.code, done.json["targets"][0]["verdict"]) == (1, "no_tests")


def test_the_defect_that_is_not_there_is_not_reproduced(workshop: Workshop) -> None:
    workshop.patch(before=CURED.replace("rate = 1", "rate = int(1)"))
    assert workshop.prove("--branch", "main").json["targets"][0]["verdict"] == "defect_not_reproduced"
