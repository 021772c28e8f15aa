"""Small git verbs over the process launcher. Each names its repository; none uses a working tree."""

import hashlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot import proc
from bot.errors import BotError, Exit

#: Prompts would hang us, optional locks would write to other people's repositories, and every other GIT_*
#: variable (a hook's GIT_DIR, say) would make git look elsewhere: proc's allow-list keeps those out.
FIXED = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
}
#: Where people's own configuration and credentials live; git needs them to fetch.
SHA1_DIGITS = 40
PASSED = ("GIT_SSL_CAINFO", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_AUTH_SOCK", "SSH_ASKPASS")


@dataclass(frozen=True, kw_only=True)
class Repo:
    """A git directory. `path` is given to git as `--git-dir`."""

    path: Path


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An object that a look-up found: its id, type (`blob`, `tree`, `commit`, `tag`) and size in bytes."""

    id: str
    kind: str
    size: int


def call(
    repo: Repo, *args: str, data: bytes = b"", env: Mapping[str, str] = {}, timeout: float | None = None
) -> proc.Completed:
    """Run git on `repo` and return whatever came out."""
    # The owner named this repository: git's ownership check is for repositories found by accident.
    argv = ("git", "-c", "safe.directory=*", f"--git-dir={repo.path}", *args)
    return proc.run(argv, env=proc.environment({**FIXED, **env}, also=PASSED), data=data, timeout=timeout)


def must(repo: Repo, *args: str, data: bytes = b"", env: Mapping[str, str] = {}) -> proc.Completed:
    """Run git on `repo`; a failure is a BotError that quotes git's own sentence."""
    done = call(repo, *args, data=data, env=env)
    if done.code:
        raise BotError(f"git {args[0]} failed: {done.complaint}", storage_hint(done.complaint))
    return done


def storage_hint(complaint: str) -> str:
    """What to do about git's complaint, when it is about the disk."""
    lowered = complaint.lower()
    if "no space left" in lowered or "quota" in lowered:
        return "free some space, or put the cache elsewhere with UPSTREAM_BOT_CACHE"
    if "permission denied" in lowered or "read-only file system" in lowered:
        return "make the cache writable, or put it elsewhere with UPSTREAM_BOT_CACHE"
    return ""


def look_up(repo: Repo, specs: Sequence[str]) -> dict[str, Entry | None]:
    """One batch look-up of revisions such as `<commit>:<path>`; None where there is no such object."""
    if not specs:
        return {}
    done = must(repo, "cat-file", "--batch-check", data="".join(f"{spec}\n" for spec in specs).encode())
    answers = done.out.decode("utf-8", "surrogateescape").splitlines()
    return dict(zip(specs, map(parse_entry, answers), strict=True))


def parse_entry(answer: str) -> Entry | None:
    match answer.rsplit(" ", 2):
        case [oid, kind, size] if size.isdigit():
            return Entry(id=oid, kind=kind, size=int(size))
        case _:
            return None


def contents(repo: Repo, ids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of each object, in one process. Raises BotError when one is not there."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}
    out = must(repo, "cat-file", "--batch", data="".join(f"{oid}\n" for oid in wanted).encode()).out
    found, at = {}, 0
    for oid in wanted:
        end = out.index(b"\n", at)
        entry = parse_entry(out[at:end].decode())
        if entry is None:
            raise BotError(
                f"object {oid} is not in the store", "fetch again; a shallow or partial clone may lack it"
            )
        found[oid] = out[end + 1 : end + 1 + entry.size]
        at = end + entry.size + 2
    return found


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


def write_blob(repo: Repo, data: bytes) -> str:
    return must(repo, "hash-object", "-w", "-t", "blob", "--stdin", data=data).text


def write_blobs(repo: Repo, texts: Sequence[bytes], digits: int) -> list[str]:
    """The ids of all these texts, of that many digits; the store has them afterwards."""
    return write_objects(repo, "blob", texts, digits)


def write_objects(repo: Repo, kind: str, texts: Sequence[bytes], digits: int) -> list[str]:
    """Write what is not there yet: git would touch the files of what is, in an alternate of ours too."""
    ids = [object_id(kind, text, digits) for text in texts]
    there = look_up(repo, list(dict.fromkeys(ids)))
    missing = {oid: text for oid, text in zip(ids, texts, strict=True) if there[oid] is None}
    if list(missing) != write_new(repo, kind, list(missing.values())):
        raise BotError("git gave an object another id than we did", "this is a bug of upstream-bot", Exit.BUG)
    return ids


def write_new(repo: Repo, kind: str, texts: Sequence[bytes]) -> list[str]:
    if not texts:
        return []
    with tempfile.TemporaryDirectory(prefix="upstream-bot-objects-") as scratch:
        paths = [Path(scratch, str(index)) for index in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text)
        names = "".join(f"{path}\n" for path in paths).encode()
        options = ("-w", "-t", kind, "--no-filters", "--stdin-paths")
        return must(repo, "hash-object", *options, data=names).text.split()


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


def object_id(kind: str, data: bytes, digits: int) -> str:
    """Git's id of an object, SHA-1 or SHA-256 by its number of hexadecimal digits."""
    algorithm = hashlib.sha1 if digits == SHA1_DIGITS else hashlib.sha256
    return algorithm(f"{kind} {len(data)}\0".encode() + data).hexdigest()


def is_ancestor(repo: Repo, older: str, newer: str) -> bool | None:
    """Whether `older` is an ancestor of `newer`; None when the history here cannot tell."""
    code = call(repo, "merge-base", "--is-ancestor", "--end-of-options", older, newer).code
    return {0: True, 1: False}.get(code)


@dataclass(frozen=True, kw_only=True)
class Merged:
    """The tree of a clean merge; else the files that conflict, or why git could not merge at all."""

    tree: str | None = None
    conflicts: tuple[str, ...] = ()
    problem: str = ""


#: Git's own defaults: people's configuration must not change what a merge gives.
MERGING = (
    "-c", "merge.renames=true", "-c", "merge.directoryRenames=conflict", "-c", "merge.renormalize=false",
)  # fmt: skip


def merge_commits(repo: Repo, ours: str, theirs: str) -> Merged:
    """Merge two commits in the object store; the tree is written, and no commit is made."""
    options = ("--write-tree", "-z", "--name-only", "--no-messages", "--end-of-options")
    done = call(repo, *MERGING, "merge-tree", *options, ours, theirs)
    tree, *names = done.out.decode("utf-8", "surrogateescape").split("\0")
    if done.code == 0:
        return Merged(tree=tree)
    if done.code == 1 and any(names):
        return Merged(conflicts=tuple(filter(None, names)))
    if hint := storage_hint(done.complaint):
        raise BotError(f"git merge-tree failed: {done.complaint}", hint)
    return Merged(problem=f"git merge-tree failed: {done.complaint}")


def copy_objects(source: Repo, target: Repo, ids: Sequence[str]) -> None:
    """Copy exactly these objects, in one pack."""
    pack = must(source, "pack-objects", "--stdout", "-q", data="".join(f"{oid}\n" for oid in ids).encode())
    must(target, "index-pack", "--stdin", data=pack.out)


def merge_bases(repo: Repo, *commits: str) -> list[str]:
    """The best common ancestors of all these commits; none where their histories here do not meet."""
    return call(repo, "merge-base", "--all", "--octopus", "--end-of-options", *commits).text.split()


def changed_files(repo: Repo, before: str, after: str) -> dict[str, str | None]:
    """Each file that differs between two trees or commits, with its id in `after`: None where it is gone."""
    options = ("-r", "-z", "--raw", "--no-renames", "--end-of-options")
    out = must(repo, "diff-tree", *options, before, after).out.decode("utf-8", "surrogateescape")
    fields = out.split("\0")[:-1]
    ids = (record.split(" ")[3] for record in fields[::2])
    return {path: oid if oid.strip("0") else None for oid, path in zip(ids, fields[1::2], strict=True)}
