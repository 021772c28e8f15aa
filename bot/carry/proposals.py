"""Pull requests and other proposals: found by any name, merged, and told apart from the patch."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import structs

from bot import survey, upstream
from bot.carry import merging
from bot.errors import BotError
from bot.model import Patch, Ref, TargetEvidence
from bot.upstream.choosing import HEADS, is_glob

NUMBER = re.compile(r"(?:#|pull/)?([0-9]{1,9})(?:/head)?", re.ASCII)
PULL = re.compile(r"refs/(pull/[0-9]+)/head", re.ASCII)
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)
#: How evidence names what is judged here.
KIND = "proposal"


def find(source: upstream.Upstream, base: str, asked: Sequence[str]) -> tuple[Ref, tuple[Ref, ...]]:
    """The base branch and the proposals, each once, as they are now. Raises BotError for unknown names."""
    if not source.has_history:
        hint = "give a repository or a clone of it with --upstream"
        raise BotError(f"{source.spec} has releases, and a proposal needs a branch to be merged into", hint)
    for name in (base, *asked):
        if is_glob(name):
            raise BotError(f"{name!r} is a pattern", "name each proposal and the one base in full")
    fulls = [full_name(name) for name in asked if not COMMIT.fullmatch(name)]
    branches = [base.removeprefix(HEADS), *(full.removeprefix(HEADS) for full in fulls if is_branch(full))]
    try:
        found = source.find(branches, [full for full in fulls if not is_branch(full)])
    except BotError as error:
        raise told(error, asked) from None
    known = {ref.full: ref for ref in source.fetch(found)}
    commits = {name: commit(source, name.lower()) for name in asked if COMMIT.fullmatch(name)}
    chosen = [commits.get(name) or known[full_name(name)] for name in asked]
    unique = {ref.full: structs.replace(ref, name=short_name(ref)) for ref in chosen}
    return known[HEADS + branches[0]], tuple(unique.values())


def told(error: BotError, asked: Sequence[str]) -> BotError:
    """The same error; of a pull request that is not there in its own words: no number near by is meant."""
    absent = [name for name in asked if NUMBER.fullmatch(name) and full_name(name) in error.message]
    if not absent:
        return error
    hint = "fetch refs/pull/*/head into the clone, or name the repository itself with --upstream"
    return BotError(f"this upstream does not show the pull request {absent[0]}", hint)


def full_name(asked: str) -> str:
    """The ref meant by `7155`, `#7155`, `pull/7155`, a full ref or else a branch."""
    number = NUMBER.fullmatch(asked)
    if number:
        return f"refs/pull/{number[1]}/head"
    return asked if asked.startswith("refs/") else HEADS + asked


def is_branch(full: str) -> bool:
    return full.startswith(HEADS)


def short_name(ref: Ref) -> str:
    """A name that, typed again, means the same ref."""
    pull = PULL.fullmatch(ref.full)
    return pull[1] if pull else ref.name if full_name(ref.name) == ref.full else ref.full


def commit(source: upstream.Upstream, name: str) -> Ref:
    if source.bring_commit(name):
        return Ref(full=name, name=name, head=name)
    raise BotError(
        f"there is no commit {name} in {source.spec}", "name the pull request or branch that holds it"
    )


def compare(
    source: upstream.Upstream, patch: Patch, base: Ref, refs: Sequence[Ref]
) -> tuple[survey.Proposed, ...]:
    """Each proposal beside its base, both trees made and what the merge needs brought."""
    (target,) = survey.subjects(source.store, patch, [base], has_history=True)
    return survey.proposals(
        source.store, target, refs, lambda ours, theirs: merging.merge(source, ours, theirs)
    )


def complete(
    targets: Iterable[TargetEvidence], proposed: Mapping[str, survey.Proposed], version: str
) -> Iterator[TargetEvidence]:
    """Say in the reason of each proposal what its diff is; the verdict has a word in that."""
    for target in targets:
        found = proposed.get(target.name)
        told = survey.sentence(found, version, target.verdict) if found else ""
        yield structs.replace(target, reason=f"{target.reason}; {told}") if told else target


def recorded(
    source: upstream.Upstream, patch: Patch, targets: Iterable[TargetEvidence]
) -> Iterator[tuple[Ref, tuple[Ref, ...]]]:
    """The proposals of evidence by their base, both at the commits that it names."""
    bases: dict[str, list[TargetEvidence]] = {}
    for target in targets:
        if target.kind == KIND:
            bases.setdefault(target.base_commit or "", []).append(target)
    for base, own in bases.items():
        named = structs.replace(as_recorded(source, base, base), name=base_name(source, patch, base))
        yield named, tuple(as_recorded(source, target.name, target.head or "") for target in own)


def as_recorded(source: upstream.Upstream, name: str, head: str) -> Ref:
    if COMMIT.fullmatch(head) and source.bring_commit(head):
        return Ref(full=head, name=name, head=head)
    return Ref(full=name, name=name, problem=f"commit {head} cannot be had from this upstream any more")


def base_name(source: upstream.Upstream, patch: Patch, base: str) -> str:
    """The branch that is still at that commit: only its name tells which of several variants it takes."""
    if len(patch.version.files) == 1:
        return base
    return next((ref.name for ref in source.refs() if ref.head == base and is_branch(ref.full)), base)
