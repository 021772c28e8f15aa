"""The verdict: an ordered table of pure rules over all outcomes of one target (DESIGN 4)."""

from collections.abc import Callable

from bot.model import Manifest, TargetEvidence, Value, Verdict
from bot.proof.verdict import baseline, cure, equivalence
from bot.proof.verdict.case import Case, Record, lay_out

PROBEABLE = equivalence.PROBEABLE

__all__ = ["PROBEABLE", "RULES", "Case", "Judgement", "Rule", "decide", "judge"]

Rule = Callable[[Record], str | None]


class Judgement(Value, frozen=True, kw_only=True):
    """`proved`, `failed` and `not_run` count the manifest's probes by id and add up to all of them."""

    verdict: Verdict
    reason: str
    proved: int
    failed: int
    not_run: int


#: The precedence of DESIGN 4: first match wins.
RULES: tuple[tuple[Verdict, Rule], ...] = (
    (Verdict.NOT_APPLICABLE, baseline.nothing_to_cure),
    (Verdict.NO_TESTS, baseline.never_collected),
    (Verdict.BASE_BROKEN, baseline.broken_base),
    (Verdict.INCONCLUSIVE, baseline.doubt),
    (Verdict.FLAKY, baseline.mixed),
    (Verdict.WRONG_FAILURE, baseline.wrong_signature),
    (Verdict.DEFECT_NOT_REPRODUCED, baseline.no_defect),
    (Verdict.REGRESSION, cure.broken_after),
    (Verdict.NOT_CURED, cure.nothing_cured),
    (Verdict.PARTLY_CURED, cure.some_uncured),
    (Verdict.HAZARD_CHANGED, cure.undeclared_hazard),
    (Verdict.NOT_RUN, cure.could_not_run),
    (Verdict.WEAK_TESTS, cure.weak_control),
    (Verdict.CURED_UNCONTROLLED, cure.no_control),
    (Verdict.PROVEN, cure.all_proven),
)


def judge(manifest: Manifest, target: TargetEvidence, runs: int = 0) -> Judgement:
    """The verdict recomputed from an evidence target's outcomes; its own word for it is not looked at.

    `runs` is what the evidence promises. Where no proof was possible the target's reason tells the state.
    """
    told = "" if target.reason == target.state else target.reason.removeprefix(f"{target.state}: ")
    case = Case(
        state=target.state,
        state_detail=told,
        probes=target.probes,
        keep=target.keep,
        hazards=target.hazards,
        checks=target.checks,
        controls=target.controls,
        controls_run=bool(target.controls),
        runs=runs,
        own_tree=target.kind == "proposal" and target.after_tree is not None,
    )
    return decide(manifest, case)


def decide(manifest: Manifest, case: Case, rules: tuple[tuple[Verdict, Rule], ...] = RULES) -> Judgement:
    """The first rule that gives a reason wins; outcomes that no rule explains prove nothing."""
    record = lay_out(manifest, case)
    found = ((verdict, rule(record)) for verdict, rule in rules)
    verdict, reason = next(
        ((verdict, reason) for verdict, reason in found if reason is not None),
        (Verdict.INCONCLUSIVE, "no rule explains these outcomes"),
    )
    proved = sum(trial.proves(record.runs) for trial in record.probes)
    idle = len(manifest.probes) - sum(trial.collected and not trial.idle for trial in record.probes)
    failed = len(manifest.probes) - proved - idle
    counts = f"; {proved} of {len(manifest.probes)} probes proven" if record.provable else ""
    return Judgement(verdict=verdict, reason=reason + counts, proved=proved, failed=failed, not_run=idle)
