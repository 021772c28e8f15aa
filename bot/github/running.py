"""The run without rights: it proves the commit that was approved, and leaves files for who publishes."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from bot.carry import proposals, proving
from bot.errors import BotError
from bot.github.answering import TESTS, needs_run
from bot.github.carrying import branches
from bot.model import Evidence, Value
from bot.model.plan import PLAN_SCHEMA, Frozen, Plan, Verb
from bot.proof import evidence
from bot.proof.rounds import Progress
from bot.report import replies

OUTCOME_SCHEMA = "upstream-bot/outcome/1"
EVIDENCE, BRANCHES, OUTCOME = "evidence.json", "branches.json", "outcome.json"
#: Bytes of the largest plan or outcome that is read.
LARGEST = 1024 * 1024


class Outcome(Value, frozen=True, kw_only=True):
    """How a run ended. `problem` is empty when there is evidence, as far as tests were asked for."""

    schema: str
    comment: int
    head: str
    problem: str = ""


def run(plan: Plan, order: proving.Order, out: Path, progress: Progress) -> Outcome:
    """Prove what was frozen; whatever hinders it is said in the outcome, not raised."""
    out.mkdir(parents=True, exist_ok=True)
    for name in (EVIDENCE, BRANCHES, OUTCOME):
        (out / name).unlink(missing_ok=True)
    problem = ""
    if asks(plan, TESTS):
        problem = attempt(lambda: prove(plan.frozen, order, progress), out / EVIDENCE)
    if targets := branches(plan):
        wanted = msgspec.structs.replace(order, branches=targets)
        unproven = attempt(lambda: proving.prove_branches(wanted, progress), out / BRANCHES)
        problem = problem or unproven
    outcome = Outcome(
        schema=OUTCOME_SCHEMA, comment=plan.frozen.comment, head=plan.frozen.head, problem=problem
    )
    (out / OUTCOME).write_bytes(msgspec.json.encode(outcome))
    return outcome


def attempt(make: Callable[[], Evidence | str], place: Path) -> str:
    """Write the evidence that is made; return why there is none."""
    try:
        made = make()
    except BotError as error:
        return error.message
    if isinstance(made, Evidence):
        evidence.write(place, made)
        return ""
    return made


def asks(plan: Plan, verbs: frozenset[Verb]) -> bool:
    return any(wish.verb in verbs for wish in plan.wishes)


def prove(frozen: Frozen, order: proving.Order, progress: Progress) -> Evidence | str:
    """The evidence, or why nothing ran: the head is looked at before anything of it is laid out."""
    bench = proving.open_bench(order, progress)
    base, refs = proposals.find(bench.source, frozen.base, (f"refs/pull/{frozen.number}/head",))
    head = refs[0].head or refs[0].problem or "gone"
    if head != frozen.head:
        return replies.moved(frozen.head, head)
    proposed = proving.propose(bench, base, refs)
    rests = {ref.name: (ref, base) for ref in refs}
    return proving.prove_subjects(bench, [one.subject for one in proposed.values()], proposed, rests)


def is_fresh(plan: Plan) -> bool:
    """`retry` means that tests run again, whatever the cache holds."""
    return any(wish.verb == Verb.RETRY for wish in plan.wishes)


def read_plan(path: Path) -> Plan:
    """The plan in a file. Raises BotError for anything else."""
    hint = "give the file that `upstream-bot gate --out` wrote"
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        plan = msgspec.json.decode(data, type=Plan)
    except OSError as error:
        raise BotError(f"cannot read the plan {path}: {error.strerror}", hint) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BotError(f"{path} is no plan: {error}", hint) from None
    if len(data) > LARGEST or plan.schema != PLAN_SCHEMA:
        raise BotError(f"{path} is no plan of the schema {PLAN_SCHEMA}", hint)
    if not needs_run(plan):
        raise BotError(f"{path} asks for nothing that is run", hint)
    return plan
