"""The verdict's precedence, rule by rule, and its whole table of before and after."""

from itertools import product
from typing import Any

import msgspec
import pytest

from bot import model
from bot.model import (
    CheckRow,
    ControlRow,
    Controls,
    Expected,
    Kind,
    Manifest,
    Outcome,
    State,
    TargetEvidence,
    Verdict,
)
from bot.proof.verdict import RULES, Case, Judgement, decide, judge

EXPECTED = {"exception": "NameError", "match": "'arg'", "function": "make_weakref"}
HELD = tuple(ControlRow(kind=kind, what="x", held=True) for kind in ("sham", "ablation", "mutant"))
PASS = Outcome(outcome=Kind.PASS)
DEFECT = Outcome(
    outcome=Kind.FAIL, message="name 'arg' is not defined", exception="NameError", function="make_weakref"
)


def a_manifest(**changed: Any) -> Manifest:
    plain = {
        "schema": 1,
        "id": "fix",
        "title": "A fix",
        "upstream": {},
        "versions": [
            {"id": "v1", "base": {"commit": "0" * 40}, "files": [{"path": "p", "sha256": "0" * 64}]}
        ],
        "probes": [{"id": "probe", "test": "t.py::probe", "before": [EXPECTED]}],
        "keep": [{"id": "keep", "test": "t.py::keep"}],
        "hazards": [
            {
                "id": "hazard",
                "test": "t.py::hazard",
                "before": [{"exception": "ValueError"}],
                "after": [{"outcome": "pass"}],
            }
        ],
    }
    return msgspec.convert(plain | changed, Manifest)


def out(what: Outcome | str, **more: Any) -> Outcome:
    return what if isinstance(what, Outcome) else Outcome(outcome=Kind(what), **more)


def row(name: str, before: Any, after: Any, *, rank: int = 0, world: int = 1) -> model.TestRow:
    """One outcome stands for three runs; a list is taken as it is."""
    sides = (
        tuple(map(out, side)) if isinstance(side, list) else (out(side),) * 3 for side in (before, after)
    )
    first, second = sides
    return model.TestRow(
        id=name, rank=rank, world=world, launcher="fake", required=True, before=first, after=second
    )


VALUE_ERROR = out("fail", exception="ValueError")


def a_case(**changed: Any) -> Case:
    """Everything as it must be for `proven`, but for what is changed."""
    plain: dict[str, Any] = {
        "state": State.APPLIES_EXACT,
        "probes": (row("probe", DEFECT, PASS),),
        "keep": (row("keep", PASS, PASS),),
        "hazards": (row("hazard", VALUE_ERROR, PASS),),
        "controls": HELD,
        "controls_run": True,
        "runs": 3,
    }
    return Case(**plain | changed)


def judged(manifest: Manifest | None = None, **changed: Any) -> Judgement:
    return decide(manifest or a_manifest(), a_case(**changed))


def two_ranks(before: list[Any], after: list[Any]) -> Judgement:
    probe = {"id": "probe", "test": "t", "world": 2, "before": [EXPECTED]}
    rows = (row("probe", before[rank], after[rank], rank=rank, world=2) for rank in (0, 1))
    return judged(a_manifest(probes=[probe]), probes=tuple(rows))


# One column per outcome after, in the order of Kind:
#   pass fail setup_error import_error symbol_missing skip xfail xpass timeout crash oom missing
#   fault_not_fired not_run
LETTERS = {
    "P": Verdict.PROVEN,
    "N": Verdict.NOT_CURED,
    "W": Verdict.WRONG_FAILURE,
    "D": Verdict.DEFECT_NOT_REPRODUCED,
    "I": Verdict.INCONCLUSIVE,
    "R": Verdict.NOT_RUN,
}
TABLE = {
    "pass": "DDDDDIDDIIIIDI",
    "fail": "PNNNNINNIIIINI",
    "setup_error": "WWWWWIWWIIIIWI",
    "import_error": "WWWWWIWWIIIIWI",
    "symbol_missing": "WWWWWIWWIIIIWI",
    "skip": "IIIIIRIIIIIIIR",
    "xfail": "DDDDDIDDIIIIDI",
    "xpass": "DDDDDIDDIIIIDI",
    "timeout": "IIIIIIIIIIIIII",
    "crash": "IIIIIIIIIIIIII",
    "oom": "IIIIIIIIIIIIII",
    "missing": "IIIIIIIIIIIIII",
    "fault_not_fired": "DDDDDIDDIIIIDI",
    "not_run": "IIIIIRIIIIIIIR",
}


