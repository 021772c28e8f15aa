"""What a run brought back, told: evidence is judged anew, and only if all is still as it was approved."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bot.carry import proving
from bot.errors import BotError
from bot.github import answering, carrying, checking, frozen, reacting, standing, sticky
from bot.github.answering import TESTS
from bot.github.carrying import Carried, Delivery
from bot.github.desk import Desk, Office
from bot.github.running import BRANCHES, EVIDENCE, LARGEST, OUTCOME, OUTCOME_SCHEMA, Outcome, asks
from bot.model import Evidence, Patch, TargetEvidence, Value, Verdict
from bot.model.hub import Account, Comment, Pull
from bot.model.plan import Plan
from bot.model.vetting import Likeness
from bot.proof import evidence as files
from bot.report import answers
from bot.report.comment import Finished

#: The verdicts after which a command ends with 👍.
GOOD = frozenset({Verdict.PROVEN, Verdict.NOT_APPLICABLE})
#: How a proof says what the proposal's diff is.
LIKENESS = {
    "its diff is an equivalent cure": Likeness.OTHER_WORDS,
    "its diff is something else": Likeness.DIFFERENT,
}


class Brought(Value, frozen=True, kw_only=True):
    """Evidence with the verdicts that its outcomes give, or why there is none."""

    evidence: Evidence | None = None
    problem: str = ""


class Published(Value, frozen=True, kw_only=True):
    """`verdict` is None when nothing was judged; `lines` are for the summary, in Markdown.

    `carried`: whether all backports went well, None where none was asked for.
    """

    verdict: Verdict | None
    lines: tuple[str, ...]
    carried: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Run:
    """A plan with the directory that its run left, and where backports go (None: nowhere)."""

    plan: Plan
    place: Path
    delivery: Delivery | None = None


def publish(office: Office, run: Run, patches: Mapping[str, Patch]) -> Published:
    """Tell it all, the last reaction at the end. May raise Refusal; the next run goes on from there."""
    plan, place = run.plan, run.place
    patch = patches.get(plan.patch)
    if patch is None:
        raise BotError(f"the plan is about the patch {plan.patch!r}, which is not here", "see --patches")
    desk = office.desk(plan.frozen.repo, plan.frozen.number)
    changed = frozen.moved(plan.frozen, desk.hub)
    if changed:
        return stop(desk, plan, patch, answers.stopped(changed))
    carried = carry(desk, run, patch)
    if not asks(plan, TESTS):
        return only_carried(desk, plan, carried)
    brought = bring(plan, patch, place)
    if brought.evidence is None:
        return stop(desk, plan, patch, answers.failed(brought.problem))
    return tell(desk, plan, patch, brought.evidence, carried)


def carry(desk: Desk, run: Run, patch: Patch) -> Carried | None:
    """Carry the backports and reply; None where none was asked for, or nobody could be told of them."""
    if run.delivery is None or not carrying.branches(run.plan):
        return None
    if desk.hub.pull(run.plan.frozen.repo, run.plan.frozen.number).locked:
        return Carried(fine=False, text=answers.LOCKED)
    try:
        data = read(run.place / BRANCHES, files.LARGEST)
    except BotError:
        data = b""
    carried = carrying.carry(desk, run.plan, patch, data, run.delivery)
    answering.reply(desk, asked(run.plan), carried.text)
    return carried


def only_carried(desk: Desk, plan: Plan, carried: Carried | None) -> Published:
    """The end of a comment that asked for nothing but backports."""
    fine = carried is not None and carried.fine
    if carried is None or carried.text != answers.LOCKED:
        good = reacting.CONFUSED if plan.refused else reacting.GOOD
        reacting.end(desk, plan.frozen.comment, good if fine else reacting.BAD)
    pull = desk.hub.pull(plan.frozen.repo, plan.frozen.number)
    told = answers.LOCKED if pull.locked else answers.carried(fine=fine)
    lines = (f"- {told}", *(f"- {line}" for line in standing.lines(pull)))
    return Published(verdict=None, lines=lines, carried=fine)


def stop(desk: Desk, plan: Plan, patch: Patch, text: str) -> Published:
    """Say why, and let the report show what is so now."""
    facts = sticky.read(desk, patch.manifest)
    if facts.pull.locked:
        return Published(verdict=None, lines=(f"- {text} {answers.LOCKED}.",))
    sticky.keep(desk, facts)
    comment = asked(plan)
    answering.reply(desk, comment, text)
    reacting.end(desk, comment.id, reacting.BAD)
    return Published(verdict=None, lines=(f"- {text}",))


def asked(plan: Plan) -> Comment:
    """The command as far as it was frozen; GitHub has its text."""
    held = plan.frozen
    who = Account(id=plan.asker_id, login=plan.asker)
    return Comment(id=held.comment, author=who, body="", created=held.created, updated=held.created)


def tell(desk: Desk, plan: Plan, patch: Patch, evidence: Evidence, carried: Carried | None) -> Published:
    (target,) = evidence.targets
    now = sticky.read(desk, patch.manifest, likeness(target))
    facts = replace(now, tested=finished(plan, evidence, now.pull))
    told = answers.finished(patch.id, target.verdict)
    lines = (f"- {told}", *(f"- {line}" for line in standing.lines(facts.pull)))
    if facts.pull.locked:
        return Published(verdict=target.verdict, lines=(*lines, f"- {answers.LOCKED}"))
    report = sticky.keep(desk, facts)
    checking.check(desk, patch, target, report)
    fine = carried is None or carried.fine
    reacting.end(desk, plan.frozen.comment, ending(plan, target.verdict) if fine else reacting.BAD)
    return Published(verdict=target.verdict, lines=lines, carried=carried.fine if carried else None)


def ending(plan: Plan, verdict: Verdict) -> str:
    if verdict not in GOOD:
        return reacting.BAD
    return reacting.CONFUSED if plan.refused else reacting.GOOD


def finished(plan: Plan, evidence: Evidence, pull: Pull) -> Finished:
    """Head and base as they were proven; GitHub's trial merge is named only where it is of these two."""
    (target,) = evidence.targets
    base = target.base_commit or plan.frozen.base_commit
    of_both = (pull.head.commit, pull.base.commit) == (plan.frozen.head, base)
    return Finished(
        evidence=evidence,
        head=plan.frozen.head,
        base=base,
        merge=(pull.merge_commit or "") if of_both and pull.open else "",
        created=plan.frozen.created,
        comment=plan.frozen.comment,
    )


