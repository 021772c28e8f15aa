"""`survey --probe`: branches that the patch does not fit, and rivals, judged by the patch's tests."""

from collections.abc import Callable

from msgspec import structs

from bot.carry import proving, rivalry, surveying
from bot.carry.surveying import Surveyed
from bot.model import RivalRow, Row, State, Survey, TargetEvidence
from bot.proof.verdict import PROBEABLE


def probed(order: proving.Order, done: Surveyed, progress: Callable[[int, int, str], None]) -> Survey:
    """The survey with states as the probes show them. Raises BotError."""
    made = done.survey
    wanted = [row for row in made.rows if row.state in PROBEABLE]
    if wanted:
        chosen = structs.replace(order, refs=tuple(row.ref for row in wanted), force=True, controls=False)
        targets = {one.head: one for one in proving.prove_branches(chosen, progress).targets}
        rows = tuple(retold(row, targets.get(row.head)) if row in wanted else row for row in made.rows)
        made = structs.replace(made, rows=rows, counts=surveying.counted(rows))
    if made.rivals:
        made = structs.replace(made, rivals=judged(order, made, progress))
    return made


def unprobed(made: Survey, why: str) -> Survey:
    """The survey where no probe could be run, with the reason in each row that was to be probed."""
    rows = tuple(left(row, why) if row.state in PROBEABLE else row for row in made.rows)
    return structs.replace(made, rows=rows, counts=surveying.counted(rows))


def left(row: Row, why: str) -> Row:
    state = State.CONFLICTS_UNPROBED if row.state is State.CONFLICTS else row.state
    return structs.replace(row, state=state, detail=f"{row.detail}; not probed: {why}")


def retold(row: Row, target: TargetEvidence | None) -> Row:
    """The row as the probes make it: a cure in other words, the defect, or nothing that could be told."""
    if target is None:
        return row
    state = row.state
    if target.state is State.UPSTREAM_EQUIVALENT:
        state = State.UPSTREAM_EQUIVALENT
    elif state is State.CONFLICTS and not any(one.before for one in target.probes):
        state = State.CONFLICTS_UNPROBED
    return structs.replace(row, state=state, detail=target.reason)


def judged(
    order: proving.Order, made: Survey, progress: Callable[[int, int, str], None]
) -> tuple[RivalRow, ...]:
    rows = made.rivals or ()
    targets: list[TargetEvidence] = []
    for base in dict.fromkeys(row.base for row in rows if row.base and not row.merged):
        wanted = tuple(row.ref for row in rows if row.base == base and not row.merged)
        chosen = structs.replace(order, proposals=wanted, base=base, controls=False)
        targets += proving.prove_proposals(chosen, progress).targets
    return rivalry.judged(rows, targets)
