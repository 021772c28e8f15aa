"""What follows from the gate's decision at once: a reaction, one reply, and the plan that is handed on."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.github import commands, following, gate, keeping, reacting
from bot.github.decision import Nothing, Refused
from bot.github.desk import Desk, Office
from bot.github.events import NewComment
from bot.github.facts import Rules
from bot.github.looking import look
from bot.model import Value
from bot.model.hub import Comment
from bot.model.plan import Plan, Verb
from bot.report import answers, replies

#: What takes a run; the rest is answered by the gate. A backport does where it can be pushed.
TESTS = frozenset({Verb.TEST, Verb.RETRY})
RUNS = TESTS | {Verb.BACKPORT}
TALK = frozenset({Verb.HELP, Verb.STATUS})


class Answered(Value, frozen=True, kw_only=True):
    """`plan` is there when something is left to run; `lines` are the run's summary, in Markdown."""

    plan: Plan | None = None
    lines: tuple[str, ...] = ()


def answer(office: Office, event: NewComment, rules: Rules) -> Answered:
    """Decide on a comment and do what can be done without a run. May raise Refusal."""
    decision = gate.decide(event, look(office.hub, event, rules, office.sleep), rules)
    lines = gate.lines(decision, event.comment)
    if isinstance(decision, Nothing) or (isinstance(decision, Refused) and not decision.reply):
        return Answered(lines=lines)
    desk = office.desk(event.repo, event.number)
    runs = RUNS if rules.carries else TESTS
    return Answered(plan=tell(desk, event.comment, decision, (rules, runs)), lines=lines)


def tell(
    desk: Desk, comment: Comment, decision: Plan | Refused, allowed: tuple[Rules, frozenset[Verb]]
) -> Plan | None:
    """Reactions come last where they end an answer: a run that dies before is then begun anew."""
    rules, runs = allowed
    match decision:
        case Refused(reply=text, reaction=reaction):
            reply(desk, comment, text)
            reacting.end(desk, comment.id, reaction)
        case Plan() if needs_run(decision, runs):
            reacting.react(desk, comment.id, reacting.SEEN)
            reply(desk, comment, spoken(decision, runs))
            return replace(decision, wishes=tuple(one for one in decision.wishes if one.verb in runs))
        case Plan():
            reacting.react(desk, comment.id, reacting.SEEN)
            reply(desk, comment, spoken(decision, runs))
            if any(wish.verb == Verb.STATUS for wish in decision.wishes):
                following.bring_up_to_date(desk, rules, decision.patch)
            reacting.end(desk, comment.id, outcome(decision))
    return None


def needs_run(plan: Plan, runs: frozenset[Verb] = RUNS) -> bool:
    return any(wish.verb in runs for wish in plan.wishes)


def spoken(plan: Plan, runs: frozenset[Verb]) -> str:
    """The one reply to a comment of which something is carried out; empty when nothing is to be said."""
    unbuilt = [wish.verb for wish in plan.wishes if wish.verb not in runs | TALK]
    parts = [
        replies.misread(plan.refused, commands.usages()) if plan.refused else "",
        answers.not_carried_out(unbuilt) if unbuilt else "",
        *(
            answers.by_hand(plan.patch, one.words)
            for one in plan.wishes
            if one.verb == Verb.BACKPORT and one.verb in unbuilt
        ),
        replies.help_text(commands.usages()) if Verb.HELP in {wish.verb for wish in plan.wishes} else "",
    ]
    return "\n\n".join(filter(None, parts))


def outcome(plan: Plan) -> str:
    if plan.refused:
        return reacting.CONFUSED
    return reacting.GOOD if all(wish.verb in TALK for wish in plan.wishes) else reacting.BAD


def reply(desk: Desk, comment: Comment, text: str) -> None:
    """Say it in our one reply to this comment, after what that says already."""
    if not text:
        return
    mark = replies.mark(comment)

    def is_it(body: str) -> bool:
        return body.rstrip().endswith(mark)

    def write(bodies: Sequence[str]) -> str:
        said = [body.replace("\r\n", "\n").rstrip().removesuffix(mark).strip() for body in bodies]
        mine = replies.signed(text, comment).removesuffix(mark).strip()
        new = () if any(mine in part for part in said) else (mine,)
        return "\n\n".join((*dict.fromkeys((*said, *new)), mark))

    keeping.keep(desk, keeping.Wanted(is_it=is_it, write=write, holds=keeping.same))
