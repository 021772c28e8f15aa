"""What must not be lost or mixed up: a survey whose probes cannot run, and two clones of one name."""

import json
import shutil

from tests.conftest import BROKEN, CURED, FILE, Workshop

OTHER = CURED.replace("        rate = 1\n", "        return amount\n")


def test_a_survey_whose_probes_cannot_run_is_printed_and_says_why(workshop: Workshop) -> None:
    folder = workshop.patch()
    workshop.commit("words", {FILE: OTHER})
    workshop.git("switch", "--quiet", "main")
    (folder / "requirements.txt").write_text("pytest==0.0.1\n", encoding="utf-8")
    args = ("survey", "till", "--upstream", str(workshop.upstream), "--probe")
    done = workshop.run(*args, "--json")
    rows = {row["name"]: row for row in json.loads(done.out)["rows"]}
    assert (done.code, rows["words"]["state"], rows["main"]["state"]) == (
        1,
        "conflicts_unprobed",
        "applies_exact",
    )
    assert "; not probed: the locked environment of till is not here" in rows["words"]["detail"]
    assert done.err.startswith("upstream-bot: not probed: the locked environment of till is not here")
    assert "hint: build it once" in done.err
    assert "not probed: the locked environment" in workshop.run(*args).out


def test_watch_tells_two_clones_of_one_name_apart_and_says_the_states_of_a_first_look(
    workshop: Workshop,
) -> None:
    workshop.patch()
    other = workshop.root / "elsewhere" / "upstream"
    shutil.copytree(workshop.upstream, other)
    args = ("watch", "till", "--state", "state.json", "--upstream")
    first = workshop.run(*args, str(workshop.upstream))
    assert "the first look, remembered for the next: 1 upstream_identical, 1 applies_exact" in first.out
    kept = (workshop.root / "state.json").read_bytes()
    mixed = workshop.run(*args, str(other))
    assert (mixed.code, mixed.out) == (2, "")
    assert "another repository that is called local:upstream too" in mixed.err
    assert (workshop.root / "state.json").read_bytes() == kept
    again = workshop.run(*args, str(workshop.upstream / ".git"))
    assert (again.code, "nothing changed" in again.out) == (0, True)


def test_a_snapshot_that_names_no_repository_can_still_be_read(workshop: Workshop) -> None:
    workshop.patch()
    args = ("watch", "till", "--upstream", str(workshop.upstream), "--state", "state.json")
    workshop.run(*args)
    state = workshop.root / "state.json"
    old = json.loads(state.read_text(encoding="utf-8"))
    del old["identity"]
    state.write_text(json.dumps(old), encoding="utf-8")
    workshop.commit("main", {FILE: f"# more\n{BROKEN}"})
    assert "1 changed" in workshop.run(*args).out


def test_the_environment_is_listed_one_package_a_line(workshop: Workshop) -> None:
    workshop.patch()
    first, *others = workshop.run("env", "till").out.splitlines()
    assert first.endswith(" with 2 packages")
    assert [line.split()[0] for line in others] == ["pluggy", "pytest"]


def test_c31_p16_a_sync_merge_that_loses_the_fix_is_an_alarm_with_the_merge_named(workshop: Workshop) -> None:
    workshop.patch()
    workshop.commit("dev", {FILE: CURED}, "Keep the amount (#60)")
    args = ("watch", "till", "--upstream", str(workshop.upstream), "--branch", "dev", "--json")
    state = ("--state", str(workshop.root / "state.json"))
    assert workshop.run(*args, *state).code == 0
    workshop.git("switch", "--quiet", "main")
    workshop.commit("main", {"more.txt": "1\n"}, "More")
    workshop.git("switch", "--quiet", "dev")
    workshop.git("merge", "--quiet", "--no-commit", "--no-ff", "main")
    workshop.git("checkout", "--quiet", "main", "--", FILE)
    workshop.git("commit", "--quiet", "--message", "Sync main into dev (#61)")
    merge = workshop.git("rev-parse", "HEAD")
    done = workshop.run(*args, *state)
    (change,) = done.json["changes"]
    assert (done.code, change["name"], change["kind"], change["action"]) == (1, "dev", "lost again", True)
    assert f"{merge[:12]} (#61)" in change["detail"]
