"""What the files of many targets say about the patch; targets with the same blobs share the work."""

from collections import Counter
from collections.abc import Sequence

from msgspec import structs

from bot import git
from bot.model import Patch, Ref, Value
from bot.survey import combine, links, look, places
from bot.survey.decide import Facts


class Texts(Value, frozen=True, kw_only=True):
    """`seen` in the order of the refs; `facts` by the refs' full names."""

    seen: tuple[look.Sight, ...]
    readings: look.Readings
    facts: dict[str, Facts]
    works: dict[tuple[str, str], places.Work]

    @property
    def known(self) -> look.Known:
        """What those who read other versions of these files can take from here."""
        return look.Known(readings=self.readings, works=self.works)


def read(store: git.Repo, patch: Patch, refs: Sequence[Ref]) -> Texts:
    """Read the touched files of every ref. The cause is not asked for here."""
    made = of(store, patch, look.sights(store, patch, refs), look.Known())
    linked = links.problems(store, made.seen, made.readings)
    doubts = {full: Facts(problem=problem) for full, problem in linked.items()}
    return structs.replace(made, facts={**made.facts, **doubts}) if doubts else made


def of(store: git.Repo, patch: Patch, seen: Sequence[look.Sight], known: look.Known) -> Texts:
    """The same where the files were looked up already, but what is `known`."""
    readings = look.read_all(store, patch, seen, known)
    told = {key: combine.facts(made, where(patch, key[0])) for key, made in readings.items()}
    facts = {one.ref.full: told[one.key] if one.whole else without_texts(one) for one in seen}
    return Texts(seen=tuple(seen), readings=readings, facts=facts, works=known.works)


def where(patch: Patch, variant: str) -> str:
    """The anchors in the variant's files, with the file where two have one name; else the files."""
    paths = [change.path for change in patch.variants[variant]]
    anchors = [anchor for anchor in patch.manifest.anchors if anchor.file in paths]
    count = Counter(anchor.symbol for anchor in anchors)
    symbols = [one.symbol if count[one.symbol] == 1 else f"{one.symbol} of {one.file}" for one in anchors]
    return " and ".join(symbols or paths)


def without_texts(sight: look.Sight) -> Facts:
    return Facts(missing=sight.ref.missing, problem=sight.problem)
