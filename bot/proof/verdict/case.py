"""What a verdict rests on: all rows of one target, laid beside the manifest."""

from bot.model import PROVABLE, CheckRow, ControlRow, Manifest, State, Test, TestRow, Value
from bot.proof.verdict.trial import Trial, gather


class Case(Value, frozen=True, kw_only=True):
    """All that a verdict rests on. `runs` outcomes are due per row and side; 0: as many as any row has.

    `own_tree`: the target brings its own tree after (a proposal), so that it can be judged in any state.
    """

    state: State
    state_detail: str = ""
    probes: tuple[TestRow, ...] = ()
    keep: tuple[TestRow, ...] = ()
    hazards: tuple[TestRow, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    controls: tuple[ControlRow, ...] = ()
    controls_run: bool = False
    runs: int = 0
    own_tree: bool = False

    @property
    def provable(self) -> bool:
        return self.own_tree or self.state in PROVABLE


class Record(Value, frozen=True, kw_only=True):
    """A case laid beside its manifest. A state without a proof has no trials, whatever rows it came with."""

    manifest: Manifest
    case: Case
    runs: int
    probes: tuple[Trial, ...]
    keep: tuple[Trial, ...]
    hazards: tuple[Trial, ...]

    @property
    def provable(self) -> bool:
        return self.case.provable

    @property
    def active(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.probes if trial.counted and not trial.idle)


def lay_out(manifest: Manifest, case: Case) -> Record:
    rows = (*case.probes, *case.keep, *case.hazards)
    most = max((len(side) for row in rows for side in (row.before, row.after)), default=0)

    def trials(tests: tuple[Test, ...], rows: tuple[TestRow, ...]) -> tuple[Trial, ...]:
        return tuple(gather(test, rows) for test in tests) if case.provable else ()

    return Record(
        manifest=manifest,
        case=case,
        runs=max(case.runs, most, 1),
        probes=trials(manifest.probes, case.probes),
        keep=trials(manifest.keep, case.keep),
        hazards=trials(manifest.hazards, case.hazards),
    )


def state_line(case: Case) -> str:
    return f"{case.state}: {case.state_detail}" if case.state_detail else str(case.state)
