"""From an order to a row for each target: proven, committed, compared and pushed, one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import structs

from bot.carry import moving, proving
from bot.carry.backporting import aiming, delivering, picking, pushing, recovery, writing
from bot.carry.backporting.cargo import Bench, PatchCargo
from bot.carry.backporting.order import Order, Result, Row, told
from bot.errors import BotError
from bot.model import NOTHING_TO_CURE, PROVABLE, Evidence, Ref, State, TargetEvidence, Verdict
from bot.proof import scratch
from bot.proof.rounds import Progress
from bot.upstream.choosing import HEADS

#: The cure is there already, in these words or in others.
CONTAINED = frozenset({State.UPSTREAM_IDENTICAL, State.UPSTREAM_EQUIVALENT})
UNFIT = frozenset({State.CONFLICTS, State.CONFLICTS_UNPROBED})


def refuse_unknown(order: Order, progress: Progress) -> None:
    """Raise BotError, with the nearest names, for a target that the upstream does not have."""
    aiming.refuse_unknown(order, proving.open_source(order.proof, progress))


def backport(order: Order, progress: Progress, evidence: Evidence | None = None) -> tuple[Row, ...]:
    """A row for each target, in the order asked. Raises BotError when nothing at all can be done.

    With `evidence` no code of the upstream is run: its verdicts are recomputed, and its trees made anew.
    """
    source = proving.open_source(order.proof, progress)
    if order.push_to:
        pushing.look(source.store, order.push_to)  # before minutes are spent on proofs
    pick = None
    if order.proposal:
        pick = picking.find(source, order.proof.patch, order.proposal, order.base)
        order = structs.replace(order, base=pick.base)
    aim = aiming.aim(order, source)
    with scratch.directory() as place:
        own = PatchCargo(source=source, patch=order.proof.patch, scratch=place)
        bench = Bench(order=order, source=source, cargo=own, progress=progress, may_run=evidence is None)
        seen = claimed(order, aim.refs, evidence) if evidence else proven(order, aim.refs, progress)
        rows = {ref.name: row_for(bench, pick, ref.name, seen.get(ref.name)) for ref in aim.refs}
    rows |= {row.target: row for row in aim.refused}
    return tuple(rows[name] for name in aim.asked)


Seen = Mapping[str, TargetEvidence]


def proven(order: Order, refs: Sequence[Ref], progress: Progress) -> Seen:
    """What the proof says of each target; nothing is run without targets."""
    if not refs:
        return {}
    wanted = structs.replace(order.proof, branches=tuple(ref.name for ref in refs), refs=())
    return {target.name: target for target in proving.prove_branches(wanted, progress).targets}


def claimed(order: Order, refs: Sequence[Ref], evidence: Evidence) -> Seen:
    """What evidence from elsewhere says of the targets that are still where it saw them.

    Raises BotError for evidence about another patch.
    """
    heads = {ref.name: ref.head for ref in refs}
    targets = proving.recompute(order.proof.patch, evidence).targets
    own = [target for target in targets if target.kind == "branch"]
    return {target.name: target for target in own if target.head and target.head == heads.get(target.name)}


def row_for(bench: Bench, pick: picking.PickCargo | None, target: str, seen: TargetEvidence | None) -> Row:
    """The row of one target; what goes wrong with it leaves the others alone."""
    if seen is None:
        reason = "there is no evidence about its present head"
        commands = recovery.prove(bench.order, target)
        return Row(target=target, result=Result.UNPROVEN, reason=reason, recovery=commands)
    try:
        if pick:
            return picked(bench, pick, target, seen)
        return stopped(bench, target, seen) or carried(bench, target, seen)
    except BotError as error:
        return told(seen, target, Result.FAILED, " ".join(filter(None, (error.message, error.hint))))


def stopped(bench: Bench, target: str, seen: TargetEvidence) -> Row | None:
    """Why there is nothing to carry to this target, or no right to; None where there is."""
    order = bench.order
    look = recovery.survey(order, target)
    if seen.state in CONTAINED:
        row = told(seen, target, Result.NOT_NEEDED, f"already contained, no pull request: {seen.reason}")
    elif seen.state in NOTHING_TO_CURE:
        row = told(seen, target, Result.NOT_NEEDED, f"not affected: {seen.reason}")
    elif seen.state in UNFIT and seen.head:
        files = ", ".join(bench.cargo.conflicts(target, seen.head))
        row = told(seen, target, Result.CONFLICTS, f"conflicts in {files}: {seen.reason}")
        look = recovery.by_hand(order, target, seen.head, delivering.branch_of(order, target))
    elif seen.state is State.UNKNOWN:
        row = told(seen, target, Result.FAILED, f"not found out, so try again: {seen.reason}")
    elif seen.state not in PROVABLE:
        row = told(seen, target, Result.REFUSED, f"{seen.state}: {seen.reason}")
    elif not is_proven(order, seen) or not seen.after_tree:
        row = told(seen, target, Result.UNPROVEN, f"{seen.verdict}: {seen.reason}")
        look = recovery.prove(order, target)
    else:
        return None
    return structs.replace(row, recovery=look)


def picked(bench: Bench, pick: picking.PickCargo, target: str, seen: TargetEvidence) -> Row:
    """The row where a proposal's diff is carried: the patch's version, or a cure that is judged here."""
    head, number = seen.head, f"pull request {pick.number}"
    if head is None or seen.state in NOTHING_TO_CURE or seen.state not in PROVABLE | UNFIT:
        return stopped(bench, target, seen) or told(seen, target, Result.REFUSED, seen.reason)
    files = pick.conflicts(target, head)
    if files:
        row = told(seen, target, Result.CONFLICTS, f"{number} conflicts in {', '.join(files)}")
        branch = delivering.branch_of(bench.order, target)
        commands = recovery.pick_by_hand(bench.order, target, head, branch, pick.commits)
        return structs.replace(row, recovery=commands)
    tree = pick.tree(target, head)
    if tree is None:
        return told(seen, target, Result.NOT_NEEDED, f"already contained: {number} changes nothing here")
    if tree == seen.after_tree:
        row = stopped(bench, target, seen) or carried(bench, target, seen)
        version = bench.order.proof.patch.version.id
        return structs.replace(row, reason=f"{row.reason}; the diff of {number} is the patch's {version}")
    if not bench.may_run:
        return unlike(bench.order, target, seen, "the evidence says nothing of it")
    return judged(bench, pick, target, tree, head)


def unlike(order: Order, target: str, seen: TargetEvidence, why: str) -> Row:
    """The row of a proposal that is another diff than the patch's, and of which no more is known."""
    number, version = order.proposal or 0, order.proof.patch.version.id
    reason = f"pull request {number}: its diff is not the patch's {version}, and {why}"
    row = told(seen, target, Result.UNPROVEN, reason)
    return structs.replace(row, recovery=recovery.judge(order, target, number))


