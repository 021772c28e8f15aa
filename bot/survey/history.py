"""Whether a target has the cause of the defect: by ancestry, or by version where releases have no history."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bot import git
from bot.model import Manifest, Ref, Value
from bot.survey import walk

HEX = re.compile(r"[0-9a-f]{7,64}")


class Cause(Value, frozen=True, kw_only=True):
    """`present` is None when it cannot be told; `said` is the clause that tells it."""

    present: bool | None
    said: str


#: The commits that descend from each cause; None where that cannot be walked.
Walks = dict[str, walk.Graph | None]


def walks(store: git.Repo, manifest: Manifest, refs: Sequence[Ref]) -> Walks:
    """Walk from all heads down to each causing commit: one walk for all heads."""
    heads = sorted({ref.head for ref in refs if ref.head})
    return {commit: walked(store, commit, heads) for commit in causing(manifest)} if heads else {}


def causes(store: git.Repo, refs: Sequence[Ref], known: Walks) -> dict[str, Cause]:
    """What is known of the cause, by the full name of each ref that has a head."""
    no = None if (store.path / "shallow").exists() else False
    return {
        ref.full: said(
            {commit: contains(store, ref.head, commit, walk, no) for commit, walk in known.items()}
        )
        for ref in refs
        if ref.head
    }


def causing(manifest: Manifest) -> list[str]:
    """The commits that brought the defect, as the manifest writes them."""
    return [entry for entry in manifest.defect.introduced_by if HEX.fullmatch(entry)]


def joined(known: Walks) -> walk.Graph | None:
    """All that came since the defect, in one graph; None where no walk tells it."""
    graphs = list(known.values())
    if len(graphs) == 1:
        return graphs[0]
    made: dict[str, tuple[str, ...]] = {}
    for graph in graphs:
        if graph is None:
            return None
        # One walk ends where another cause begins: it knows no parents there.
        made |= {commit: above for commit, above in graph.items() if above or commit not in made}
    return made


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


def walked(store: git.Repo, commit: str, heads: list[str]) -> walk.Graph | None:
    """What descends from `commit`, itself included, among the heads and above; None when git cannot walk."""
    known = git.call(store, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    if known.code == 0:
        return walk.since(store, heads, known.text)
    if git.call(store, "rev-parse", f"--disambiguate={commit}").text:
        return None  # it is short for several objects, or names no commit
    # Ancestors of what is stored whole are stored too: a commit that is not here is then no ancestor.
    return complete(store, heads)


def contains(
    store: git.Repo, head: str, commit: str, graph: walk.Graph | None, no: bool | None
) -> bool | None:
    """Whether `commit` is in the history of `head`; beyond a shallow boundary no "no" is sure."""
    if graph is None:
        return git.is_ancestor(store, commit, head)
    return True if head in graph else no


def complete(store: git.Repo, heads: list[str]) -> walk.Graph | None:
    """Nothing at all, once the whole history of the heads was walked; None when parts of it are absent."""
    done = git.call(
        store, "rev-list", "--stdin", "--quiet", data="".join(f"{head}\n" for head in heads).encode()
    )
    return {} if done.code == 0 else None


def by_version(manifest: Manifest, ref: Ref) -> Cause:
    """Whether the release `pypi/<version>` is as new as the causing one, by the order of PEP 440."""
    from packaging.version import InvalidVersion, Version

    pins = list(causing_releases(manifest))
    if not pins:
        return Cause(present=None, said="the patch names no causing release")
    try:
        release, first = Version(ref.name.rpartition("/")[2]), min(map(Version, pins))
    except InvalidVersion:
        return Cause(present=None, said=f"its age cannot be told from its name {ref.name!r}")
    present = release >= first
    age = "not older" if present else "older"
    return Cause(present=present, said=f"this release is {age} than {manifest.upstream.pypi} {first}")


def causing_releases(manifest: Manifest) -> Iterator[str]:
    from packaging.utils import canonicalize_name

    for entry in manifest.defect.introduced_by:
        name, equals, version = entry.partition("==")
        if equals and canonicalize_name(name.strip()) == canonicalize_name(manifest.upstream.pypi):
            yield version.strip()
