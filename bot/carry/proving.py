"""From a patch and an upstream to sealed evidence: refs, survey, trees, proof."""

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

import bot
from bot import survey, upstream
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
from bot.proof import environments, evidence, isolation
from bot.proof.prove import prove
from bot.proof.rounds import Ask, Progress
from bot.proof.verdict import judge


class Order(Value, frozen=True, kw_only=True):
    """What people asked for. `branches` and `refs` are globs or full names; none means the manifest's."""

    patch: Patch
    spec: str
    cache: Path
    branches: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    runs: int = 3
    jobs: int = 2
    controls: bool = True
    device: str = "auto"
    fresh: bool = False
    force: bool = False


def default_spec(patch: Patch) -> str:
    """Return the manifest's own upstream. Raises BotError when it names none."""
    place = patch.manifest.upstream
    if place.repo or place.pypi:
        return place.repo or f"pypi:{place.pypi}"
    raise BotError(f"{patch.id} names no upstream", "give one with --upstream")


def prove_branches(order: Order, progress: Progress) -> Evidence:
    """Prove the patch on the branches that were asked for. Raises BotError."""
    environment = environments.find(order.patch, order.cache)
    source = open_source(order, progress)
    if order.branches or order.refs:
        refs = source.find(order.branches, order.refs)
    else:
        refs = source.recall(affected(order.patch, releases=not source.has_history))
    return prove_refs(order, source, environment, source.fetch(refs), progress)


def prove_again(order: Order, old: Evidence, progress: Progress) -> Evidence:
    """Prove exactly the heads of `old` anew. Raises BotError when patch or environment are others now."""
    environment = environments.find(order.patch, order.cache)
    same_patch(order.patch, old)
    source = open_source(order, progress)
    refs = tuple(recorded(source, target.name, target.head) for target in old.targets)
    return prove_refs(order, source, environment, refs, progress)


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


def prove_refs(
    order: Order,
    source: upstream.Upstream,
    environment: environments.Environment,
    refs: Sequence[Ref],
    progress: Progress,
) -> Evidence:
    began = time.monotonic()
    progress(0, 0, "looking at each target")
    subjects = survey.subjects(source.store, order.patch, refs, has_history=source.has_history)
    ask = Ask(
        patch=order.patch,
        store=source.store,
        environment=environment,
        cache=order.cache,
        runs=order.runs,
        at_a_time=order.jobs,
        fresh=order.fresh,
        force=order.force,
    )
    targets = prove(ask, subjects, progress, lambda todo: bring(source, order.patch, todo))
    made = Evidence(
        schema=EVIDENCE_SCHEMA,
        id="",
        bot=bot.VERSION,
        patch=order.patch.id,
        version=order.patch.version.id,
        patch_sha256=order.patch.patch_sha256,
        probes_sha256=order.patch.probes_sha256,
        environment_sha256=environment.sha256,
        upstream=source.spec,
        runs=order.runs,
        isolation=isolation.LEVEL,
        seconds=round(time.monotonic() - began, 3),
        environment=environment.facts,
        targets=targets,
    )
    return evidence.seal(made)


def bring(source: upstream.Upstream, patch: Patch, subjects: Sequence[Subject]) -> None:
    """Bring the files that the trees are laid out from."""
    for subject in subjects:
        if subject.head:
            source.bring_files(subject.head, patch.manifest.environment.checkout)
