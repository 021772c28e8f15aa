"""The facts' tables, on every branch of a local clone of NVIDIA/Megatron-LM (heads of 2026-08-22)."""

from collections import Counter
from pathlib import Path

import pytest

from bot import catalog, git, survey
from bot.model import Patch, Ref, Row, State
from bot.survey.apply import apply

Megatron = tuple[git.Repo, list[Ref]]
NO = State.NOT_AFFECTED_YET
FACTS = {
    "main": (State.APPLIES_EXACT, 0),
    "dev": (State.APPLIES_EXACT, -161),
    "core_r0.19.0": (State.APPLIES_EXACT, -58),
    "core_r0.18.0": (NO, None),
    "core_r0.17.0": (NO, None),
    "core_r0.16.0": (NO, None),
    "core_r0.15.0": (NO, None),
    "main2dev/02_07_2026": (State.NOT_AFFECTED_ANYMORE, None),
}


@pytest.fixture
def patch() -> Patch:
    return catalog.load(Path(__file__).parents[2] / "patches", "make-weakref")


@pytest.fixture
def rows(megatron: Megatron, patch: Patch) -> dict[str, Row]:
    store, refs = megatron
    return {row.name: row for row in survey.survey(store, patch, refs, has_history=True)}


def test_the_named_branches_are_what_the_facts_say_p20(rows: dict[str, Row]) -> None:
    assert {name: (rows[name].state, rows[name].offset) for name in FACTS} == FACTS
    assert rows["main"].patched_blob == "9d9d01aa5f272a774e1141d34f9114f94c7e77c7"


def test_all_branches_are_told_and_none_is_unknown(rows: dict[str, Row]) -> None:
    states = Counter(row.state for row in rows.values())
    assert states == {State.APPLIES_EXACT: 178, NO: 248, State.NOT_AFFECTED_ANYMORE: 1}
    assert sum(row.blob is None for row in rows.values()) == 13
    assert len({row.blob for row in rows.values() if row.blob}) == 69


def test_the_applier_equals_git_apply_on_every_distinct_blob(
    megatron: Megatron, patch: Patch, rows: dict[str, Row]
) -> None:
    store, _ = megatron
    (changes,) = patch.variants.values()
    mail = (patch.folder / patch.version.files[0].path).read_bytes()
    blobs = git.contents(store, (row.blob for row in rows.values() if row.blob))
    index = {"GIT_INDEX_FILE": str(store.path / "scratch-index")}
    for blob, text in blobs.items():
        entry = f"100644 {blob}\t{changes[0].path}\n".encode()
        git.must(store, "update-index", "--index-info", data=entry, env=index)
        refused = git.call(store, "apply", "--cached", "-", data=mail, env=index).code
        after = git.must(store, "cat-file", "blob", f":{changes[0].path}", env=index).out
        assert apply(text, changes[0].hunks).data == (None if refused else after)
