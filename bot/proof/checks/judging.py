"""What a check's row says, as pure rules: not run, something new, the named finding absent or still there."""

import re

from bot.model import Check, CheckRow

#: How the reason of a row begins whose check asks for something that this target has not.
NOT_APPLICABLE = "not applicable: "


def idle(check: Check, row: CheckRow | None) -> str | None:
    """Why the check was not run though it applies here; None when it ran or does not apply."""
    if row is None:
        return f"{check.id}: no result"
    if not row.reason or row.reason.startswith(NOT_APPLICABLE):
        return None
    return f"{check.id}: {row.reason}"


def new(row: CheckRow) -> tuple[str, ...]:
    """Return the findings after that were not there before; equal ones bear numbers, so sets will do."""
    return tuple(one for one in row.after if one not in row.before)


def unseen(check: Check, row: CheckRow) -> tuple[str, ...]:
    """Return the patterns of findings that had to be there before, and were not."""
    return () if row.reason else tuple(one for one in check.before if not any_match(one, row.before))


def staying(check: Check, row: CheckRow) -> tuple[str, ...]:
    """Return the patterns of findings that had to be gone after, and were not."""
    return () if row.reason else tuple(one for one in check.before if any_match(one, row.after))


def any_match(pattern: str, findings: tuple[str, ...]) -> bool:
    return any(re.search(pattern, one) for one in findings)
