"""Whether a target has the cause of the defect: by ancestry, or by version where releases have no history."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bot import git
from bot.model import Manifest, Ref, Value

HEX = re.compile(r"[0-9a-f]{7,64}")


class Cause(Value, frozen=True, kw_only=True):
    """`present` is None when it cannot be told; `said` is the clause that tells it."""

    present: bool | None
    said: str


def causes(
    store: git.Repo, manifest: Manifest, refs: Sequence[Ref], *, has_history: bool
) -> dict[str, Cause]:
    """What is known of the cause, by the full name of each ref that has a head."""
    if not has_history:
        return {ref.full: by_version(manifest, ref) for ref in refs}
    heads = sorted({ref.head for ref in refs if ref.head})
    commits = [entry for entry in manifest.defect.introduced_by if HEX.fullmatch(entry)]
    answers = {commit: contained(store, commit, heads) for commit in commits} if heads else {}
    return {
        ref.full: said({commit: found[ref.head] for commit, found in answers.items()})
        for ref in refs
        if ref.head
    }


def said(answers: Mapping[str, bool | None]) -> Cause:
    if not answers:
        return Cause(present=None, said="the patch names no causing commit")
    names = {commit: commit[:12] for commit in answers}
    for commit, answer in answers.items():
        if answer:
            return Cause(present=True, said=f"{names[commit]} is in this branch's history")
    for commit, answer in answers.items():
        if answer is None:
            return Cause(
                present=None, said=f"the history here cannot tell whether {names[commit]} came first"
            )
    verb = "is" if len(answers) == 1 else "are"
    return Cause(present=False, said=f"{' and '.join(names.values())} {verb} not in this branch's history")


def contained(store: git.Repo, commit: str, heads: list[str]) -> dict[str, bool | None]:
    """Whether `commit` is an ancestor of each head, in one walk for all of them."""
    known = git.call(store, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    # Ancestors of what is stored whole are stored too: a commit that is not here is then no ancestor.
    walk = descendants(store, known.text, heads) if known.code == 0 else complete(store, heads)
    if walk is None:
        return {head: git.is_ancestor(store, commit, head) for head in heads}
    # Beyond a shallow boundary there may be more: no "no" is sure there.
    no = None if (store.path / "shallow").exists() else False
    return {head: True if head in walk or head == known.text else no for head in heads}


def descendants(store: git.Repo, commit: str, heads: list[str]) -> frozenset[str] | None:
    """Heads and what lies between, as far as they descend from `commit`; None when git cannot walk."""
    data = "".join(f"{line}\n" for line in (*heads, f"^{commit}")).encode()
    done = git.call(store, "rev-list", "--stdin", "--ancestry-path", data=data)
    return frozenset(done.text.split()) if done.code == 0 else None


def complete(store: git.Repo, heads: list[str]) -> frozenset[str] | None:
    """Nothing at all, once the whole history of the heads was walked; None when parts of it are absent."""
    done = git.call(
        store, "rev-list", "--stdin", "--quiet", data="".join(f"{head}\n" for head in heads).encode()
    )
    return frozenset() if done.code == 0 else None


def by_version(manifest: Manifest, ref: Ref) -> Cause:
    """Whether the release `pypi/<version>` is as new as the causing one, by the order of PEP 440."""
    from packaging.version import InvalidVersion, Version

    pins = list(causing_releases(manifest))
    if not pins:
        return Cause(present=None, said="the patch names no causing release")
    try:
        release, first = Version(ref.name.rpartition("/")[2]), min(map(Version, pins))
    except InvalidVersion as error:
        return Cause(present=None, said=f"its age cannot be told: {error}")
    present = release >= first
    age = "not older" if present else "older"
    return Cause(present=present, said=f"this release is {age} than {manifest.upstream.pypi} {first}")


def causing_releases(manifest: Manifest) -> Iterator[str]:
    from packaging.utils import canonicalize_name

    for entry in manifest.defect.introduced_by:
        name, equals, version = entry.partition("==")
        if equals and canonicalize_name(name.strip()) == canonicalize_name(manifest.upstream.pypi):
            yield version.strip()
