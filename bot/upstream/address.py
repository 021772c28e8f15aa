"""Addresses of git upstreams: which we take, and how they are shown without their credentials."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from bot.errors import BotError

#: What git may speak. Its helpers (`ext::`, `fd::`, …) run programs that the address names.
SCHEMES = ("https", "http", "ssh", "git", "file")
URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
HELPER = re.compile(r"^[A-Za-z0-9][A-Za-z0-9+.-]*::")
SCP_LIKE = re.compile(r"^(?P<host>[^/:]+|[^/]*\[[^/]+\]):(?P<path>.*)$", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Address:
    """`url` is for git alone; `shown` is for people and files; `secrets` must appear in neither."""

    url: str
    shown: str
    secrets: tuple[str, ...] = ()

    def redact(self, text: str) -> str:
        """Foreign text about this address without its credentials."""
        for secret in (self.url, *self.secrets):
            text = text.replace(secret, self.shown if secret == self.url else "***")
        return redact_urls(text)


def is_address(spec: str) -> bool:
    """Whether this is meant for git's transports; an existing path wins over `host:path`."""
    if URL.match(spec) or HELPER.match(spec):
        return True
    return bool(SCP_LIKE.match(spec)) and not Path(spec).exists()


def parse(spec: str) -> Address:
    """Raises BotError for everything that is no plain https, http, ssh, git or file address."""
    if HELPER.match(spec):
        raise refused(spec, "transport helpers run programs")
    if URL.match(spec):
        return parse_url(spec)
    if spec.partition(":")[0].rpartition("@")[2].startswith("-"):
        raise refused(spec, "a host cannot begin with a dash")
    return Address(url=spec, shown=spec)


def parse_url(spec: str) -> Address:
    try:
        parts = urlsplit(spec)
        host = parts.hostname or ""
    except ValueError as error:
        raise refused(spec, str(error)) from None
    if parts.scheme not in SCHEMES:
        raise refused(spec, f"git's {parts.scheme} transport is not used here")
    if host.startswith("-"):
        raise refused(spec, "a host cannot begin with a dash")
    if parts.scheme == "file":
        path = unquote(parts.path)
        return Address(url=spec, shown=f"local:{PurePosixPath(path).name}", secrets=(path,))
    return Address(url=spec, shown=without_credentials(parts), secrets=secrets(parts))


def without_credentials(parts: SplitResult) -> str:
    """Over ssh the user's name is part of the address; over https it may be the token itself."""
    place = parts.netloc.rpartition("@")[2]
    if parts.scheme == "ssh" and parts.username:
        place = f"{parts.username}@{place}"
    return urlunsplit((parts.scheme, place, parts.path, "", ""))


def secrets(parts: SplitResult) -> tuple[str, ...]:
    """The credentials of a URL, as they are written in it and as tools may quote them."""
    user = None if parts.scheme == "ssh" else parts.username
    found = [secret for secret in (parts.password, user, parts.query) if secret]
    return tuple(sorted({*found, *map(unquote, found)}, key=len, reverse=True))


def redact_urls(text: str) -> str:
    """Text without the user names and passwords of any URL in it."""
    return re.sub(r"(?<=://)[^/@\s]+@", "", text)


def refused(spec: str, why: str) -> BotError:
    return BotError(
        f"{redact_urls(spec)!r} is refused: {why}", f"give a {', '.join(SCHEMES)} or host:path address"
    )
