"""Settings: what the environment may say to us, and where caches live. An unknown key is an error."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from bot.errors import BotError, nearest

KNOWN = ("UPSTREAM_BOT_UPSTREAM", "UPSTREAM_BOT_PATCHES", "UPSTREAM_BOT_CACHE", "UPSTREAM_BOT_ALLOW")


class Settings(Struct, frozen=True, kw_only=True):
    """`upstream` overrides the manifest's upstream when not empty; `patches` and `cache` are directories.

    `allow` are ids of the accounts that may command the bot beside those who may write.
    """

    upstream: str
    patches: Path
    cache: Path
    allow: frozenset[int] = frozenset()


def read(environ: Mapping[str, str] = os.environ, *, patches: str = "") -> Settings:
    """Settings from the environment; `patches` is the command line's and wins."""
    unknown = sorted(key for key in environ if key.startswith("UPSTREAM_BOT_") and key not in KNOWN)
    if unknown:
        known = nearest(unknown[0], list(KNOWN)) or ", ".join(KNOWN)
        raise BotError(f"unknown setting {unknown[0]} in the environment", f"known: {known}")
    return Settings(
        upstream=environ.get("UPSTREAM_BOT_UPSTREAM", ""),
        patches=Path(patches or environ.get("UPSTREAM_BOT_PATCHES") or "patches"),
        cache=cache_directory(environ),
        allow=accounts(environ.get("UPSTREAM_BOT_ALLOW", "")),
    )


def accounts(text: str) -> frozenset[int]:
    """Numeric account ids with commas between them: a login can be given up and taken by somebody else."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    wrong = next((word for word in words if not re.fullmatch(r"[1-9][0-9]{0,18}", word)), None)
    if wrong is not None:
        hint = "give numbers with commas between them; GitHub's API tells them at `/users/LOGIN`"
        raise BotError(f"UPSTREAM_BOT_ALLOW holds {wrong[:60]!r}, which is no account id", hint)
    return frozenset(map(int, words))


def cache_directory(environ: Mapping[str, str]) -> Path:
    """`UPSTREAM_BOT_CACHE`, else `upstream-bot` in the user's cache directory (XDG base directories)."""
    own = environ.get("UPSTREAM_BOT_CACHE", "")
    if own:
        return Path(own).absolute()
    home = environ.get("XDG_CACHE_HOME", "")
    base = Path(home) if home.startswith("/") else Path(environ.get("HOME") or Path.home()) / ".cache"
    return base / "upstream-bot"
