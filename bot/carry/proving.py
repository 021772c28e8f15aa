"""From a patch and an upstream to sealed evidence: refs, survey, trees, proof."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

import bot
from bot import survey, upstream
from bot.carry import moving, proposals
from bot.errors import BotError
from bot.model import (
    EVIDENCE_SCHEMA,
    Evidence,
    Expect,
    Patch,
    Ref,
    Subject,
    TargetEvidence,
    Value,
    Verdict,
)
from bot.proof import checks, environments, evidence
from bot.proof.prove import prove
from bot.proof.rounds import Ask, Limits, Progress
from bot.proof.verdict import judge


class Order(Value, frozen=True, kw_only=True):
    """What people asked for. `branches` and `refs` are globs or full names; none means the manifest's.

    `proposals` are judged against the branch `base`, instead of branches.
    """

    patch: Patch
    spec: str
    cache: Path
    branches: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    base: str = ""
    runs: int = 3
    jobs: int = 2
    controls: bool = True
    device: str = "auto"
    fresh: bool = False
    force: bool = False
    limits: Limits = Limits()


def default_spec(patch: Patch) -> str:
    """Return the manifest's own upstream. Raises BotError when it names none."""
    place = patch.manifest.upstream
    if place.repo or place.pypi:
        return place.repo or f"pypi:{place.pypi}"
    raise BotError(f"{patch.id} names no upstream", "give one with --upstream")


class Bench(Value, frozen=True, kw_only=True):
    """All that one run works with; `began` is a monotonic time in seconds."""

    order: Order
    source: upstream.Upstream
    environment: environments.Environment
    progress: Progress
    began: float


def open_bench(order: Order, progress: Progress) -> Bench:
    """Find the environment and open the upstream. Raises BotError."""
    return Bench(
        order=order,
        environment=environments.find(order.patch, order.cache),
        source=open_source(order, progress),
        progress=progress,
        began=time.monotonic(),
    )


def prove_branches(order: Order, progress: Progress) -> Evidence:
    """Prove the patch on the branches that were asked for. Raises BotError."""
    bench = open_bench(order, progress)
    source = bench.source
    if order.branches or order.refs:
        refs = source.find(order.branches, order.refs)
    else:
        refs = source.recall(affected(order.patch, releases=not source.has_history))
    brought = source.fetch(refs)
    return prove_subjects(bench, look(bench, brought), {}, {ref.name: (ref,) for ref in brought})


def prove_proposals(order: Order, progress: Progress) -> Evidence:
    """Judge the proposals against their base. Raises BotError."""
    bench = open_bench(order, progress)
    base, refs = proposals.find(bench.source, order.base, order.proposals)
    proposed = propose(bench, base, refs)
    rests = {ref.name: (ref, base) for ref in refs}
    return prove_subjects(bench, [one.subject for one in proposed.values()], proposed, rests)


def prove_again(order: Order, old: Evidence, progress: Progress) -> Evidence:
    """Prove exactly the heads of `old` anew. Raises BotError when patch or environment are others now."""
    same_patch(order.patch, old)
    bench = open_bench(order, progress)
    branches = [target for target in old.targets if target.kind != proposals.KIND]
    found = look(bench, [recorded(bench.source, target.name, target.head) for target in branches])
    proposed: dict[str, survey.Proposed] = {}
    for base, refs in proposals.recorded(bench.source, order.patch, old.targets):
        proposed |= propose(bench, base, refs)
    subjects = {(one.kind, one.name): one for one in (*found, *(each.subject for each in proposed.values()))}
    kinds = [(target.kind, target.name) for target in old.targets]
    return prove_subjects(bench, [subjects[kind] for kind in kinds], proposed)


def is_red(verdict: Verdict, *, controls: bool) -> bool:
    """Whether a verdict is not as expected; without controls a cure can be no more than uncontrolled."""
    fine = {Verdict.PROVEN, Verdict.NOT_APPLICABLE}
    return verdict not in (fine if controls else fine | {Verdict.CURED_UNCONTROLLED})


def recompute(patch: Patch, claimed: Evidence) -> Evidence:
    """Return the evidence with the verdicts that its outcomes give; whoever made it could claim others."""
    same_patch(patch, claimed)

    def judged(target: TargetEvidence) -> TargetEvidence:
        found = judge(patch.manifest, target, claimed.runs)
        return msgspec.structs.replace(target, verdict=found.verdict)

    return msgspec.structs.replace(claimed, targets=tuple(map(judged, claimed.targets)))


def differences(old: Evidence, new: Evidence) -> list[str]:
    """Say where two runs of the same evidence differ in verdict or tree, one sentence a target."""
    told = []
    for was, now in zip(old.targets, new.targets, strict=True):
        if was.verdict is not now.verdict:
            told.append(f"{was.name} was {was.verdict} and is {now.verdict} now")
        elif (was.before_tree, was.after_tree) != (now.before_tree, now.after_tree):
            told.append(f"{was.name} is {now.verdict} as before, but on other trees")
    return told


