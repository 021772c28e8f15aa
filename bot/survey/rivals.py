"""Other proposals with a change of the same lines: the patch fits where they began, not where they end."""

from collections.abc import Iterator, Sequence

from bot import git
from bot.model import PROVABLE, Patch, Ref, Row, State, Value
from bot.survey import texts, walk
from bot.survey.decide import Facts, decide

#: What a proposal makes of a text that takes the patch, when it changes what the patch changes.
RELATIONS = {
    State.UPSTREAM_IDENTICAL: "the same change",
    State.UPSTREAM_PARTIAL: "a part of the change, or the change in other words",
    State.AMBIGUOUS: "a change of the same lines",
    State.CONFLICTS: "a change of the same lines",
}


class Found(Value, frozen=True, kw_only=True):
    """A rival on the branch `base`; `when` is the date of its head, `merged` that the base has it."""

    ref: Ref
    base: str
    relation: str
    when: str
    merged: bool


def find(store: git.Repo, patch: Patch, branches: Sequence[Row], pulls: Sequence[Ref]) -> tuple[Found, ...]:
    """The rivals among `pulls`, in their order; `branches` are rows of branches that take the patch."""
    changed = {ref.full: ref for ref in changing(store, patch, pulls)}
    based = {full: base for full, ref in changed.items() if (base := base_of(store, ref, branches))}
    began = states(store, patch, [beginning(full, based[full][1]) for full in based])
    ended = states(store, patch, [changed[full] for full in based])
    dates = walk.named(store, [changed[full].head or "" for full in based])
    return tuple(
        Found(
            ref=changed[full],
            base=row.name,
            relation=RELATIONS[ended[full]],
            when=dates[changed[full].head or ""].date,
            merged=started == changed[full].head,
        )
        for full, (row, started) in based.items()
        if began[full] in PROVABLE or started == changed[full].head
    )


def changing(store: git.Repo, patch: Patch, pulls: Sequence[Ref]) -> Iterator[Ref]:
    """Proposals at whose heads the patch does not fit any more."""
    found = states(store, patch, pulls)
    return (ref for ref in pulls if found[ref.full] in RELATIONS)


def states(store: git.Repo, patch: Patch, refs: Sequence[Ref]) -> dict[str, State]:
    """The state by the texts alone; where the anchor is absent nothing is proposed."""
    return {full: state(facts) for full, facts in texts.read(store, patch, refs).facts.items()}


def state(facts: Facts) -> State:
    return State.UNKNOWN if facts.absent else decide(facts)[0]


def base_of(store: git.Repo, ref: Ref, branches: Sequence[Row]) -> tuple[Row, str] | None:
    """The branch that the proposal is nearest to, and the commit where it began; None without any."""
    found = []
    for row in branches:
        bases = git.merge_bases(store, row.head or "", ref.head or "")
        if bases:
            found.append((git.count_commits(store, bases[0], ref.head or ""), row, bases[0]))
    nearest = min(found, key=lambda one: one[0], default=None)
    return nearest[1:] if nearest else None


def beginning(full: str, commit: str) -> Ref:
    return Ref(full=full, name=full, head=commit)
