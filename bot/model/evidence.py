"""The nouns of a proof: outcomes, verdicts and the evidence file (DESIGN 4 and 5)."""

from enum import StrEnum
from typing import Any

from msgspec import UNSET, UnsetType

from bot.model.patch import Value
from bot.model.target import State

EVIDENCE_SCHEMA = "upstream-bot/evidence/1"


class Kind(StrEnum):
    """Outcome of one test on one side, one rank, one run."""

    PASS = "pass"  # noqa: S105 (an outcome, no password)
    FAIL = "fail"
    SETUP_ERROR = "setup_error"
    IMPORT_ERROR = "import_error"
    SYMBOL_MISSING = "symbol_missing"
    SKIP = "skip"
    XFAIL = "xfail"
    XPASS = "xpass"
    TIMEOUT = "timeout"
    CRASH = "crash"
    OOM = "oom"
    MISSING = "missing"
    FAULT_NOT_FIRED = "fault_not_fired"
    NOT_RUN = "not_run"


class Verdict(StrEnum):
    NOT_APPLICABLE = "not_applicable"
    NO_TESTS = "no_tests"
    BASE_BROKEN = "base_broken"
    INCONCLUSIVE = "inconclusive"
    FLAKY = "flaky"
    WRONG_FAILURE = "wrong_failure"
    DEFECT_NOT_REPRODUCED = "defect_not_reproduced"
    REGRESSION = "regression"
    NOT_CURED = "not_cured"
    PARTLY_CURED = "partly_cured"
    HAZARD_CHANGED = "hazard_changed"
    NOT_RUN = "not_run"
    WEAK_TESTS = "weak_tests"
    CURED_UNCONTROLLED = "cured_uncontrolled"
    PROVEN = "proven"


class Outcome(Value, frozen=True, kw_only=True):
    """One run. `exception` and `function` are the signature of a `fail`; `seconds` is wall time."""

    outcome: Kind
    reason: str | None = None
    exception: str | None = None
    message: str | None = None
    function: str | None = None
    signal: int | None = None
    fault_hits: int | None = None
    seconds: float = 0.0


class TestRow(Value, frozen=True, kw_only=True):
    """One (test, rank): one outcome per run on each side."""

    id: str
    rank: int
    world: int
    launcher: str
    required: bool
    before: tuple[Outcome, ...] = ()
    after: tuple[Outcome, ...] = ()


class CheckRow(Value, frozen=True, kw_only=True):
    """Findings of each side. `reason` is there only when the check was not run or does not apply."""

    id: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    reason: str | UnsetType = UNSET


class ControlRow(Value, frozen=True, kw_only=True):
    kind: str
    what: str
    held: bool
    noticed_by: tuple[str, ...] = ()


class TargetEvidence(Value, frozen=True, kw_only=True):
    kind: str
    name: str
    head: str | None
    base_commit: str | None
    before_tree: str | None
    after_tree: str | None
    state: State
    verdict: Verdict
    reason: str
    cached: bool
    probes: tuple[TestRow, ...] = ()
    keep: tuple[TestRow, ...] = ()
    hazards: tuple[TestRow, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    controls: tuple[ControlRow, ...] = ()


class Evidence(Value, frozen=True, kw_only=True):
    schema: str
    id: str
    bot: str
    patch: str
    version: str
    patch_sha256: str
    probes_sha256: str
    environment_sha256: str
    upstream: str
    runs: int
    isolation: str
    seconds: float
    environment: dict[str, Any]
    targets: tuple[TargetEvidence, ...]
