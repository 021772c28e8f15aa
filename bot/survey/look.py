"""What the object store holds for each target: file versions by one batch look-up, work by distinct blobs."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import field, structs

from bot import catalog, git
from bot.errors import BotError
from bot.model import FileChange, Patch, Ref, Value
from bot.survey import absence, apply, merge, places, reading


class Sight(Value, frozen=True, kw_only=True):
    """One target: its variant, and the blob of each touched file (None where it has none)."""

    ref: Ref
    variant: str
    paths: tuple[str, ...] = ()
    blobs: tuple[str | None, ...] = ()
    problem: str = ""

    @property
    def specs(self) -> tuple[str, ...]:
        """What git looks up for it; nothing for a ref without a head."""
        missing = self.ref.missing or not self.ref.head
        return () if missing else tuple(f"{self.ref.head}:{path}" for path in self.paths)

    @property
    def whole(self) -> bool:
        """Whether the store told all that there is to know of its files."""
        return bool(self.blobs) and not self.problem

    @property
    def key(self) -> tuple[str, tuple[str | None, ...]]:
        """Targets with the same key share all work on texts."""
        return self.variant, self.blobs


#: Variant, and the blob of each of its files.
Key = tuple[str, tuple[str | None, ...]]
Readings = dict[Key, tuple[reading.Reading, ...]]
NONE: Mapping[str, bytes] = {}


class Known(Value, frozen=True, kw_only=True):
    """What need not be made again: readings, and what is prepared for each variant and path."""

    readings: Readings = field(default_factory=dict)
    works: dict[tuple[str, str], places.Work] = field(default_factory=dict)


def sights(store: git.Repo, patch: Patch, refs: Sequence[Ref]) -> list[Sight]:
    named = {name: variant_of(patch, name) for name in {ref.name for ref in refs}}
    wanted = [sight(ref, *named[ref.name]) for ref in refs]
    specs = [spec for one in wanted if not one.problem for spec in one.specs]
    blobs, problems = versions(store, list(dict.fromkeys(specs)))
    return [seen(one, blobs, problems) for one in wanted]


def variant_of(patch: Patch, name: str) -> tuple[str, tuple[str, ...]]:
    """The variant for a branch of this name, and the files that it touches."""
    variant = catalog.variant_for(patch, name).path
    return variant, tuple(change.path for change in patch.variants[variant])


def sight(ref: Ref, variant: str, paths: tuple[str, ...]) -> Sight:
    problem = ref.problem or ("" if ref.head or ref.missing else "its head was not brought")
    return Sight(ref=ref, variant=variant, paths=paths, problem=problem)


def seen(one: Sight, blobs: Mapping[str, str | None], problems: Mapping[str, str]) -> Sight:
    if one.problem or not one.specs:
        return one
    problem = next((problems[spec] for spec in one.specs if spec in problems), "")
    return structs.replace(one, blobs=tuple(blobs[spec] for spec in one.specs), problem=problem)


def versions(store: git.Repo, specs: Sequence[str]) -> tuple[dict[str, str | None], dict[str, str]]:
    """The blob behind each `<commit>:<path>`, None where the tree has no such file; and what went wrong."""
    entries = look_up(store, specs)
    blobs: dict[str, str | None] = {
        spec: entry.id for spec, entry in entries.items() if entry and entry.kind == "blob"
    }
    absent = [spec for spec in specs if spec not in blobs]
    blobs.update(dict.fromkeys(absent))
    return blobs, absence.doubts(store, absent)


def look_up(store: git.Repo, specs: Sequence[str]) -> Mapping[str, git.Entry | None]:
    """All at once; nothing at all when git gives up, which one bad object can make it do."""
    try:
        return git.look_up(store, specs)
    except BotError:
        return {spec: one for spec in specs if (one := look_up_alone(store, spec))}


def look_up_alone(store: git.Repo, spec: str) -> git.Entry | None:
    try:
        return git.look_up(store, [spec])[spec]
    except BotError:
        return None


def read_all(store: git.Repo, patch: Patch, seen: Sequence[Sight], known: Known) -> Readings:
    """The readings of each distinct (variant, blobs): the only work that grows with the upstream.

    Those that are `known` are taken from there, and what is prepared is kept there.
    """
    wanted = dict.fromkeys(one.key for one in seen if one.whole)
    made = read_keys(store, patch, [key for key in wanted if key not in known.readings], known)
    return {key: known.readings[key] if key in known.readings else made[key] for key in wanted}


def read_keys(store: git.Repo, patch: Patch, keys: Sequence[Key], known: Known) -> Readings:
    data = git.contents(store, (blob for _, blobs in keys for blob in blobs if blob))
    found = {}
    for variant in dict.fromkeys(variant for variant, _ in keys):
        columns = zip(*(blobs for name, blobs in keys if name == variant), strict=True)
        for change, column in zip(patch.variants[variant], columns, strict=True):
            place = variant, change.path
            known.works[place] = known.works.get(place) or prepare(store, patch, change, data)
            found[place] = read_file(store, known.works[place], {blob: data[blob] for blob in column if blob})
    return {
        (variant, blobs): tuple(
            found[variant, change.path][blob]
            for change, blob in zip(patch.variants[variant], blobs, strict=True)
        )
        for variant, blobs in keys
    }


def read_file(
    store: git.Repo, work: places.Work, texts: Mapping[str, bytes]
) -> dict[str | None, reading.Reading]:
    """The reading of each version of one file; that of None is the reading of no file."""
    opened = {blob: reading.open_text(work, data) for blob, data in texts.items()}
    judged = {blob: one for blob, one in opened.items() if isinstance(one, reading.Text)}
    merges = merged_texts(store, work, list(judged.values()))
    done: dict[str | None, reading.Reading] = {None: reading.without_file(work)}
    done.update((blob, one) for blob, one in opened.items() if isinstance(one, reading.Reading))
    pairs = zip(judged.items(), merges, strict=True)
    done.update((blob, reading.judge(one, clean)) for (blob, one), clean in pairs)
    return done


def merged_texts(store: git.Repo, work: places.Work, texts: Sequence[reading.Text]) -> Iterator[bytes | None]:
    """What a merge gives for each text, tried only where it could be something else than the application."""
    settled = [one.settled for one in texts]
    asked = [one.data for one, known in zip(texts, settled, strict=True) if not known]
    merges = iter(merge.merge(store, work.base, asked))
    return (one.applied.data if known else next(merges) for one, known in zip(texts, settled, strict=True))


def prepare(
    store: git.Repo, patch: Patch, change: FileChange, texts: Mapping[str, bytes] = NONE
) -> places.Work:
    """What is asked of every version of a file; `texts` are blobs that were read already."""
    symbols = tuple(one.symbol for one in patch.manifest.anchors if one.file == change.path)
    base = texts.get(change.old_blob) or base_of(store, change)
    if base is None:
        return places.Work(change=change, symbols=symbols, base=None)
    done = apply.apply(base, change.hunks)
    if done.data is None:
        raise BotError(
            f"the patch does not apply to its own base {change.old_blob} of {change.path}",
            "the recorded base is wrong: make the patch again on it",
        )
    before, after = places.find_all(base, symbols), places.find_all(done.data, symbols)
    owners = places.owners(before, after, change.hunks)
    return places.Work(
        change=change, symbols=symbols, base=places.Base(before=base, after=done.data, owners=owners)
    )


def base_of(store: git.Repo, change: FileChange) -> bytes | None:
    entry = look_up(store, [change.old_blob]).get(change.old_blob)
    return git.contents(store, [entry.id])[entry.id] if entry and entry.kind == "blob" else None
