"""What the files of many targets say about the patch; targets with the same blobs share the work."""

from collections.abc import Sequence

from bot import git
from bot.model import Patch, Ref, Value
from bot.survey import combine, look
from bot.survey.decide import Facts


class Texts(Value, frozen=True, kw_only=True):
    """`seen` in the order of the refs; `facts` by the refs' full names."""

    seen: tuple[look.Sight, ...]
    readings: look.Readings
    facts: dict[str, Facts]


def read(store: git.Repo, patch: Patch, refs: Sequence[Ref], known: look.Readings | None = None) -> Texts:
    """Read the touched files of every ref, but what is `known`. The cause is not asked for here."""
    return of(store, patch, look.sights(store, patch, refs), known)


def of(
    store: git.Repo, patch: Patch, seen: Sequence[look.Sight], known: look.Readings | None = None
) -> Texts:
    """The same where the files were looked up already."""
    readings = look.read_all(store, patch, seen, known or {})
    told = {key: combine.facts(made, where(patch, key[0])) for key, made in readings.items()}
    facts = {one.ref.full: told[one.key] if one.whole else without_texts(one) for one in seen}
    return Texts(seen=tuple(seen), readings=readings, facts=facts)


def where(patch: Patch, variant: str) -> str:
    """The anchors in the variant's files, else the files."""
    paths = [change.path for change in patch.variants[variant]]
    symbols = [anchor.symbol for anchor in patch.manifest.anchors if anchor.file in paths]
    return " and ".join(symbols or paths)


def without_texts(sight: look.Sight) -> Facts:
    return Facts(missing=sight.ref.missing, problem=sight.problem)
