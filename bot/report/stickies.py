"""Sentences of the sticky report that are about the report itself, not about verdicts or vetting."""

NOTHING_YET = "no evidence yet for this head"
NOTHING_RAN = "Nothing has been run on this commit, so nothing is proven about it."
ABOUT = (
    "A bot writes this comment for the owner of its account, and edits it as things move. It says nothing "
    "that it has not seen, and it never vets."
)
NO_DIGEST = "Evidence: none yet."
CURRENT = "Results for this head"


def none_yet(patch: str, head: str) -> str:
    return f"⚪ **{patch}: {NOTHING_YET}**, {head}"


def moved(patch: str, head: str, tested: str) -> str:
    return (
        f"⚪ **{patch}: {NOTHING_YET}**, {head}; the head has moved, and results "
        f"for the older commit {tested} are folded below"
    )


def about_base(branch: str, base: str, merge: str) -> str:
    """What the results were made of: where a proposal is merged, head and base belong together."""
    merged = f"; GitHub's trial merge was {merge}" if merge else ""
    return f"{CURRENT}, merged into {branch} at {base}{merged}."


def older_base(branch: str, base: str, merge: str) -> str:
    merged = f"; GitHub's trial merge was {merge}" if merge else ""
    return (
        f"🕓 **Results for an older base**: {branch} has moved since. "
        f"The head is the same; it was merged into {branch} at {base}{merged}."
    )


def older_title(tested: str) -> str:
    return f"Results for the older commit {tested}: they say nothing about this head"


def ran(created: str, head: str, base: str, outcome: str, digest: str) -> str:
    """One row of history; what comes in is escaped."""
    on = f" on base {base}" if base else ""
    return f"{created}: {head}{on}: {outcome}; evidence {digest}"
