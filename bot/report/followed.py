"""Sentences of a run's summary about a report that followed its pull request."""

from bot.report import escape

NO_REPORT = "- nothing to do: there is no report of ours on this pull request"
NOT_OURS = "- nothing to do: this pull request is about none of the patches here"
NOTHING_NEW = "- nothing to do: the report is about this head and this base already"
MENTIONED = "- **mentioned** whom the manifest names, once for this head"


def brought(patch: str) -> str:
    return f"- **report** of {escape.inline(patch, 60)} brought up to date"
