"""The gate: an event and the facts in, a decision out. Pure; `looking` asks in the same order."""

from collections.abc import Callable

from bot.github import commands, cooldown, grammar, rights, standing
from bot.github.decision import Nothing, Refused
from bot.github.events import NewComment
from bot.github.facts import Facts, Rules
from bot.github.frozen import freeze
from bot.github.instants import instant
from bot.github.planning import refuse
from bot.model.hub import Comment, Pull
from bot.model.plan import PLAN_SCHEMA, Misread, Plan, Verb, Wish
from bot.report import replies

Decision = Plan | Refused | Nothing
Judge = Callable[[NewComment, Facts, Rules], Refused | Nothing | None]
#: Our reactions that end an answer.
FINAL = frozenset({"+1", "-1", "confused"})


def decide(event: NewComment, facts: Facts, rules: Rules) -> Decision:
    """The first judge that objects wins; else what is left of the wishes is a plan."""
    for judge in JUDGES:
        if objection := judge(event, facts, rules):
            return objection
    return plan(event, facts)


def judge_event(event: NewComment, _facts: Facts, _rules: Rules) -> Nothing | None:
    """What is known without asking GitHub anything."""
    if was_edited(event.comment):
        return Nothing(reason=replies.EDITED)
    if replies.is_ours(event.comment.body):
        return Nothing(reason=replies.BY_US)
    return None if grammar.read(event.comment.body) else Nothing(reason=replies.NO_COMMAND)


def judge_comment(event: NewComment, facts: Facts, _rules: Rules) -> Nothing | None:
    """The comment as GitHub has it now is the one of the event, and nobody has answered it."""
    now = facts.comment
    if now is None:
        return Nothing(reason=replies.GONE)
    if now.author.id != event.comment.author.id:
        return Nothing(reason=replies.OTHER_SENDER)
    if now.body != event.comment.body or was_edited(now):
        return Nothing(reason=replies.EDITED)
    if not FINAL.isdisjoint(facts.reactions):
        return Nothing(reason=f"{replies.ANSWERED}: {replies.link(now)}")
    return None


def judge_rights(event: NewComment, facts: Facts, rules: Rules) -> Refused | Nothing | None:
    return rights.judge(event.comment, facts, rules)


def judge_repeats(event: NewComment, facts: Facts, _rules: Rules) -> Refused | Nothing | None:
    return cooldown.judge(event.comment, facts)


def judge_pull(event: NewComment, facts: Facts, rules: Rules) -> Refused | Nothing | None:
    """Another repository's, locked, or about a patch that nobody can tell."""
    pull = facts.pull
    if pull is None or pull.base.repository is None or pull.base.repository.id != event.repo_id:
        return Nothing(reason=replies.OTHER_REPOSITORY)
    if pull.locked:
        return Refused(reason=replies.IS_LOCKED)
    if facts.manifest is None and any(wish.verb != Verb.HELP for wish in wishes(event)):
        names = [one.id for one in rules.patches]
        reply = replies.which_patch(names) if names else replies.refused(replies.NO_PATCH)
        return Refused(reason=replies.WHICH_PATCH if names else replies.NO_PATCH, reply=reply)
    return None


#: `looking` asks GitHub only as far as none of these objects.
JUDGES: tuple[Judge, ...] = (judge_event, judge_comment, judge_rights, judge_repeats, judge_pull)


def plan(event: NewComment, facts: Facts) -> Plan | Refused:
    read = grammar.read(event.comment.body)
    refused = [one for one in read if isinstance(one, Misread)]
    kept: list[Wish] = []
    for wish in wishes(event):
        wish_left, complaints = plan_one(wish, facts)
        kept += [wish_left] if wish_left else []
        refused += complaints
    refused.sort(key=lambda one: one.line)
    if facts.pull is None or not kept:
        reply = replies.misread(refused, commands.usages())
        return Refused(reason=refused[0].reason if refused else "", reply=reply, reaction="confused")
    return Plan(
        schema=PLAN_SCHEMA,
        patch=facts.manifest.id if facts.manifest else "",
        frozen=freeze(facts.pull, event.comment),
        asker=event.comment.author.login,
        asker_id=event.comment.author.id,
        wishes=tuple(kept),
        attempt=event.attempt,
        refused=tuple(refused),
    )


def plan_one(wish: Wish, facts: Facts) -> tuple[Wish | None, tuple[Misread, ...]]:
    row = next(row for row in commands.VERBS if row.verb == wish.verb)
    if facts.pull and (wrong := unfit(row, facts.pull, facts.mirror)):
        return None, (refuse(wish, " ".join(wish.words), wrong),)
    planned = row.plan(wish, facts)
    return planned.wish, planned.refused


def unfit(row: commands.Row, pull: Pull, mirror: str | None) -> str:
    """Why the pull request, as it stands, is not for this command; empty when it is."""
    stage = standing.stage(pull)
    if stage not in row.stages:
        return replies.MERGED_FOR_IT if stage == standing.Stage.MERGED else replies.CLOSED_FOR_IT
    if row.needs_head and pull.head.repository is None:
        return replies.HEAD_GONE
    return replies.UNSETTLED if row.needs_head and mirror != pull.head.commit else ""


def wishes(event: NewComment) -> tuple[Wish, ...]:
    return tuple(one for one in grammar.read(event.comment.body) if isinstance(one, Wish))


def was_edited(comment: Comment) -> bool:
    return instant(comment.updated) > instant(comment.created)


def lines(decision: Decision, comment: Comment | None = None) -> tuple[str, ...]:
    """The decision for the run's summary, in Markdown, a line each."""
    match decision:
        case Nothing(reason=reason):
            return (replies.decided("nothing to do", reason, comment),)
        case Refused(reason=reason):
            return (replies.decided("refused", reason, comment),)
        case Plan() as made:
            said = ", ".join(" ".join((wish.verb, *wish.words)) for wish in made.wishes)
            return (replies.planned(said, made.frozen.head, comment), *map(replies.item, made.refused))
