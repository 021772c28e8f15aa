"""What a tool found in unchanged files under unchanged settings is kept in the cache."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from bot import git
from bot.errors import BotError
from bot.model import Check
from bot.proof.checks.order import CheckOrder, Result, Side
from bot.proof.checks.tools import TOOLS

#: Of the environment, all but the harness that runs tests: pylint looks into installed packages too.
FACTS = ("python", "implementation", "platform", "packages", "lock_sha256")


def key(order: CheckOrder, check: Check, side: Side) -> str:
    """SHA-256 over all that a result depends on, our own reading of the tool included."""
    tool = TOOLS[check.tool]
    parts = {
        "check": (check.tool, check.args),
        "settings": (tool.heeds(side.settings), tool.notes(side.settings)),
        "files": {path: git.object_id("blob", data, git.SHA1_DIGITS) for path, data in side.files.items()},
        "environment": {name: order.environment.facts.get(name) for name in FACTS},
        "reader": reader_sha256(),
    }
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


def reader_sha256() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def recall(order: CheckOrder, keys: set[str]) -> Iterator[tuple[str, Result]]:
    """Yield what is there; a damaged file counts as nothing."""
    for one in () if order.fresh else keys:
        with suppress(OSError, msgspec.DecodeError):
            yield one, msgspec.json.decode(place(order.cache, one).read_bytes(), type=Result)


def keep(order: CheckOrder, one: str, result: Result) -> None:
    """Store a result whole or not at all, unless the tool failed. Raises BotError."""
    if result.reason:
        return
    final = place(order.cache, one)
    draft = final.with_suffix(f".{os.getpid()}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(msgspec.json.encode(result))
        draft.replace(final)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise BotError(
            f"the cache of checks cannot be written: {error.strerror}",
            "free some space or make it writable, or put it elsewhere with UPSTREAM_BOT_CACHE",
        ) from None


def place(cache: Path, one: str) -> Path:
    return cache / "checks" / one[:2] / f"{one}.json"
