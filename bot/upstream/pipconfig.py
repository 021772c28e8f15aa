"""Which package index people configured for pip: its environment variables and configuration files.

The order is pip's own: https://pip.pypa.io/en/stable/topics/configuration/
"""

import configparser
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BotError
from bot.upstream.address import redact_urls

DEFAULT = "https://pypi.org/simple"


@dataclass(frozen=True, kw_only=True)
class Config:
    """`indexes` in the order asked, the main one first; `certificates` a bundle's path or empty."""

    indexes: tuple[str, ...]
    certificates: str = ""

    @property
    def shown(self) -> tuple[str, ...]:
        """The indexes without credentials."""
        return tuple(map(redact_urls, self.indexes))


def read(environ: Mapping[str, str] = os.environ, *, etc: Path = Path("/etc")) -> Config:
    """Environment over files, later files over earlier ones. Only indexes that speak HTTP can be asked."""
    settings = dict(from_files(environ, etc)) | from_environment(environ)
    main = settings.get("index-url", "").strip() or DEFAULT
    if not speaks_http(main):
        hint = "set PIP_INDEX_URL to an http or https address"
        raise BotError(f"the package index {redact_urls(main)!r} is no web address", hint)
    extras = filter(speaks_http, settings.get("extra-index-url", "").split())
    indexes = dict.fromkeys(url.rstrip("/") for url in (main, *extras))
    return Config(indexes=tuple(indexes), certificates=settings.get("cert", ""))


def speaks_http(url: str) -> bool:
    return url.startswith(("https://", "http://"))


def from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    names = {"PIP_INDEX_URL": "index-url", "PIP_EXTRA_INDEX_URL": "extra-index-url", "PIP_CERT": "cert"}
    return {key: environ[name] for name, key in names.items() if environ.get(name)}


def from_files(environ: Mapping[str, str], etc: Path) -> Iterator[tuple[str, str]]:
    """The `[global]` settings of all files, the strongest last."""
    for path in files(environ, etc):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError) as error:
            raise BotError(f"pip's configuration {path} cannot be read: {error}", "correct it") from None
        if parser.has_section("global"):
            yield from ((key.replace("_", "-"), value) for key, value in parser.items("global"))


def files(environ: Mapping[str, str], etc: Path) -> Iterator[Path]:
    """Global, user, environment, PIP_CONFIG_FILE; a PIP_CONFIG_FILE that is there replaces the user's."""
    own = environ.get("PIP_CONFIG_FILE", "")
    if own == os.devnull:
        return
    for directory in (environ.get("XDG_CONFIG_DIRS") or str(etc / "xdg")).split(":"):
        yield Path(directory, "pip", "pip.conf")
    yield etc / "pip.conf"
    if not (own and Path(own).exists()):
        home = Path(environ.get("HOME") or Path.home())
        yield home / ".pip" / "pip.conf"
        yield Path(environ.get("XDG_CONFIG_HOME") or home / ".config", "pip", "pip.conf")
    yield Path(sys.prefix, "pip.conf")
    if own:
        yield Path(own)
