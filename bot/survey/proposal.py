"""What a pull request is to the patch: its merge with the base branch, and whose text its diff is."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from msgspec import structs

from bot import git
from bot.model import Ref, State, Subject, Value, Verdict

#: Merges two commits of the store, base first.
Merge = Callable[[str, str], git.Merged]
#: States of the patch on the base in which no proposal is judged: no defect there, or nothing is known.
UNJUDGED = frozenset(
    {
        State.PATCH_INVALID,
        State.BRANCH_MISSING,
        State.BRANCH_REWRITTEN,
        State.UNKNOWN,
        State.NOT_AFFECTED_YET,
        State.NOT_AFFECTED_ANYMORE,
    }
)
#: The verdicts that say that a diff cures, and those that say that it does not.
CURES = frozenset({Verdict.PROVEN, Verdict.CURED_UNCONTROLLED, Verdict.HAZARD_CHANGED})
FAILS = frozenset({Verdict.REGRESSION, Verdict.NOT_CURED, Verdict.PARTLY_CURED})
#: As many foreign files are named, and as many characters of each.
NAMED, QUOTED = 5, 120


class Relation(StrEnum):
    """What a proposal's diff is to the patch, from the texts alone."""

    VERSION = "version"  # the patch's current version, and nothing else
    BESIDE = "beside"  # that version's text in the patch's files, and more than that
    OTHER = "other"
    NOTHING = "nothing"  # merging it leaves the base as it is


class Proposed(Value, frozen=True, kw_only=True):
    """A proposal as a subject; without a relation there is nothing to compare.

    `meets`: it changes a file of the patch. `others`: the files it changes that are none of the patch's.
    """

    subject: Subject
    relation: Relation | None = None
    meets: bool = False
    others: tuple[str, ...] = ()


def proposals(store: git.Repo, base: Subject, refs: Sequence[Ref], merge: Merge) -> tuple[Proposed, ...]:
    """Each proposal before and after its merge into `base`, in their order; the trees are in the store.

    The subject's state is the patch's on the base, or why the proposal cannot be merged into it.
    """
    return tuple(propose(store, base, ref, merge) for ref in refs)


def propose(store: git.Repo, base: Subject, ref: Ref, merge: Merge) -> Proposed:
    if ref.head is None:
        return stopped(base, ref, State.UNKNOWN, ref.problem or "its head was not brought")
    if base.head is None or base.before_tree is None or base.row.state in UNJUDGED:
        return stopped(base, ref, base.row.state, base.row.detail)
    merged = merge(base.head, ref.head)
    if merged.conflicts:
        return stopped(base, ref, State.CONFLICTS, f"merging it conflicts in {listed(merged.conflicts)}")
    if merged.tree is None:
        return stopped(base, ref, State.UNKNOWN, merged.problem)
    changed = git.changed_files(store, base.before_tree, merged.tree)
    return compared(base, ref, merged.tree, changed)


def stopped(base: Subject, ref: Ref, state: State, detail: str) -> Proposed:
    """A proposal of which nothing can be run, and why: it has no tree after."""
    row = structs.replace(base.row, ref=ref.full, name=ref.name, head=ref.head, state=state, detail=detail)
    subject = structs.replace(
        base, kind="proposal", name=ref.name, head=ref.head, row=row, after_tree=None, after_blobs={}
    )
    return Proposed(subject=subject)


def compared(base: Subject, ref: Ref, tree: str, changed: Mapping[str, str | None]) -> Proposed:
    """The proposal's subject: the child confirms the patch's files, the tree carries all others."""
    own = {path: changed.get(path, blob) for path, blob in base.before_blobs.items()}
    plain = stopped(base, ref, base.row.state, base.row.detail).subject
    after = {path: blob for path, blob in own.items() if blob}
    return Proposed(
        subject=structs.replace(plain, after_tree=tree, after_blobs=after),
        relation=relation(base, tree, changed),
        meets=any(path in changed for path in base.before_blobs),
        others=tuple(sorted(path for path in changed if path not in base.before_blobs)),
    )


def relation(base: Subject, tree: str, changed: Mapping[str, str | None]) -> Relation:
    """Compare the merge's tree with the base's and with that of the base with the patch."""
    if tree == base.before_tree:
        return Relation.NOTHING
    if tree == base.after_tree:
        return Relation.VERSION
    same = [changed.get(path) == blob for path, blob in base.after_blobs.items()]
    return Relation.BESIDE if same and all(same) else Relation.OTHER


def sentence(proposed: Proposed, version: str, verdict: Verdict) -> str:
    """Say what the diff is: the version, an equivalent cure or something else; "" without a relation."""
    if proposed.relation is None:
        return ""
    if proposed.relation is Relation.NOTHING:
        return "merging it changes nothing"
    parts = [f"its diff is {word(proposed.relation, version, verdict)}"]
    if proposed.others:
        count = len(proposed.others)
        verb = "also changes" if proposed.meets else "changes none of the patch's files but"
        files = "other file" if count == 1 else "other files"
        parts.append(f"it {verb} {count} {files}: {listed(proposed.others)}")
    return "; ".join(parts)


def word(relation: Relation, version: str, verdict: Verdict) -> str:
    if relation is Relation.VERSION:
        return f"the patch's {version}"
    more = f" ({version} and more)" if relation is Relation.BESIDE else ""
    if verdict in CURES:
        return f"an equivalent cure{more}"
    return (
        f"something else{more}"
        if verdict in FAILS
        else f"something else{more}, and whether it cures is not known"
    )


def listed(paths: Sequence[str]) -> str:
    """Name at most five foreign files: what cannot be printed is escaped."""
    shown = [path if path.isprintable() else ascii(path) for path in paths[:NAMED]]
    cut = [name if len(name) <= QUOTED else f"…{name[-QUOTED:]}" for name in shown]
    more = f", and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(cut) + more