def is_proven(order: Order, seen: TargetEvidence) -> bool:
    """Whether it may be carried; without controls a cure can be no more than uncontrolled."""
    fine = {Verdict.PROVEN} if order.proof.controls else {Verdict.PROVEN, Verdict.CURED_UNCONTROLLED}
    return seen.verdict in fine


def judged(bench: Bench, pick: picking.PickCargo, target: str, tree: str, head: str) -> Row:
    """Prove the diff itself, as a proposal to the target, and carry it if it is a right cure."""
    order = bench.order
    made = writing.write(bench.source.store, pick.words(target), order.committer, tree, head)
    asked = structs.replace(order.proof, branches=(), refs=(), proposals=(made.commit,), base=target)
    (found,) = proving.prove_proposals(asked, bench.progress).targets
    seen = structs.replace(found, head=found.base_commit)
    if not is_proven(order, seen):
        return unlike(order, target, seen, f"was not seen to be a right cure: {seen.verdict}: {seen.reason}")
    row = carried(replace(bench, cargo=pick), target, seen)
    left = ", ".join(sorted(pick.left_out()))
    note = f"; not carried: {left}" if left else ""
    return structs.replace(row, reason=f"{row.reason}; the diff of pull request {pick.number}{note}")


def carried(bench: Bench, target: str, seen: TargetEvidence) -> Row:
    """Commit what was proven, and see that the commit holds exactly that."""
    head, store = seen.head or "", bench.source.store
    tree = bench.cargo.tree(target, head)
    if tree is None or tree != seen.after_tree:
        reason = "the change made anew gives another tree than the one that was proven"
        return told(seen, target, Result.FAILED, reason)
    made = writing.write(store, bench.cargo.words(target), bench.order.committer, tree, head)
    branch = delivering.branch_of(bench.order, target)
    row = structs.replace(
        told(seen, target, Result.KEPT, ""), branch=branch, commit=made.commit, tree=made.tree
    )
    return outdated(bench, delivering.deliver(bench, row, made))


def outdated(bench: Bench, row: Row) -> Row:
    """The row; where the target moved meanwhile, with that and with how to carry the patch there."""
    ref = Ref(full=f"{HEADS}{row.target}", name=row.target, head=row.head)
    news = moving.read_again(bench.source, [ref]).get(ref.full)
    if not news:
        return row
    again = recovery.again(bench.order, row.target)
    return structs.replace(row, reason=f"{row.reason}; {news}", recovery=(*row.recovery, *again))
