"""The report follows its pull request: a new head, a new base, another stage. It never mentions anybody."""

from bot.github import choosing, sticky
from bot.github.desk import Desk, Office
from bot.github.events import PullChanged
from bot.github.facts import Rules
from bot.model import Manifest
from bot.model.hub import Comment, Pull
from bot.report import answers, followed
from bot.report.comment import parse

#: After these only head or base can be others; the rest may change whose turn it is.
MOVES = frozenset({"opened", "synchronize", "edited"})


def follow(office: Office, event: PullChanged, rules: Rules) -> tuple[str, ...]:
    """Lines for the summary. May raise Refusal."""
    desk = office.desk(event.repo, event.number)
    comments = desk.hub.comments(event.repo, event.number)
    reports = {
        one.id: found for one in rules.patches if (found := sticky.find(desk, comments, one.id)) is not None
    }
    if not reports and event.action != "opened":
        return (followed.NO_REPORT,)
    pull = desk.hub.pull(event.repo, event.number)
    if pull.locked:
        return (answers.LOCKED,)
    return follow_reports(desk, rules, event.action, pull, reports) if reports else begin(desk, rules)


def follow_reports(
    desk: Desk, rules: Rules, action: str, pull: Pull, reports: dict[str, Comment]
) -> tuple[str, ...]:
    if action in MOVES and all(is_current(one.body, pull) for one in reports.values()):
        return (followed.NOTHING_NEW,)
    for patch in reports:
        bring_up_to_date(desk, rules, patch, create=False)
    return tuple(map(followed.brought, reports))


def is_current(body: str, pull: Pull) -> bool:
    """Whether the report asks for this head and names this base."""
    marker = parse(body)
    return marker is not None and marker.head == pull.head.commit and f"--base {pull.base.branch}\n" in body


def begin(desk: Desk, rules: Rules) -> tuple[str, ...]:
    """A report for a pull request that was just opened, when it is about a patch for sure."""
    manifest = meant(desk, rules)
    if manifest is None:
        return (followed.NOT_OURS,)
    bring_up_to_date(desk, rules, manifest.id)
    return (followed.brought(manifest.id),)


def meant(desk: Desk, rules: Rules) -> Manifest | None:
    """By its number, else by the files it touches; that there is one patch only says nothing here."""
    named = choosing.by_number(rules.patches, desk.repo, desk.number)
    if named:
        return named
    paths = [one.path for one in desk.hub.files(desk.repo, desk.number)]
    touched = [one for one in rules.patches if not choosing.files(one).isdisjoint(paths)]
    return touched[0] if len(touched) == 1 else None


def bring_up_to_date(desk: Desk, rules: Rules, patch: str, *, create: bool = True) -> None:
    """Ask what is so now, and write the report if it says anything else. May raise Refusal."""
    manifest = next(one for one in rules.patches if one.id == patch)
    facts = sticky.read(desk, manifest)
    if not facts.pull.locked:
        sticky.keep(desk, facts, create=create)
