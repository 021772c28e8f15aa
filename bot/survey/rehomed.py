"""A file that was renamed: what the patch is to the text at its new place."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from bot import git
from bot.model import PROVABLE, FileChange, Patch, State
from bot.survey import combine, found, look, texts
from bot.survey.decide import decide
from bot.survey.found import Finding
from bot.survey.homes import Homes
from bot.survey.reading import Reading


def find(store: git.Repo, patch: Patch, sight: look.Sight, homes: Homes) -> Finding | None:
    """The finding at the new place, when each absent file has just one; None when only functions moved."""
    changes = patch.variants[sight.variant]
    places = {
        change.path: new_place(patch, change, homes) if blob is None else change.path
        for change, blob in zip(changes, sight.blobs, strict=True)
    }
    if not all(places.values()) or all(old == new for old, new in places.items()):
        return None
    moved = structs.replace(sight, paths=tuple(places.values()))
    blobs, problems = look.versions(store, list(moved.specs))
    if problems or not all(blobs.values()):
        return None
    moved = structs.replace(moved, blobs=tuple(blobs[spec] for spec in moved.specs))
    return decided(moved, read(store, patch, changes, moved), places, texts.where(patch, sight.variant))


def new_place(patch: Patch, change: FileChange, homes: Homes) -> str:
    """The one file that has all anchors of this one now; "" when there is none, or more."""
    symbols = [anchor.symbol for anchor in patch.manifest.anchors if anchor.file == change.path]
    found = {place.path for symbol in symbols for place in homes.get(symbol, ()) if place.exact}
    return found.pop() if len(found) == 1 else ""


def read(
    store: git.Repo, patch: Patch, changes: Sequence[FileChange], moved: look.Sight
) -> tuple[Reading, ...]:
    data = git.contents(store, filter(None, moved.blobs))
    made = []
    for change, path, blob in zip(changes, moved.paths, moved.blobs, strict=True):
        work = look.prepare(store, patch, change)
        work = structs.replace(work, change=structs.replace(change, path=path))
        made.append(look.read_file(store, work, {blob or "": data[blob or ""]})[blob])
    return tuple(made)


def decided(moved: look.Sight, readings: Sequence[Reading], places: Mapping[str, str], where: str) -> Finding:
    """What fits at another path fits by a merge that follows the rename, and never exactly."""
    told = " and ".join(f"{old} is {new} now" for old, new in places.items() if old != new)
    facts = combine.facts(readings, where)
    state, _ = decide(facts)
    made = found.make(moved, facts, readings)
    if state in PROVABLE:
        return structs.replace(
            made,
            state=State.APPLIES_MERGED,
            detail=f"{told}: it applies there, and the patch needs a refresh",
        )
    return structs.replace(made, detail=f"{told}: {made.detail}")
