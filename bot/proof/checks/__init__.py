"""Static tools on the touched files of both sides, under upstream's own settings (DESIGN 1)."""

from collections.abc import Iterator

from bot.model import Check, CheckRow, Subject
from bot.proof.checks import memory, planning, running, settings, sides
from bot.proof.checks.judging import NOT_APPLICABLE, idle, new, staying, unseen
from bot.proof.checks.order import CheckOrder, Result, Unit

__all__ = ["NOT_APPLICABLE", "SETTINGS", "CheckOrder", "idle", "new", "run", "staying", "unseen"]

#: The settings files that the store must hold, at the root of a before tree.
SETTINGS = settings.NAMES
#: Findings of the longest list that is judged.
MOST = 2_000


def run(order: CheckOrder) -> dict[str, tuple[CheckRow, ...]]:
    """Run every check on every subject that has two trees; rows by the subject's name, in the checks' order.

    What cannot be run has a row with a reason. Raises BotError when the store or the cache refuses.
    """
    subjects = [one for one in order.subjects if order.checks and one.before_tree and one.after_tree]
    both = sides.read(order.store, subjects)
    plans = {
        (one.name, check.id): planning.plan(order, check, both[one.name])
        for one in subjects
        for check in order.checks
    }
    units = {unit.key: unit for planned in plans.values() if not isinstance(planned, str) for unit in planned}
    results = dict(memory.recall(order, set(units)))
    fresh = running.run(order, [unit for key, unit in units.items() if key not in results])
    for key, result in fresh.items():
        memory.keep(order, key, result)
    return {one.name: tuple(rows(order, one, plans, results | fresh)) for one in subjects}


def rows(
    order: CheckOrder,
    subject: Subject,
    plans: dict[tuple[str, str], tuple[Unit, Unit] | str],
    results: dict[str, Result],
) -> Iterator[CheckRow]:
    for check in order.checks:
        planned = plans[subject.name, check.id]
        if isinstance(planned, str):
            yield CheckRow(id=check.id, reason=planned)
        else:
            before, after = (results[unit.key] for unit in planned)
            yield row(check, before, after)


def row(check: Check, before: Result, after: Result) -> CheckRow:
    for name, result in (("before", before), ("after", after)):
        if result.reason:
            return CheckRow(id=check.id, reason=f"{name}: {result.reason}")
        if len(result.findings) > MOST:
            return CheckRow(id=check.id, reason=f"{name}: more than {MOST} findings")
    return CheckRow(id=check.id, before=before.findings, after=after.findings)
