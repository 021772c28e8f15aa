"""What a next version would cost the other branches, and when a proof is good enough."""

from pathlib import Path

import pytest
from msgspec import structs

from bot import catalog, upstream
from bot.carry import proving, refreshing
from bot.carry.refreshing import trial
from bot.catalog import mailpatch
from bot.model import Evidence, Patch, Row, State, TargetEvidence, Verdict
from tests.conftest import BROKEN, CURED, FILE, Workshop


@pytest.fixture
def patch(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> Patch:
    monkeypatch.setenv("TMPDIR", workshop.env["TMPDIR"])
    both = [{"name": name, "expect": "affected"} for name in ("main", "stable")]
    workshop.patch(branches=both)
    workshop.git("branch", "stable", "main")
    return catalog.load(workshop.patches, "till")


def on(workshop: Workshop, patch: Patch, before: str, after: str) -> Patch:
    """The patch as if it had been made between these two texts."""
    old = workshop.commit("other", {FILE: before})
    new = workshop.commit("other", {FILE: after})
    made = workshop.git("format-patch", "-1", "--stdout", "--full-index", "--no-signature", new)
    (file,) = patch.version.files
    version = structs.replace(patch.version, base=structs.replace(patch.version.base, commit=old))
    changes = mailpatch.parse(f"{made}\n".encode())
    return structs.replace(patch, version=version, variants={file.path: changes})


def open_upstream(workshop: Workshop) -> upstream.Upstream:
    return upstream.open_upstream(str(workshop.upstream), cache=workshop.cache, notice=lambda _: None)


def test_an_affected_branch_that_the_next_version_loses_is_named(workshop: Workshop, patch: Patch) -> None:
    other = BROKEN.replace("no rate for", "there is no rate for")
    cured = CURED.replace("no rate for", "there is no rate for")
    staged = on(workshop, patch, other, cured)
    workshop.commit("main", {FILE: other})
    source = open_upstream(workshop)
    assert [(row.name, row.state) for row in trial.left_behind(source, staged, patch)] == [
        ("main", State.CONFLICTS)
    ]
    assert [row.name for row in trial.left_behind(source, patch, staged)] == ["stable"]


def test_a_version_that_keeps_every_branch_loses_none(workshop: Workshop, patch: Patch) -> None:
    staged = on(workshop, patch, f"MORE = 1\n{BROKEN}", f"MORE = 1\n{CURED}")
    assert not list(trial.left_behind(open_upstream(workshop), patch, staged))


def made(workshop: Workshop, patch: Patch) -> refreshing.Trial:
    workshop.commit("main", {FILE: f"MORE = 1\n{BROKEN}"})
    order = proving.Order(patch=patch, spec=str(workshop.upstream), cache=workshop.cache, branches=("main",))
    wish = refreshing.Wish(patch=patch, branch="main")
    tried = refreshing.attempt(wish, order, lambda *_: None, with_proof=False)
    assert isinstance(tried, refreshing.Trial)
    return tried


def seen(head: str | None, verdict: Verdict) -> Evidence:
    target = TargetEvidence(
        kind="branch",
        name="main",
        head=head,
        base_commit=head,
        before_tree=None,
        after_tree=None,
        state=State.APPLIES_EXACT,
        verdict=verdict,
        reason="so it is",
        cached=False,
    )
    return Evidence(
        schema="upstream-bot/evidence/1",
        id="",
        bot="",
        patch="till",
        version="v2",
        patch_sha256="",
        probes_sha256="",
        environment_sha256="",
        upstream="",
        runs=1,
        isolation="none",
        seconds=0.0,
        environment={},
        targets=(target,),
    )


def test_only_a_good_verdict_on_that_very_head_lets_a_version_be_published(
    workshop: Workshop, patch: Patch
) -> None:
    tried = made(workshop, patch)
    head = tried.draft.row.head
    assert refreshing.objection(tried, controls=True) == ""
    for controls, fine in (
        (True, {Verdict.PROVEN}),
        (False, {Verdict.PROVEN, Verdict.CURED_UNCONTROLLED}),
    ):
        for verdict in Verdict:
            told = refreshing.objection(structs.replace(tried, seen=seen(head, verdict)), controls=controls)
            assert told == ("" if verdict in fine else f"main is {verdict}: so it is")
    moved = structs.replace(tried, seen=seen("0" * 40, Verdict.PROVEN))
    assert refreshing.objection(moved, controls=True) == "main moved while it was proven: run again"


def test_a_lost_branch_outweighs_any_proof_and_the_way_out_is_told(workshop: Workshop, patch: Patch) -> None:
    row = Row(
        ref="refs/heads/stable", name="stable", head="0" * 40, state=State.CONFLICTS, detail="it does not"
    )
    tried = structs.replace(made(workshop, patch), lost=(row,))
    assert refreshing.objection(tried, controls=True) == (
        "stable would be conflicts: it does not. "
        "Give that branch a variant of its own first: --branch stable --variant NAME"
    )


def test_an_attempt_leaves_the_patchs_folder_alone(workshop: Workshop, patch: Patch) -> None:
    before = {path: path.read_bytes() for path in files(patch.folder)}
    tried = made(workshop, patch)
    assert tried.draft.made.version.id == "v2"
    assert {path: path.read_bytes() for path in files(patch.folder)} == before


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
