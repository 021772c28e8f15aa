"""Why an absent file may still be there: an object on the way to it, or its blob, is not stored."""

from collections.abc import Mapping, Sequence

from bot import git
from bot.errors import BotError

FOLDER, SUBMODULE = b"40000", b"160000"


def doubts(store: git.Repo, specs: Sequence[str]) -> dict[str, str]:
    """The reason for each `<commit>:<path>` that git found nothing at and that may be there after all.

    Two look-ups for all of them; one by one only where git gives up, which a bad object can make it do.
    """
    try:
        return doubts_at_once(store, specs)
    except BotError:
        return {spec: why for spec in specs if (why := doubt(store, spec))}


def doubts_at_once(store: git.Repo, specs: Sequence[str]) -> dict[str, str]:
    wanted = {spec: folders(spec) for spec in specs}
    entries = git.look_up(store, list(dict.fromkeys(one for above in wanted.values() for one in above)))
    trees = {spec: entry.id for spec, entry in entries.items() if entry and entry.kind == "tree"}
    raw = git.contents(store, trees.values())
    listed = {oid: git.tree_entries(data, len(oid) // 2) for oid, data in raw.items()}
    names = {spec: listed[oid] for spec, oid in trees.items()}
    return {spec: why for spec, above in wanted.items() if (why := why_absent(spec, above, names))}


def folders(spec: str) -> list[str]:
    """The folders above the file, the root first."""
    commit, path = spec.split(":", 1)
    parts = path.split("/")
    return [f"{commit}:{'/'.join(parts[:depth])}" for depth in range(len(parts))]


def why_absent(spec: str, above: Sequence[str], listed: Mapping[str, Mapping[bytes, git.Child]]) -> str:
    """The first object on the way that a folder lists and that is not here; "" where the path just ends."""
    path = spec.split(":", 1)[1]
    if above[0] not in listed:
        return f"the tree of {spec.split(':')[0]} is not in the store"
    for folder, below, name in zip(above, (*above[1:], spec), path.split("/"), strict=True):
        child = listed[folder].get(name.encode())
        if child is None or (child.mode == FOLDER) != (below != spec):
            return ""
        if below not in listed:
            return "" if child.mode == SUBMODULE else f"object {child.id} of {path} is not in the store"
    return ""


def doubt(store: git.Repo, spec: str) -> str:
    commit, path = spec.split(":", 1)
    try:
        entries = git.list_files(store, commit, [path])
    except BotError as error:
        return error.message
    blobs = [entry for entry in entries if entry.path == path and entry.kind == "blob"]
    return f"object {blobs[0].id} of {path} is not in the store" if blobs else ""
