"""Objects of the store: looked up, read and written in batches."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BotError, Exit
from bot.git.beside import beside
from bot.git.calling import Repo, must

SHA1_DIGITS = 40
#: So many objects are worth two processes.
MANY = 200


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An object that a look-up found: its id, type (`blob`, `tree`, `commit`, `tag`) and size in bytes."""

    id: str
    kind: str
    size: int


def look_up(repo: Repo, specs: Sequence[str]) -> dict[str, Entry | None]:
    """One batch look-up of revisions such as `<commit>:<path>`; None where there is no such object."""
    if not specs:
        return {}
    done = must(repo, "cat-file", "--batch-check", data="".join(f"{spec}\n" for spec in specs).encode())
    answers = done.out.decode("utf-8", "surrogateescape").split("\n")[:-1]
    return dict(zip(specs, map(parse_entry, answers), strict=True))


def parse_entry(answer: str) -> Entry | None:
    match answer.rsplit(" ", 2):
        case [oid, kind, size] if size.isdigit():
            return Entry(id=oid, kind=kind, size=int(size))
        case _:
            return None


def contents(repo: Repo, ids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of each object; many by two processes. Raises BotError when one is not there."""
    wanted = list(dict.fromkeys(ids))
    if len(wanted) < MANY:
        return contents_of(repo, wanted)
    others = beside(lambda: contents_of(repo, wanted[1::2]))
    try:
        found = contents_of(repo, wanted[::2])
    finally:
        rest = others.result()
    return found | rest


def contents_of(repo: Repo, wanted: Sequence[str]) -> dict[str, bytes]:
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
    import tempfile

    with tempfile.TemporaryDirectory(prefix="upstream-bot-objects-") as scratch:
        paths = [Path(scratch, str(index)) for index in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text)
        names = "".join(f"{path}\n" for path in paths).encode()
        options = ("-w", "-t", kind, "--no-filters", "--stdin-paths")
        return must(repo, "hash-object", *options, data=names).text.split()


def object_id(kind: str, data: bytes, digits: int) -> str:
    """Git's id of an object, SHA-1 or SHA-256 by its number of hexadecimal digits."""
    algorithm = hashlib.sha1 if digits == SHA1_DIGITS else hashlib.sha256
    return algorithm(f"{kind} {len(data)}\0".encode() + data).hexdigest()


def copy_objects(source: Repo, target: Repo, ids: Sequence[str]) -> None:
    """Copy exactly these objects, in one pack."""
    pack = must(source, "pack-objects", "--stdout", "-q", data="".join(f"{oid}\n" for oid in ids).encode())
    must(target, "index-pack", "--stdin", data=pack.out)
