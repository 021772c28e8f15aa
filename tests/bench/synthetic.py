"""Synthetic patches: a comment at the end of a function, in files all over a real tree."""

import ast
import random
from collections.abc import Iterator
from itertools import islice

from msgspec import structs

from bot import git
from bot.model import Anchor, FileChange, Hunk, Patch

LINE = b"    # synthetic\n"
#: As many unchanged lines as git gives on each side.
CONTEXT = 3


def patches(store: git.Repo, head: str, like: Patch, count: int) -> list[Patch]:
    """Patches of `count` files of a commit, always the same; causes and the rest are those of `like`."""
    files = [one for one in git.list_files(store, head, ["megatron"]) if one.path.endswith(".py")]
    random.Random(1).shuffle(files)
    return list(islice(made(store, files, like), count))


def made(store: git.Repo, files: list[git.TreeEntry], like: Patch) -> Iterator[Patch]:
    for file in files:
        text = git.contents(store, [file.id])[file.id]
        if (found := changed(file, text)) is not None:
            symbol, change = found
            manifest = structs.replace(
                like.manifest, anchors=(Anchor(file=file.path, symbol=symbol),), branches=()
            )
            yield structs.replace(like, manifest=manifest, variants=dict.fromkeys(like.variants, (change,)))


def changed(file: git.TreeEntry, text: bytes) -> tuple[str, FileChange] | None:
    """The last long function of a file with a comment more; None where there is none with room around it."""
    lines = text.splitlines(keepends=True)
    names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    for node in reversed(ast.parse(text).body):
        if not isinstance(node, ast.FunctionDef) or names.count(node.name) > 1:
            continue
        at = (node.end_lineno or 0) - 1
        if at - node.lineno > 2 * CONTEXT and at + CONTEXT <= len(lines) and text.endswith(b"\n"):
            return node.name, change(file, lines, at)
    return None


def change(file: git.TreeEntry, lines: list[bytes], at: int) -> FileChange:
    before, after = lines[at - CONTEXT : at], lines[at : at + CONTEXT]
    body = [b" " + line for line in before] + [b"+" + LINE] + [b" " + line for line in after]
    new = b"".join([*lines[:at], LINE, *lines[at:]])
    first = at - CONTEXT + 1
    hunk = Hunk(old_start=first, old_count=6, new_start=first, new_count=7, lines=tuple(body))
    blob = git.object_id("blob", new, len(file.id))
    return FileChange(path=file.path, old_blob=file.id, new_blob=blob, hunks=(hunk,))
