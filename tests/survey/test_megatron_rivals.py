"""Pull requests beside the first patch, on a copy of the real repository: who cures it, who came first."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.proof.cures import PATCH, RIGHT, WRONG
from tests.survey.test_megatron_history import FILE, ROOT, Copy

#: The manifest's own pull request is 6856; it lists 7155 and 7410.
SAME, MERGED, UNRELATED, WORDS, OUTDENTED = 6001, 6500, 7000, 7155, 7410


@pytest.fixture
def pulls(tmp_path: Path) -> Copy:
    """A copy whose main branch takes the patch, whose dev branch has one cure merged, and five proposals."""
    place = os.environ.get("UPSTREAM_BOT_UPSTREAM", "")
    if not place or not Path(place, "objects").is_dir():
        pytest.skip("UPSTREAM_BOT_UPSTREAM names no bare clone of NVIDIA/Megatron-LM")
    made = Copy(tmp_path / "copy.git", Path(place))
    words = next(cure for cure in RIGHT if cure.name == "returned from the handler")
    outdented = next(cure for cure in WRONG if cure.name == "outdented")
    texts = {SAME: PATCH, MERGED: PATCH, WORDS: words, OUTDENTED: outdented}
    heads = {
        number: made.commit(made.main, {FILE: cure.rewrite(made.text)}, f"Proposal {number}")
        for number, cure in texts.items()
    }
    heads[UNRELATED] = made.commit(made.main, {FILE: f"# elsewhere\n{made.text}"}, "Say something")
    for number, head in heads.items():
        made.run("update-ref", f"refs/pull/{number}/head", head)
    made.run("update-ref", "refs/heads/main", made.main)
    made.run("update-ref", f"refs/heads/pull-request/{WORDS}", heads[WORDS])
    made.run("update-ref", "refs/heads/dev", made.commit(heads[MERGED], {"other.txt": "1\n"}, "Go on"))
    return made


def rivals(pulls: Copy, cache: Path, *args: str) -> dict[int, dict[str, Any]]:
    """The rivals by number, in the order of the report, from the command line."""
    command = [sys.executable, "-m", "bot", "survey", "make-weakref", "--upstream", str(pulls.place)]
    environment = os.environ | {"UPSTREAM_BOT_CACHE": str(cache)}
    done = subprocess.run(
        [*command, "--rivals", "--json", *args], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert (done.returncode in (0, 1), done.stderr) == (True, b"")
    return {row["number"]: row for row in json.loads(done.stdout)["rivals"]}


def test_p8_rivals_are_found_by_content_whatever_they_are_called_and_told_in_their_order(
    pulls: Copy, tmp_path: Path
) -> None:
    found = rivals(pulls, tmp_path / "cache")
    assert list(found) == [SAME, WORDS, OUTDENTED]
    assert {number: (row["base"], row["listed"], row["merged"]) for number, row in found.items()} == {
        SAME: ("main", False, False),
        WORDS: ("main", True, False),
        OUTDENTED: ("main", True, False),
    }
    assert found[SAME]["relation"] == "the same change"
    assert found[SAME]["detail"] == "it came before ours, #6856"
    assert found[WORDS]["detail"] == "it came after ours, #6856"


@pytest.mark.proof
def test_the_same_cure_in_other_words_is_judged_right_and_the_outdented_one_is_not(
    pulls: Copy, tmp_path: Path
) -> None:
    found = rivals(pulls, tmp_path / "cache", "--probe", "--branch", "main", "--branch", "dev")
    assert {number: row["verdict"] for number, row in found.items()} == {
        SAME: "cured_uncontrolled",
        WORDS: "cured_uncontrolled",
        OUTDENTED: "regression",
    }
    assert found[SAME]["detail"].startswith("it came before ours, #6856; ")
    assert "its diff is the patch's v1" in found[SAME]["detail"]
    assert "its diff is an equivalent cure" in found[WORDS]["detail"]
    assert "its diff is something else" in found[OUTDENTED]["detail"]
