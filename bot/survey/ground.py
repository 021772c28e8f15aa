"""Where history is searched, and what was found there once for all targets."""

from collections.abc import Iterable, Mapping, Sequence

from bot import git
from bot.model import Patch, Ref
from bot.survey import homes, look, texts, walk
from bot.survey.decide import Facts
from bot.survey.past import Bring


class Story:
    """The history of one target: its commits, what the patch's files say at each, and which are the same."""

    def __init__(self, graph: walk.Graph, facts: Mapping[str, Facts], keys: Mapping[str, look.Key]) -> None:
        self.graph = graph
        self.facts = facts
        self.keys = keys

    def same(self, one: str, other: str) -> bool:
        """Whether two commits are known to have the same files."""
        return one in self.keys and self.keys[one] == self.keys.get(other)


def part(story: Story, heads: Iterable[str]) -> Story:
    """The same story as far as these heads tell it."""
    return Story(walk.below(story.graph, heads), story.facts, story.keys)


class Ground:
    """The commits `since` the defect came; None where they are not known, and each target is walked alone.

    `known` are readings that need not be made again. What a variant's files are at each commit is found out
    once.
    """

    def __init__(self, store: git.Repo, patch: Patch, since: walk.Graph | None, bring: Bring) -> None:
        self.store = store
        self.patch = patch
        self.since = since or {}
        self.bring = bring
        self.known = look.Known()
        self.seen: dict[str, list[look.Sight]] = {}
        self.told: dict[str, Story] = {}

    def stories(self, wanted: Sequence[look.Sight]) -> dict[str, Story]:
        """The history of each target, by its full name: as far as the defect came, else all of it.

        What lies beside the defect is walked once for all targets of a variant.
        """
        among = [one for one in wanted if one.ref.head in self.since]
        beside = [one for one in wanted if one.ref.head not in self.since]
        found = {one.ref.full: part(self.shared(one), [one.ref.head or ""]) for one in among}
        for variant in dict.fromkeys(one.variant for one in beside):
            found |= self.apart([one for one in beside if one.variant == variant])
        return found

    def apart(self, seen: Sequence[look.Sight]) -> dict[str, Story]:
        """The histories of targets of one variant that do not have the defect's cause."""
        whole = self.alone(seen)
        if len(seen) == 1:
            return {seen[0].ref.full: whole}
        heads = sorted({one.ref.head for one in seen if one.ref.head})
        tips = walk.nearest(walk.newer(self.store, heads, self.causes), whole.graph)
        return {one.ref.full: part(whole, tips.get(one.ref.head or "", frozenset())) for one in seen}

    @property
    def causes(self) -> list[str]:
        return [commit for commit, above in self.since.items() if not above]

    def shared(self, like: look.Sight) -> Story:
        """All that came since the defect, as the files of the target's variant."""
        if like.variant not in self.told:
            seen = self.seen.get(like.variant) or self.sights(like.ref.name, self.since)
            self.told[like.variant] = self.read(self.since, seen)
        return self.told[like.variant]

    def alone(self, seen: Sequence[look.Sight]) -> Story:
        """The history of targets of one variant, but what lies behind those that brought the defect."""
        heads = list(dict.fromkeys(one.ref.head for one in seen if one.ref.head))
        graph = walk.touching(self.store, heads, seen[0].paths, self.causes)
        above = [one for parents in graph.values() for one in parents]
        return self.read(graph, self.sights(seen[0].ref.name, dict.fromkeys([*graph, *above])))

    def read(self, graph: walk.Graph, seen: Sequence[look.Sight]) -> Story:
        facts = texts.of(self.store, self.patch, seen, self.known).facts
        return Story(graph, facts, {one.ref.full: one.key for one in seen})

    def sights(self, name: str, commits: Iterable[str]) -> list[look.Sight]:
        """Look the files up that a branch of this name would have at each commit."""
        refs = [Ref(full=commit, name=name, head=commit) for commit in commits]
        self.bring([ref.full for ref in refs], look.variant_of(self.patch, name)[1])
        return look.sights(self.store, self.patch, refs)

    def look_ahead(self, name: str) -> None:
        """Look up what each commit since the defect has."""
        if self.since:
            seen = self.sights(name, self.since)
            self.seen[seen[0].variant] = seen

    def homes(self, variant: str, wanted: Sequence[tuple[str, str]]) -> list[homes.Homes | homes.Unknown]:
        """Where each anchor of the variant is now, for pairs of (commit, one that still had them)."""
        paths = {change.path for change in self.patch.variants[variant]}
        symbols = tuple(one.symbol for one in self.patch.manifest.anchors if one.file in paths)
        return homes.Search(self.store, symbols).find(wanted) if symbols else [{} for _ in wanted]
