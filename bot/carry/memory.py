"""The heads that were last seen of an upstream, in the user's cache: how a rewritten branch is noticed."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bot.model import Ref
from bot.upstream import stores


def read(cache: Path, spec: str) -> dict[str, str]:
    """Head by full name; nothing when nothing was seen, or the file is damaged."""
    try:
        return msgspec.json.decode(place(cache, spec).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def write(cache: Path, spec: str, refs: Iterable[Ref], before: dict[str, str]) -> None:
    """Remember the heads of `refs` beside those seen before; what is not there any more is forgotten."""
    seen = {ref.full: ref.head for ref in refs if ref.head}
    gone = {ref.full for ref in refs if ref.missing}
    kept = {full: head for full, head in before.items() if full not in gone} | seen
    if kept != before:
        path = place(cache, spec)
        path.parent.mkdir(parents=True, exist_ok=True)
        stores.keep(path.parent, path.name, msgspec.json.encode(kept))


def place(cache: Path, spec: str) -> Path:
    return cache / "seen" / f"{hashlib.sha256(spec.encode()).hexdigest()[:32]}.json"
