"""What a check has to look at on one target, or why it is not run there."""

from bot.model import Check
from bot.proof.checks import memory
from bot.proof.checks.judging import NOT_APPLICABLE
from bot.proof.checks.order import CheckOrder, Side, Unit
from bot.proof.checks.sides import Sides
from bot.proof.checks.tools import TOOLS

#: Bytes of the largest file that is judged: what tools print grows with it.
LARGEST = 1024 * 1024


def plan(order: CheckOrder, check: Check, both: Sides) -> tuple[Unit, Unit] | str:
    """Return the two units to run, or the reason why the check is not run here."""
    reason = both.problem or lacking(order, check) or inapplicable(check, both) or objection(check, both)
    if reason:
        return reason
    before, after = (unit(order, check, side) for side in (both.before, both.after))
    return before, after


def lacking(order: CheckOrder, check: Check) -> str:
    if check.tool not in TOOLS:
        return f"no tool {check.tool!r} is known; there are {', '.join(TOOLS)}"
    locked = check.tool in order.environment.facts.get("packages", {})
    return "" if locked else f"{check.tool} is not in the patch's lock"


def inapplicable(check: Check, both: Sides) -> str:
    absent = [name for name in check.needs if name not in both.before.settings]
    if absent:
        return f"{NOT_APPLICABLE}this tree has no {', '.join(absent)}"
    files = both.before.files | both.after.files
    if not any(path.endswith(TOOLS[check.tool].suffixes) for path in files):
        return f"{NOT_APPLICABLE}the patch touches no file for {check.tool}"
    return ""


def objection(check: Check, both: Sides) -> str:
    files = (*both.before.files.values(), *both.after.files.values())
    if any(len(data) > LARGEST for data in files):
        return f"a touched file is larger than {LARGEST // 1024} KiB"
    return TOOLS[check.tool].objection(both.before.settings)


def unit(order: CheckOrder, check: Check, side: Side) -> Unit:
    """Make the unit of the files that the tool is for."""
    suffixes = TOOLS[check.tool].suffixes
    files = {path: data for path, data in side.files.items() if path.endswith(suffixes)}
    seen = Side(settings=side.settings, files=files)
    return Unit(key=memory.key(order, check, seen), check=check, side=seen)
