"""Trees: listed, read raw, compared, and made with some files replaced."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.errors import BotError
from bot.git.calling import Repo, must
from bot.git.objects import contents, look_up, object_id, write_objects


@dataclass(frozen=True, kw_only=True)
class TreeEntry:
    """One file of a tree: `mode` as git writes it (`100644`, `120000` a symlink, `160000` a submodule)."""

    mode: str
    kind: str
    id: str
    path: str


def list_files(repo: Repo, tree: str, paths: Sequence[str] = ()) -> tuple[TreeEntry, ...]:
    """All files of `tree` below `paths` (all of it when empty); paths are plain prefixes, not patterns."""
    # ls-tree takes its paths as literal prefixes: no pathspec magic to escape.
    out = must(repo, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree, *paths).out
    return tuple(map(parse_tree_entry, out.decode("utf-8", "surrogateescape").split("\0")[:-1]))


def parse_tree_entry(record: str) -> TreeEntry:
    head, path = record.split("\t", 1)
    mode, kind, oid = head.split(" ")
    return TreeEntry(mode=mode, kind=kind, id=oid, path=path)


def files_of(repo: Repo, commits: Sequence[str], paths: Sequence[str]) -> set[str]:
    """The ids of these files in all these commits, also of blobs that are not in the store."""
    folders_of = {
        (commit, path): f"{commit}:{path.rpartition('/')[0]}" for commit in commits for path in paths
    }
    trees = look_up(repo, list(dict.fromkeys(folders_of.values())))
    raw = contents(repo, [tree.id for tree in trees.values() if tree and tree.kind == "tree"])
    entries = {oid: tree_entries(data, len(oid) // 2) for oid, data in raw.items()}
    return {
        entries[tree.id][name].id
        for (_, path), spec in folders_of.items()
        if (tree := trees[spec]) and (name := path.rpartition("/")[2].encode()) in entries.get(tree.id, {})
    }


def modes_of(repo: Repo, specs: Sequence[str]) -> dict[str, bytes]:
    """The mode of each `<commit>:<path>`, as a raw tree writes it; nothing of what is not there."""
    folders_of = {spec: spec[: max(spec.rfind("/"), spec.index(":") + 1)] for spec in specs}
    trees = look_up(repo, list(dict.fromkeys(folders_of.values())))
    raw = contents(repo, [tree.id for tree in trees.values() if tree and tree.kind == "tree"])
    listed = {oid: tree_entries(data, len(oid) // 2) for oid, data in raw.items()}
    found = {}
    for spec, folder in folders_of.items():
        tree, name = trees[folder], spec[len(folder) :].lstrip("/").encode("utf-8", "surrogateescape")
        if tree and (child := listed.get(tree.id, {}).get(name)):
            found[spec] = child.mode
    return found


@dataclass(frozen=True, kw_only=True)
class Child:
    """One entry of a raw tree: `mode` as git writes it there (`40000` is a folder)."""

    mode: bytes
    id: str


def tree_entries(data: bytes, size: int) -> dict[bytes, Child]:
    """The entries of a raw tree by name; an id has `size` bytes."""
    found, start = {}, 0
    while start < len(data):
        end = data.index(b"\0", start)
        mode, _, name = data[start:end].partition(b" ")
        found[name] = Child(mode=mode, id=data[end + 1 : end + 1 + size].hex())
        start = end + 1 + size
    return found


def trees_with(repo: Repo, wanted: Sequence[tuple[str, Mapping[str, str]]]) -> list[str]:
    """The id of each tree with the blobs of some existing files replaced, by path; two processes in all.

    Modes are kept. Raises BotError when a path is not in its tree.
    """
    specs = [f"{tree}:{folder}" for tree, blobs in wanted for folder in folders(blobs)]
    entries = look_up(repo, list(dict.fromkeys(specs)))
    raw = contents(repo, [entry.id for entry in entries.values() if entry])
    found = {spec: raw[entry.id] for spec, entry in entries.items() if entry}
    made: dict[str, bytes] = {}
    roots = [replaced(found, tree, blobs, made) for tree, blobs in wanted]
    for tree, _ in wanted[:1]:
        write_objects(repo, "tree", list(made.values()), len(tree))
    return roots


def folders(paths: Iterable[str]) -> set[str]:
    """Every folder above the paths; the root is the empty name."""
    return {
        "/".join(parts[:depth])
        for parts in (path.split("/") for path in paths)
        for depth in range(len(parts))
    }


def replaced(found: Mapping[str, bytes], tree: str, blobs: Mapping[str, str], made: dict[str, bytes]) -> str:
    """Rewrite the folders above the blobs, deepest first, into `made` by id; return the root's id."""
    now = dict(blobs)
    for folder in sorted(folders(blobs), key=lambda name: (-len(name.split("/")), name == "")):
        data = found.get(f"{tree}:{folder}", b"")
        for path in [path for path in now if path.rpartition("/")[0] == folder]:
            data = replace_entry(
                data, path.rpartition("/")[2].encode("utf-8", "surrogateescape"), now.pop(path)
            )
        now[folder] = object_id("tree", data, len(tree))
        made[now[folder]] = data
    return now.get("", tree)


def replace_entry(data: bytes, name: bytes, oid: str) -> bytes:
    """Put another id into a raw tree: entries are `mode SP name NUL id`, the id in bytes."""
    size, start = len(oid) // 2, 0
    while start < len(data):
        end = data.index(b"\0", start) + 1
        if data[start : end - 1].partition(b" ")[2] == name:
            return data[:end] + bytes.fromhex(oid) + data[end + size :]
        start = end + size
    raise BotError(f"{name.decode('utf-8', 'replace')} is not in the tree", "survey the branch again")


def changed_files(repo: Repo, before: str, after: str) -> dict[str, str | None]:
    """Each file that differs between two trees or commits, with its id in `after`: None where it is gone."""
    options = ("-r", "-z", "--raw", "--no-renames", "--end-of-options")
    out = must(repo, "diff-tree", *options, before, after).out.decode("utf-8", "surrogateescape")
    fields = out.split("\0")[:-1]
    ids = (record.split(" ")[3] for record in fields[::2])
    return {path: oid if oid.strip("0") else None for oid, path in zip(ids, fields[1::2], strict=True)}


def changed_between(
    repo: Repo, pairs: Sequence[tuple[str, str]], paths: Sequence[str] = ()
) -> list[dict[str, str]]:
    """For each pair of trees, the files of the second that the first has not so, by path.

    `paths` are patterns as git reads them; all files when empty.
    """
    data = "".join(f"{before} {after}\n" for before, after in pairs).encode()
    options = ("--stdin", "-r", "-z", "--raw", "--no-renames", "--diff-filter=d", "--")
    out = must(repo, "diff-tree", *options, *paths, data=data).out
    found: dict[tuple[str, str], dict[str, str]] = {}
    for before, after, records in DIFFERENCES.findall(out):
        found[before.decode(), after.decode()] = dict(map(named_id, RECORD.findall(records)))
    return [found.get(pair, {}) for pair in pairs]


#: Two trees, and what differs; after that each file that is there now, but no submodule.
DIFFERENCES = re.compile(rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n((?::[^\0]*\0[^\0]*\0)*)")
RECORD = re.compile(rb":[0-7]+ (?!160000)[0-7]+ [0-9a-f]+ ([0-9a-f]+) \w+\0([^\0]*)\0")


def named_id(record: tuple[bytes, bytes]) -> tuple[str, str]:
    oid, path = record
    return path.decode("utf-8", "surrogateescape"), oid.decode()
