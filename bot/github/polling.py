"""One look at a pull request where no event reaches us: commands of the operator, the report, the mention."""

from collections.abc import Callable, Iterator, Sequence

from bot.errors import BotError
from bot.github import choosing, following, gate, keeping, sticky, vetting
from bot.github.desk import Desk, Office
from bot.github.events import NewComment, comment_on
from bot.github.facts import Facts, Rules
from bot.model import Manifest
from bot.model.hub import Comment, Repository
from bot.report import answers, followed
from bot.report.comment import parse

#: Carries out one command; its lines are for the summary.
Carry = Callable[[NewComment], tuple[str, ...]]


def poll(office: Office, place: tuple[str, int], rules: Rules, carry: Carry) -> tuple[str, ...]:
    """`place` is repository and number. Only who owns the token, and the allow-list, are heard."""
    desk = office.desk(*place)
    if desk.me is None:
        raise BotError("this token does not say whose it is", "poll with a person's token")
    repository = desk.hub.repository(desk.repo)
    comments = desk.hub.comments(desk.repo, desk.number)
    lines: list[str] = []
    for event in waiting(desk, repository, comments, rules):
        lines += carry(event)
    return (*lines, *look_after(desk, rules))


def waiting(
    desk: Desk, repository: Repository, comments: Sequence[Comment], rules: Rules
) -> tuple[NewComment, ...]:
    """Commands that are not answered, oldest first: they are answered in order, so the first that is ends
    the search backwards.
    """
    found: list[NewComment] = []
    for event in reversed(tuple(commands_of(desk, repository, comments, rules))):
        if is_answered(desk, event.comment, comments):
            break
        found.append(event)
    return tuple(reversed(found))


def commands_of(
    desk: Desk, repository: Repository, comments: Sequence[Comment], rules: Rules
) -> Iterator[NewComment]:
    """Of strangers' comments not even the commands are read."""
    heard = rules.allow | ({desk.me.id} if desk.me else frozenset())
    for comment in comments:
        if comment.author.id not in heard:
            continue
        event = comment_on(repository, desk.number, comment)
        if isinstance(event, NewComment) and gate.judge_event(event, Facts(), rules) is None:
            yield event


def is_answered(desk: Desk, comment: Comment, comments: Sequence[Comment]) -> bool:
    """By our last reaction; where we may not react, by what we wrote."""
    reactions = {one.content for one in desk.hub.reactions(desk.repo, comment.id) if desk.is_ours(one.author)}
    return not gate.FINAL.isdisjoint(reactions) or (not reactions and is_told(desk, comment, comments))


def is_told(desk: Desk, comment: Comment, comments: Sequence[Comment]) -> bool:
    """Whether a report holds the run of this command."""
    markers = [parse(one.body) for one in comments if desk.is_ours(one.author)]
    runs = {row.created for marker in markers if marker for row in marker.history}
    return comment.created in runs


def look_after(desk: Desk, rules: Rules) -> tuple[str, ...]:
    """The report as GitHub is now, and the one mention of this head when it is due."""
    manifest = about(desk, rules)
    if manifest is None:
        return (followed.NOT_OURS,)
    facts = sticky.read(desk, manifest)
    if facts.pull.locked:
        return (f"- {answers.LOCKED}",)
    report = sticky.keep(desk, facts)
    marker = parse(report.body) if report else None
    asked = marker.asked if marker else facts.now
    ours = [one for one in desk.hub.comments(desk.repo, desk.number) if desk.is_ours(one.author)]
    clock = (asked or facts.now, facts.now)
    text = vetting.mention_due(manifest.vetting, facts.standing, desk.number, clock, ours)
    if text is None:
        return (followed.brought(manifest.id),)
    mention(desk, text)
    return (followed.brought(manifest.id), followed.MENTIONED)


def mention(desk: Desk, text: str) -> None:
    """A new comment, never an edit; of two runs at once the first one's stays."""
    first, _, _ = text.partition("\n")

    def is_it(body: str) -> bool:
        return body.splitlines()[:1] == [first]

    def write(bodies: Sequence[str]) -> str:
        return bodies[0] if bodies else text

    keeping.keep(desk, keeping.Wanted(is_it=is_it, write=write, holds=keeping.same))


def about(desk: Desk, rules: Rules) -> Manifest | None:
    known = choosing.by_number(rules.patches, desk.repo, desk.number)
    if known or len(rules.patches) <= 1:
        return known or next(iter(rules.patches), None)
    return following.meant(desk, rules)