def open_source(order: Order, progress: Progress) -> upstream.Upstream:
    return upstream.open_upstream(order.spec, cache=order.cache, notice=lambda text: progress(0, 0, text))


def affected(patch: Patch, *, releases: bool) -> list[str]:
    """Name the manifest's affected branches of one kind of upstream."""
    branches = patch.manifest.branches
    names = [branch.name for branch in branches if branch.expect is Expect.AFFECTED]
    return [name for name in names if name.startswith("pypi/") == releases]


def same_patch(patch: Patch, old: Evidence) -> None:
    if patch.patch_sha256 != old.patch_sha256 or patch.probes_sha256 != old.probes_sha256:
        raise BotError(
            f"{patch.id} here is not what that evidence is about",
            "check out the commit of the patches that made it, or prove anew",
        )


def recorded(source: upstream.Upstream, name: str, head: str | None) -> Ref:
    """Return the ref as the evidence saw it, with its objects brought."""
    full = f"refs/heads/{name}"
    if head is None:
        return Ref(full=full, name=name, missing=True)
    if not source.has_history:
        source.fetch(source.recall([name]))
    if not source.bring_commit(head):
        return Ref(full=full, name=name, problem=f"commit {head} cannot be had from this upstream any more")
    return Ref(full=full, name=name, head=head)


def look(bench: Bench, refs: Sequence[Ref]) -> tuple[Subject, ...]:
    """Survey the branches and make their trees."""
    bench.progress(0, 0, "looking at each target")
    bring_touched(bench, refs)
    source = bench.source
    return survey.subjects(source.store, bench.order.patch, refs, has_history=source.has_history)


def propose(bench: Bench, base: Ref, refs: Sequence[Ref]) -> dict[str, survey.Proposed]:
    """Merge each proposal into the base; by name."""
    bench.progress(0, 0, f"merging into {base.name}")
    bring_touched(bench, [base])
    return {one.subject.name: one for one in proposals.compare(bench.source, bench.order.patch, base, refs)}


def bring_touched(bench: Bench, refs: Sequence[Ref]) -> None:
    """Bring what the survey reads: the patch's files on each ref, and on the commit the patch was made on."""
    patch, source = bench.order.patch, bench.source
    paths = sorted({change.path for changes in patch.variants.values() for change in changes})
    origin = patch.version.base.commit
    commits = [ref.head for ref in refs if ref.head]
    if source.has_history and source.bring_commit(origin):
        commits.append(origin)
    for commit in dict.fromkeys(commits):
        source.bring_files(commit, paths)


def prove_subjects(
    bench: Bench,
    subjects: Sequence[Subject],
    proposed: Mapping[str, survey.Proposed],
    rests: moving.Rests = MappingProxyType({}),
) -> Evidence:
    """Run what must be run and seal what came out. `rests`: the refs that may have moved meanwhile."""
    order, source = bench.order, bench.source
    ask = Ask(
        patch=order.patch,
        store=source.store,
        environment=bench.environment,
        cache=order.cache,
        runs=order.runs,
        at_a_time=order.jobs,
        controls=order.controls,
        device=order.device,
        fresh=order.fresh,
        force=order.force,
        limits=order.limits,
    )
    proven = prove(ask, subjects, bench.progress, lambda todo: bring(source, order.patch, todo))
    version = order.patch.version.id
    targets = tuple(proposals.complete(proven.targets, proposed, version))
    return seal(bench, tuple(moving.told(source, targets, rests)), proven.isolation)


def seal(bench: Bench, targets: tuple[TargetEvidence, ...], isolation: str) -> Evidence:
    order = bench.order
    made = Evidence(
        schema=EVIDENCE_SCHEMA,
        id="",
        bot=f"upstream-bot {bot.VERSION}",
        patch=order.patch.id,
        version=order.patch.version.id,
        patch_sha256=order.patch.patch_sha256,
        probes_sha256=order.patch.probes_sha256,
        environment_sha256=bench.environment.sha256,
        upstream=bench.source.spec,
        runs=order.runs,
        isolation=isolation,
        seconds=round(time.monotonic() - bench.began, 3),
        environment=bench.environment.facts,
        targets=targets,
    )
    return evidence.seal(made)


def bring(source: upstream.Upstream, patch: Patch, subjects: Sequence[Subject]) -> None:
    """Bring the files that the trees are laid out from: a merge's are those of its two sides."""
    commits = [commit for subject in subjects for commit in (subject.base_commit, subject.head) if commit]
    for commit in dict.fromkeys(commits):
        source.bring_files(commit, (*patch.manifest.environment.checkout, *checks.SETTINGS))
