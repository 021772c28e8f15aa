"""Where a pull request stands, as text for a terminal: the report's sentences without Markdown."""

import html
import re

from bot.model.hub import Pull
from bot.model.vetting import Offer, Standing
from bot.report import requests, vetted
from bot.report.escape import PART, terminal


def render(repo: str, pull: Pull, standing: Standing, offer: Offer) -> str:
    """Lines without an end; every foreign word made inert."""
    waited = f", waiting for {standing.waiting_hours} h" if standing.waiting_hours else ""
    older = requests.older_results(standing.older, standing.vetted_head)
    lines = [
        f"{terminal(repo)} #{pull.number}: {terminal(pull.title)}",
        f"{standing.stage}, turn: {standing.turn}{waited}",
        *map(plain, filter(None, (standing.next, standing.request, older))),
        f"head {standing.head}, base {standing.base}, trial merge {standing.merge or 'none'}",
        *(f"- {plain(requests.uncounted(one))}" for one in standing.approvals),
        "What you would be vetting:",
        *(f"- {plain(line)}" for line in vetted.lines(offer)),
    ]
    if standing.untold:
        lines.append(f"GitHub did not tell: {', '.join(map(terminal, standing.untold))}.")
    return "\n".join(lines)


def plain(text: str) -> str:
    """Markdown of ours as a terminal shows it."""
    bare = re.sub(r"</?code>|\*\*", "", text).replace(PART, "")
    return terminal(html.unescape(bare), 4_000)
