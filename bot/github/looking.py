"""The facts for the gate, asked of GitHub one after the other and only as far as they can matter."""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.github import choosing, commands, cooldown, gate, grammar
from bot.github.events import NewComment, is_bot
from bot.github.facts import Facts, Rules
from bot.github.instants import instant
from bot.github.port import Hub, Refusal
from bot.model import Manifest
from bot.model.hub import Account, Comment, Why
from bot.model.plan import Verb

Sleep = Callable[[float], None]
#: Seconds between the looks at a head of which GitHub gives two accounts.
WAITS = (1.0, 2.0, 4.0, 8.0)
#: How far back a conversation is read for commands that were said before.
BACK = timedelta(hours=1)
#: How long an answer without an end counts as being worked on.
WORKING = timedelta(minutes=30)
BEGUN = frozenset({"eyes", "rocket"})
#: Who writes with a workflow's own token, which cannot ask who it is.
WORKFLOW = "github-actions[bot]"


def look(hub: Hub, event: NewComment, rules: Rules, sleep: Sleep) -> Facts:
    """May raise Refusal, but for the permission: that it cannot be read is a fact, and refuses."""
    facts = Facts()
    if gate.judge_event(event, facts, rules):
        return facts
    facts = read_comment(hub, event, facts)
    if gate.judge_comment(event, facts, rules):
        return facts
    facts = read_rights(hub, event, facts, rules)
    facts = read_earlier(hub, event, facts)
    if gate.judge_rights(event, facts, rules) or gate.judge_repeats(event, facts, rules):
        return facts
    return read_pull(hub, event, facts, rules, sleep)


def read_comment(hub: Hub, event: NewComment, facts: Facts) -> Facts:
    me = whose(hub)
    try:
        comment = hub.comment(event.repo, event.comment.id)
    except Refusal as refusal:
        if refusal.why not in {Why.MISSING, Why.GONE}:
            raise
        return replace(facts, me=me)
    return replace(facts, me=me, comment=comment, reactions=ours(hub, event.repo, comment, me))


def whose(hub: Hub) -> Account | None:
    try:
        return hub.me()
    except Refusal as refusal:
        if refusal.why is not Why.FORBIDDEN:
            raise
        return None


def ours(hub: Hub, repo: str, comment: Comment, me: Account | None) -> tuple[str, ...]:
    return tuple(
        one.content
        for one in hub.reactions(repo, comment.id)
        if (one.author.id == me.id if me else one.author.login == WORKFLOW)
    )


def read_rights(hub: Hub, event: NewComment, facts: Facts, rules: Rules) -> Facts:
    """Nothing to ask for an id on the allow-list, nor where only the operator may."""
    if rules.operator_only or event.comment.author.id in rules.allow or facts.comment is None:
        return facts
    try:
        return replace(facts, permission=hub.permission(event.repo, facts.comment.author.login))
    except Refusal as refusal:
        return replace(facts, denied=refusal.message or refusal.why)


def read_earlier(hub: Hub, event: NewComment, facts: Facts) -> Facts:
    """Commands before this one; in a conversation's own order, so that two runs agree who was first."""
    own = order(event.comment)
    since = (own[0] - BACK).isoformat().replace("+00:00", "Z")
    earlier = tuple(
        one
        for one in sorted(hub.comments(event.repo, event.number, since), key=order)
        if order(one) < own and own[0] - instant(one.created) <= BACK and is_command(one)
    )
    return replace(facts, earlier=earlier, running=working(hub, event, earlier, facts.me))


def order(comment: Comment) -> tuple[datetime, int]:
    return instant(comment.created), comment.id


def is_command(comment: Comment) -> bool:
    return not is_bot(comment.author) and not gate.was_edited(comment) and bool(grammar.read(comment.body))


def working(hub: Hub, event: NewComment, earlier: tuple[Comment, ...], me: Account | None) -> Comment | None:
    """The newest comment that asks for the same, if we have begun with it and not ended."""
    wanted = cooldown.asked(event.comment)
    now = instant(event.comment.created)
    same = [one for one in earlier if now - instant(one.created) <= WORKING and cooldown.asked(one) == wanted]
    if not same:
        return None
    reacted = set(ours(hub, event.repo, same[-1], me))
    return same[-1] if reacted & BEGUN and not reacted & gate.FINAL else None


def read_pull(hub: Hub, event: NewComment, facts: Facts, rules: Rules, sleep: Sleep) -> Facts:
    verbs = {wish.verb for wish in gate.wishes(event)}
    facts = replace(facts, pull=hub.pull(event.repo, event.number))
    if any(row.needs_head for row in commands.VERBS if row.verb in verbs):
        facts = read_head(hub, event, facts, sleep)
    if verbs - {Verb.HELP}:
        facts = replace(facts, manifest=choose(hub, event, rules))
    if Verb.BACKPORT in verbs:
        facts = replace(facts, branches=hub.branches(event.repo))
    return facts


def read_head(hub: Hub, event: NewComment, facts: Facts, sleep: Sleep) -> Facts:
    """GitHub's two accounts of the head, asked again while they differ: both lag after a push."""
    facts = replace(facts, mirror=hub.ref(event.repo, f"pull/{event.number}/head"))
    for wait in WAITS:
        if facts.pull is None or facts.pull.head.commit == facts.mirror or facts.pull.head.repository is None:
            return facts
        sleep(wait)
        mirror = hub.ref(event.repo, f"pull/{event.number}/head")
        facts = replace(facts, pull=hub.pull(event.repo, event.number), mirror=mirror)
    return facts


def choose(hub: Hub, event: NewComment, rules: Rules) -> Manifest | None:
    """The files are asked for only where number and count leave a question."""
    known = choosing.by_number(rules.patches, event.repo, event.number)
    if known or len(rules.patches) <= 1:
        return known or next(iter(rules.patches), None)
    return choosing.by_files(rules.patches, [file.path for file in hub.files(event.repo, event.number)])