@pytest.mark.parametrize(("before", "after"), list(product(Kind, Kind)))
def test_every_outcome_before_and_after_has_its_verdict(before: Kind, after: Kind) -> None:
    first = DEFECT if before is Kind.FAIL else before
    letter = TABLE[before][list(Kind).index(after)]
    assert judged(probes=(row("probe", first, after),)).verdict is LETTERS[letter]


def test_as_declared_on_every_side_is_proven_and_counts_stand_beside_it() -> None:
    found = judged()
    assert found == Judgement(
        verdict=Verdict.PROVEN,
        reason="every required probe fails before with its signature and passes after, in all of 3 runs; "
        "1 of 1 probes proven",
        proved=1,
        failed=0,
        not_run=0,
    )


NEVER = out("missing", reason="not collected: deselected by -k")
SHOWN: dict[str, tuple[dict[str, Any], str]] = {
    "not_applicable": ({"state": State.NOT_AFFECTED_YET, "state_detail": "no anchor"}, "no anchor"),
    "not_applicable: identical": ({"state": State.UPSTREAM_IDENTICAL}, "upstream_identical"),
    "no_tests: V9 deselected": ({"probes": (row("probe", NEVER, NEVER),)}, "never collected: probe"),
    "no_tests: V9 no row": ({"probes": ()}, "never collected: probe"),
    "base_broken: V31": ({"keep": (row("keep", "fail", PASS),)}, "keep-test keep rank 0 before"),
    "base_broken: once": ({"keep": (row("keep", [PASS, PASS, "fail"], PASS),)}, "keep-test keep"),
    "base_broken: import": ({"keep": (row("keep", "import_error", PASS),)}, "import_error"),
    "base_broken: V6": ({"keep": (row("keep", "fault_not_fired", PASS),)}, "fault_not_fired"),
    "inconclusive: V17": ({"probes": (row("probe", DEFECT, "crash"),)}, "crash: probe rank 0 after"),
    "inconclusive: V38": ({"keep": (row("keep", "timeout", PASS),)}, "baseline timeout: keep rank 0"),
    "inconclusive: V15": ({"keep": (row("keep", PASS, "timeout"),)}, "timeout: keep rank 0 after"),
    "inconclusive: V18 cut": ({"probes": (row("probe", DEFECT, [PASS, PASS]),)}, "2 of 3 outcomes"),
    "inconclusive: keep unseen": ({"keep": ()}, "keep: outcomes of ranks [], of a world of 1"),
    "inconclusive: twice": ({"probes": (row("probe", DEFECT, PASS),) * 2}, "ranks [0, 0]"),
    "inconclusive: V10 skips after": ({"probes": (row("probe", DEFECT, "skip"),)}, "did not run"),
    "flaky: V14": ({"probes": (row("probe", DEFECT, [PASS, "fail", PASS]),)}, "2 of 3 pass, 1 of 3 fail"),
    "flaky: V14 before": ({"probes": (row("probe", [DEFECT, PASS, DEFECT], PASS),)}, "1 of 3 pass"),
    "flaky: hazard": ({"hazards": (row("hazard", [VALUE_ERROR, PASS, PASS], PASS),)}, "hazard rank 0"),
    "wrong_failure: V1": (
        {"probes": (row("probe", "import_error", PASS),), "keep": (row("keep", "import_error", PASS),)},
        "seen import_error",
    ),
    "wrong_failure: V5": (
        {"probes": (row("probe", out("fail", exception="TypeError", message="no"), PASS),)},
        "expected fail NameError matching \"'arg'\" (in make_weakref), seen fail TypeError: no",
    ),
    "defect_not_reproduced: V4": ({"probes": (row("probe", PASS, PASS),)}, "probe rank 0 before: pass"),
    "defect_not_reproduced: V6": ({"probes": (row("probe", "fault_not_fired", PASS),)}, "fault_not_fired"),
    "defect_not_reproduced: V13": ({"probes": (row("probe", "xfail", "xpass"),)}, "xfail"),
    "regression: keep": ({"keep": (row("keep", PASS, VALUE_ERROR),)}, "keep rank 0 after: fail ValueError"),
    "regression: check": ({"checks": (CheckRow(id="ruff", before=("a",), after=("a", "b")),)}, "ruff: b"),
    "not_cured": ({"probes": (row("probe", DEFECT, DEFECT),)}, "no probe passes after"),
    "hazard_changed": ({"hazards": (row("hazard", VALUE_ERROR, "xfail"),)}, "declared pass, seen xfail"),
    "hazard_changed: unseen": ({"hazards": ()}, "hazard hazard: outcomes of ranks []"),
    "not_run: V10": (
        {"probes": (row("probe", *[out("skip", reason="no GPU")] * 2),)},
        "probe: skip: no GPU",
    ),
    "not_run: keep": ({"keep": (row("keep", "not_run", "not_run"),)}, "keep: not_run"),
    "not_run: hazard": ({"hazards": (row("hazard", "skip", "skip"),)}, "hazard: skip"),
    "not_run: conflict": ({"state": State.CONFLICTS, "state_detail": "by 5451"}, "conflicts: by 5451"),
    "weak_tests: V7": (
        {"controls": (*HELD, ControlRow(kind="mutant", what="outdented", held=False))},
        "mutant 'outdented' did not hold",
    ),
    "cured_uncontrolled": ({"controls": (), "controls_run": False}, "not run: sham, ablation, mutant"),
    "cured_uncontrolled: one kind": ({"controls": HELD[:2]}, "controls not run: mutant"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_departs_from_proven_has_its_verdict_and_names_what_was_seen(name: str) -> None:
    changed, told = SHOWN[name]
    found = judged(**changed)
    assert found.verdict == name.partition(":")[0]
    assert told in found.reason
    assert found.proved + found.failed + found.not_run == 1


#: Each case shows what its own rule and every later one would report: the earlier must win.
WORSE: list[tuple[Verdict, dict[str, Any]]] = [
    (Verdict.CURED_UNCONTROLLED, {"controls": (), "controls_run": False}),
    (Verdict.WEAK_TESTS, {"controls": (ControlRow(kind="sham", what="x", held=False),)}),
    (Verdict.NOT_RUN, {"probes": (row("probe", DEFECT, PASS), row("second", "skip", "skip"))}),
    (Verdict.HAZARD_CHANGED, {"hazards": (row("hazard", PASS, PASS),)}),
    (Verdict.PARTLY_CURED, {"probes": (row("probe", DEFECT, PASS), row("second", DEFECT, DEFECT))}),
    (Verdict.NOT_CURED, {"probes": (row("probe", DEFECT, DEFECT), row("second", DEFECT, DEFECT))}),
    (Verdict.REGRESSION, {"keep": (row("keep", PASS, "fail"),)}),
    (Verdict.DEFECT_NOT_REPRODUCED, {"probes": (row("probe", PASS, "fail"), row("second", DEFECT, "fail"))}),
    (Verdict.WRONG_FAILURE, {"probes": (row("probe", PASS, "fail"), row("second", "fail", "fail"))}),
    (Verdict.FLAKY, {"keep": (row("keep", PASS, [PASS, "fail", PASS]),)}),
    (Verdict.INCONCLUSIVE, {"probes": (row("probe", PASS, "oom"), row("second", "fail", "fail"))}),
    (Verdict.BASE_BROKEN, {"keep": (row("keep", "fail", "crash"),)}),
    (Verdict.NO_TESTS, {"probes": (row("probe", PASS, "oom"),)}),
    (Verdict.NOT_APPLICABLE, {"state": State.NOT_AFFECTED_ANYMORE}),
]


def test_the_earlier_rule_wins_over_all_later_ones() -> None:
    second = {"id": "second", "test": "t.py::second", "before": [EXPECTED]}
    manifest = a_manifest(probes=[{"id": "probe", "test": "t", "before": [EXPECTED]}, second])
    changed: dict[str, Any] = {"probes": (row("probe", DEFECT, PASS), row("second", DEFECT, PASS))}
    seen = [decide(manifest, a_case(**changed)).verdict]
    for _, more in WORSE:
        changed |= more
        seen.append(decide(manifest, a_case(**changed)).verdict)
    assert seen == [Verdict.PROVEN, *(verdict for verdict, _ in WORSE)]
    assert seen[::-1] == [verdict for verdict, _ in RULES]


@pytest.mark.parametrize("off", range(len(RULES)))
def test_with_a_rule_switched_off_its_own_case_is_judged_otherwise(off: int) -> None:
    verdict, _ = RULES[off]
    own = next((changed for name, (changed, _) in SHOWN.items() if name.partition(":")[0] == verdict), {})
    manifest, case = a_manifest(), a_case(**own)
    if verdict is Verdict.PARTLY_CURED:
        probe = {"id": "probe", "test": "t", "world": 2, "before": [EXPECTED]}
        ranks = (row("probe", DEFECT, side, rank=n, world=2) for n, side in enumerate((PASS, DEFECT)))
        manifest, case = a_manifest(probes=[probe]), a_case(probes=tuple(ranks))
    assert decide(manifest, case).verdict is verdict
    left = RULES[:off] + RULES[off + 1 :]
    after = decide(manifest, case, left)
    assert (after.verdict, after.reason) != (verdict, decide(manifest, case).reason)
    assert after.verdict is not Verdict.PROVEN or verdict in {
        Verdict.REGRESSION,
        Verdict.BASE_BROKEN,
        Verdict.HAZARD_CHANGED,
        Verdict.NOT_RUN,
        Verdict.WEAK_TESTS,
        Verdict.CURED_UNCONTROLLED,
    }


@pytest.mark.parametrize("state", State)
def test_a_state_without_a_proof_is_never_green_whatever_rows_came_with_it(state: State) -> None:
    verdict = judged(state=state).verdict
    if state in {State.APPLIES_EXACT, State.APPLIES_MERGED}:
        assert verdict is Verdict.PROVEN
    else:
        assert verdict in {Verdict.NOT_APPLICABLE, Verdict.NOT_RUN}


def test_v20_ranks_with_their_own_signatures_are_proven() -> None:
    unbound = {"ranks": "1-3", "exception": "UnboundLocalError", "match": "wr"}
    probe = {"id": "probe", "test": "t", "world": 4, "before": [{"ranks": "0", **EXPECTED}, unbound]}
    other = out("fail", exception="UnboundLocalError", message="local variable 'wr'")
    rows = [row("probe", other if rank else DEFECT, PASS, rank=rank, world=4) for rank in range(4)]
    assert judged(a_manifest(probes=[probe]), probes=tuple(rows)).verdict is Verdict.PROVEN
    swapped = (*rows[:3], row("probe", DEFECT, PASS, rank=3, world=4))
    assert judged(a_manifest(probes=[probe]), probes=swapped).verdict is Verdict.WRONG_FAILURE


@pytest.mark.parametrize(
    ("before", "after", "verdict", "told"),
    [
        ([DEFECT, PASS], [PASS, PASS], Verdict.DEFECT_NOT_REPRODUCED, "probe rank 1 before"),
        ([DEFECT, DEFECT], [PASS, "fail"], Verdict.PARTLY_CURED, "probe rank 1 after: fail"),
        ([DEFECT, DEFECT], ["fail", "fail"], Verdict.NOT_CURED, "no probe passes"),
        ([DEFECT, "crash"], [PASS, PASS], Verdict.INCONCLUSIVE, "crash: probe rank 1 before"),
        ([DEFECT, "skip"], [PASS, "skip"], Verdict.INCONCLUSIVE, "probe rank 1 before did not run"),
        ([DEFECT, "fail"], [PASS, PASS], Verdict.WRONG_FAILURE, "probe rank 1 before: expected"),
        (["skip", "not_run"], ["skip", "skip"], Verdict.NOT_RUN, "probe: skip"),
    ],
    ids=["V20 pass", "V20 partly", "both", "V19 crash", "V21 skip", "V5 one rank", "V10 all idle"],
)
def test_ranks_that_disagree(before: list[Any], after: list[Any], verdict: Verdict, told: str) -> None:
    found = two_ranks(before, after)
    assert found.verdict is verdict
    assert told in found.reason


def test_a_rank_without_a_row_is_inconclusive() -> None:
    probe = {"id": "probe", "test": "t", "world": 2, "before": [EXPECTED]}
    found = judged(a_manifest(probes=[probe]))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "ranks [0], of a world of 2" in found.reason


@pytest.mark.parametrize(
    ("allowed", "keep", "verdict"),
    [
        (9.0, PASS, Verdict.PROVEN),
        (5.0, PASS, Verdict.INCONCLUSIVE),
        (9.0, "skip", Verdict.INCONCLUSIVE),
    ],
)
def test_v16_a_hang_is_a_signature_only_beside_a_control_of_the_same_length(
    allowed: float, keep: Any, verdict: Verdict
) -> None:
    probe = {"id": "probe", "test": "t", "timeout": 9.0, "before": [{"outcome": "timeout"}]}
    manifest = a_manifest(probes=[probe], keep=[{"id": "keep", "test": "t", "timeout": allowed}])
    rows = {"probes": (row("probe", "timeout", PASS),), "keep": (row("keep", keep, keep),)}
    assert judged(manifest, **rows).verdict is verdict


@pytest.mark.parametrize(
    ("rows", "verdict", "counts"),
    [
        ([], Verdict.PROVEN, (1, 0, 1)),
        ([row("more", "skip", "skip")], Verdict.PROVEN, (1, 0, 1)),
        ([row("more", NEVER, NEVER)], Verdict.PROVEN, (1, 0, 1)),
        ([row("more", DEFECT, PASS)], Verdict.PROVEN, (2, 0, 0)),
        ([row("more", DEFECT, DEFECT)], Verdict.PARTLY_CURED, (1, 1, 0)),
        ([row("more", DEFECT, "skip")], Verdict.INCONCLUSIVE, (1, 1, 0)),
        ([row("more", "crash", "skip")], Verdict.INCONCLUSIVE, (1, 1, 0)),
    ],
)
def test_a_probe_that_is_not_required_counts_only_if_it_ran(
    rows: list[model.TestRow], verdict: Verdict, counts: tuple[int, int, int]
) -> None:
    more = {"id": "more", "test": "t", "required": False, "before": [EXPECTED]}
    manifest = a_manifest(probes=[{"id": "probe", "test": "t", "before": [EXPECTED]}, more])
    found = judged(manifest, probes=(row("probe", DEFECT, PASS), *rows))
    assert found.verdict is verdict
    assert (found.proved, found.failed, found.not_run) == counts


def test_only_optional_probes_that_did_not_run_prove_nothing() -> None:
    manifest = a_manifest(probes=[{"id": "probe", "test": "t", "required": False, "before": [EXPECTED]}])
    assert judged(manifest, probes=(row("probe", "skip", "skip"),)).verdict is Verdict.NOT_RUN
    assert judged(manifest, probes=(row("probe", NEVER, NEVER),)).verdict is Verdict.NO_TESTS
    assert judged(a_manifest(probes=[]), probes=()).verdict is Verdict.NO_TESTS


@pytest.mark.parametrize(
    "change", [{"exception": "NameErr"}, {"message": "name 'wr'"}, {"function": "other"}, {"exception": None}]
)
def test_v5_each_part_of_the_signature_counts(change: dict[str, Any]) -> None:
    near = msgspec.structs.replace(DEFECT, **change)
    found = judged(probes=(row("probe", near, PASS),))
    assert (found.verdict, found.proved, found.failed) == (Verdict.WRONG_FAILURE, 0, 1)


def test_a_failure_that_nobody_declared_is_wrong_and_a_declared_pass_is_no_defect() -> None:
    silent = a_manifest(probes=[{"id": "probe", "test": "t"}])
    assert judged(silent).verdict is Verdict.WRONG_FAILURE
    passing = a_manifest(probes=[{"id": "probe", "test": "t", "before": [{"outcome": "pass"}]}])
    found = judged(passing, probes=(row("probe", PASS, PASS),))
    assert (found.verdict, found.proved) == (Verdict.DEFECT_NOT_REPRODUCED, 0)


def test_a_declared_check_that_did_not_run_is_told() -> None:
    manifest = a_manifest(checks=[{"id": "ruff", "tool": "ruff"}])
    found = judged(manifest)
    assert (found.verdict, "check ruff" in found.reason) == (Verdict.NOT_RUN, True)
    assert judged(manifest, checks=(CheckRow(id="ruff"),)).verdict is Verdict.PROVEN


def test_a_manifest_that_asks_for_no_control_is_uncontrolled() -> None:
    silent = a_manifest(controls=msgspec.to_builtins(Controls(sham=False, ablation=False, mutants=False)))
    assert judged(silent, controls=(), controls_run=True).verdict is Verdict.CURED_UNCONTROLLED


def test_a_forged_verdict_in_evidence_is_recomputed_from_the_outcomes() -> None:
    case = a_case(probes=(row("probe", DEFECT, DEFECT),))
    forged = a_target(case, Verdict.PROVEN, "trust me")
    found = judge(a_manifest(), forged, 3)
    assert (found.verdict, found.proved) == (Verdict.NOT_CURED, 0)


def test_fewer_runs_than_the_evidence_promises_are_inconclusive() -> None:
    once = a_case(probes=(row("probe", [DEFECT], [PASS]),), keep=(row("keep", [PASS], [PASS]),), runs=0)
    one = msgspec.structs.replace(once, hazards=(row("hazard", [VALUE_ERROR], [PASS]),))
    target = a_target(one, Verdict.PROVEN, "")
    assert judge(a_manifest(), target).verdict is Verdict.PROVEN
    assert judge(a_manifest(), target, 3).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("state", [State.NOT_AFFECTED_YET, State.CONFLICTS, State.APPLIES_EXACT])
def test_judging_evidence_again_changes_nothing(state: State) -> None:
    case = a_case(state=state, state_detail="the anchor: absent")
    first = decide(a_manifest(), case)
    target = a_target(case, first.verdict, first.reason)
    assert judge(a_manifest(), target, 3) == first


def a_target(case: Case, verdict: Verdict, reason: str) -> TargetEvidence:
    return TargetEvidence(
        kind="branch",
        name="main",
        head=None,
        base_commit=None,
        before_tree=None,
        after_tree=None,
        state=case.state,
        verdict=verdict,
        reason=reason,
        cached=False,
        probes=case.probes,
        keep=case.keep,
        hazards=case.hazards,
        checks=case.checks,
        controls=case.controls,
    )


def test_the_expected_value_is_what_a_manifest_declares() -> None:
    assert a_manifest().probes[0].before == (Expected(**EXPECTED),)
