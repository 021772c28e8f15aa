"""An upstream that moves while the patch is proven on it: the proof stands, and says what it is about."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.upstream import open_upstream
from tests.conftest import BROKEN, CURED, FILE, KEEP, Done, Workshop

SLOW = {"id": "slow", "test": "proofs/test_slow.py::test_slow", "timeout": 20}


def start(workshop: Workshop) -> str:
    """The patch `till` with a test that takes its time; the head of main."""
    workshop.patch()
    workshop.proofs("test_slow.py", "import time\n\n\ndef test_slow():\n    time.sleep(1.5)\n")
    head = workshop.git("rev-parse", "main")
    workshop.manifest(head, keep=[*KEEP, SLOW])
    return head


def prove_while(workshop: Workshop, happens: Callable[[], object], *args: str) -> Done:
    """Prove, and let something happen as soon as the heads were read and the tests are about to run."""
    process = workshop.start("prove", "till", "--no-controls", "--runs", "1", *args)
    scratch = Path(workshop.env["TMPDIR"])
    deadline = time.monotonic() + 30
    while not list(scratch.glob("upstream-bot-scratch-*/work")):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    happens()
    out, err = process.communicate(timeout=60)
    return Done(code=process.returncode, out=out, err=err)


@pytest.mark.parametrize("kind", ["path", "url"])
def test_p37_a_branch_that_moves_meanwhile_is_told_and_its_proof_stands(
    workshop: Workshop, kind: str
) -> None:
    head = start(workshop)
    for key in ("allowFilter", "allowAnySHA1InWant"):
        workshop.git("config", f"uploadpack.{key}", "true")
    place = str(workshop.upstream) if kind == "path" else f"file://{workshop.upstream}"
    merged = workshop.git("rev-parse", "cure")
    done = prove_while(
        workshop,
        lambda: workshop.git("update-ref", "refs/heads/main", merged),
        *("--upstream", place, "--branch", "main", "--json"),
    )
    assert done.code == 0, done.err
    (target,) = done.json["targets"]
    assert (target["head"], target["verdict"]) == (head, "cured_uncontrolled")
    told = f"main moved to {merged[:12]} while it was proven; this is about {head[:12]}"
    assert target["reason"].endswith(f"; {told}")


def test_p37_a_proposal_rests_on_its_base_too_and_the_report_says_what_moved(workshop: Workshop) -> None:
    start(workshop)
    workshop.git("update-ref", "refs/pull/7/head", "cure")
    workshop.git("switch", "--quiet", "main")
    moved = workshop.commit("later", {FILE: f"# later\n{BROKEN}"})
    workshop.git("switch", "--quiet", "later")

    def move() -> None:
        workshop.git("update-ref", "refs/heads/main", moved)
        workshop.git("update-ref", "-d", "refs/pull/7/head")

    args = ("--upstream", str(workshop.upstream), "--proposal", "7", "--base", "main")
    done = prove_while(workshop, move, *args, "--out", "evidence.json")
    assert done.code == 0, done.err
    for out in (done.out, workshop.run("report", "evidence.json", "--format", "markdown").out):
        flat = " ".join(out.split())
        assert f"main moved to {moved[:12]} while it was proven" in flat
        assert "pull/7 went away while it was proven" in flat


def test_a_branch_that_stays_is_not_spoken_of_and_neither_is_one_whose_proof_is_remembered(
    workshop: Workshop,
) -> None:
    start(workshop)
    first = workshop.prove("--branch", "main").json["targets"][0]
    again = workshop.prove("--branch", "main").json["targets"][0]
    assert again["cached"]
    assert again["reason"] == first["reason"]
    assert "while it was proven" not in first["reason"]


@pytest.mark.parametrize("kind", ["path", "url"])
def test_exactly_the_refs_that_are_asked_for_are_read_again(workshop: Workshop, kind: str) -> None:
    workshop.commit("main", {FILE: BROKEN})
    head = workshop.commit("main", {FILE: CURED})
    workshop.git("tag", "--annotate", "--message", "one", "v1", "main")
    workshop.git("update-ref", "refs/other/refs/heads/main", f"{head}~")
    place = str(workshop.upstream) if kind == "path" else f"file://{workshop.upstream}"
    source = open_upstream(place, cache=workshop.cache, notice=lambda _: None)
    asked = ["refs/heads/main", "refs/tags/v1", "refs/heads/gone"]
    assert source.heads_now(asked) == {"refs/heads/main": head, "refs/tags/v1": head}