def likeness(target: TargetEvidence) -> Likeness:
    """As the proof says it; who made the evidence could as well have made its outcomes."""
    found = next((kind for words, kind in LIKENESS.items() if words in target.reason), None)
    if found:
        return found
    return Likeness.SAME if "its diff is the patch's" in target.reason else Likeness.UNKNOWN


def bring(plan: Plan, patch: Patch, place: Path) -> Brought:
    """Read the run's files as what they are: a stranger's."""
    try:
        outcome = read_outcome(plan, place / OUTCOME)
        if outcome.problem:
            return Brought(problem=outcome.problem)
        claimed = files.decode(read(place / EVIDENCE, files.LARGEST))
        if claimed.patch != patch.id:
            return Brought(problem=answers.OTHER_PATCH)
        judged = proving.recompute(patch, claimed)
    except (BotError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Brought(problem=str(error) or answers.NO_EVIDENCE)
    if not is_about(plan, judged):
        return Brought(problem=answers.OTHER_TARGET)
    return Brought(evidence=judged)


def is_about(plan: Plan, judged: Evidence) -> bool:
    """One target, and that the head that was approved."""
    heads = [(target.kind, target.head) for target in judged.targets]
    return heads == [("proposal", plan.frozen.head)]


def read_outcome(plan: Plan, path: Path) -> Outcome:
    outcome = msgspec.json.decode(read(path, LARGEST), type=Outcome)
    if outcome.schema != OUTCOME_SCHEMA:
        raise BotError(answers.NO_EVIDENCE)
    if (outcome.comment, outcome.head) != (plan.frozen.comment, plan.frozen.head):
        raise BotError(answers.OTHER_TARGET)
    return outcome


def read(path: Path, largest: int) -> bytes:
    """A plain file of the run, whole; a link could name any file of ours."""
    if path.is_symlink() or not path.is_file():
        raise BotError(answers.NO_EVIDENCE)
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise BotError(f"{path.name} of the run is larger than {largest // 1024} KiB")
    return data
