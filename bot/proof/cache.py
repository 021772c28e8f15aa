"""The evidence cache: a target that has not changed is not run again."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from bot.errors import BotError
from bot.model import Patch, Subject, TargetEvidence, Value, Verdict
from bot.proof.environments import Environment

#: What a machine's bad moment can cause is tried again the next time.
PASSING = frozenset({Verdict.INCONCLUSIVE, Verdict.NOT_RUN})


def key(patch: Patch, subject: Subject, environment: Environment, how: dict[str, object]) -> str:
    """SHA-256 over all that an outcome depends on: trees, patch, probes, how they are declared and run."""
    manifest = patch.manifest
    parts = {
        "trees": (subject.before_tree, subject.after_tree),
        "patch": patch.patch_sha256,
        "probes": patch.probes_sha256,
        "declared": (
            manifest.probes,
            manifest.keep,
            manifest.hazards,
            manifest.checks,
            manifest.environment,
            manifest.anchors,
        ),
        "environment": environment.sha256,
        "how": how,
    }
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


class Stored(Value, frozen=True, kw_only=True):
    """A target's evidence, and the isolation under which its outcomes came about."""

    target: TargetEvidence
    isolation: str


def read(cache: Path, digest: str) -> Stored | None:
    """Return what was stored; a damaged or foreign file counts as nothing."""
    with suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
        return msgspec.json.decode(place(cache, digest).read_bytes(), type=Stored)
    return None


def write(cache: Path, digest: str, stored: Stored) -> None:
    """Store a target's evidence whole or not at all. Raises BotError when the cache cannot be written."""
    if stored.target.verdict in PASSING:
        return
    final = place(cache, digest)
    temporary = final.with_suffix(f".{os.getpid()}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(msgspec.json.encode(stored))
        temporary.replace(final)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise BotError(
            f"the evidence cache cannot be written: {error.strerror}",
            "free some space or make it writable, or put it elsewhere with UPSTREAM_BOT_CACHE",
        ) from None


def place(cache: Path, digest: str) -> Path:
    return cache / "evidence" / digest[:2] / f"{digest}.json"
