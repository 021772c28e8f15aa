"""The Simple API: releases of a distribution, whether they are yanked, and the wheel that stands for each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import requests
from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version
from pypi_simple import (
    DistributionPackage,
    NoSuchProjectError,
    PyPISimple,
    UnsupportedContentTypeError,
    UnsupportedRepoVersionError,
)

from bot.errors import BotError
from bot.upstream.address import redact_urls
from bot.upstream.pipconfig import Config

#: Seconds for a connection and between two pieces of an answer.
TIMEOUT = 60.0
LONGEST_NOTE = 200


@dataclass(frozen=True, kw_only=True)
class Release:
    version: str
    wheel: DistributionPackage | None
    note: str = ""


def client(config: Config, index: str) -> PyPISimple:
    session = requests.Session()
    if config.certificates:
        session.verify = config.certificates
    return PyPISimple(index, session=session)


def releases(config: Config, name: str) -> tuple[Release, ...]:
    """All releases, oldest first, from the first index that knows the name.

    They are not mixed: a stranger's upload to one index must not stand beside the real releases of another.
    Raises BotError when an index cannot be asked or none knows the name.
    """
    for index in config.indexes:
        found = packages(config, index, name)
        if found is not None:
            return by_version(found)
    raise BotError(
        f"the package index has no distribution {name!r}",
        f"check the name, and the index: {', '.join(config.shown)} (PIP_INDEX_URL)",
    )


def packages(config: Config, index: str, name: str) -> list[DistributionPackage] | None:
    try:
        with client(config, index) as asked:
            return asked.get_project_page(name, timeout=TIMEOUT).packages
    except NoSuchProjectError:
        return None
    except (requests.RequestException, UnsupportedContentTypeError, UnsupportedRepoVersionError) as error:
        reason: Exception = error
    except (KeyError, TypeError, ValueError) as error:  # what the library raises for a listing out of shape
        reason = error
    raise BotError(
        f"the package index {redact_urls(index)} cannot be read: {redact_urls(str(reason))}",
        "check the network and PIP_INDEX_URL, or give a git upstream with --upstream",
    )


def by_version(found: Iterable[DistributionPackage]) -> tuple[Release, ...]:
    grouped: defaultdict[Version, list[DistributionPackage]] = defaultdict(list)
    for package in found:
        try:
            grouped[Version(package.version or "")].append(package)
        except InvalidVersion:
            continue
    return tuple(
        Release(version=str(version), wheel=best_wheel(grouped[version]), note=yanked(grouped[version]))
        for version in sorted(grouped)
    )


def yanked(files: Sequence[DistributionPackage]) -> str:
    """`yanked: <reason>` when no file of a release stands; the reason is a stranger's, so one short line."""
    if not all(file.is_yanked for file in files):
        return ""
    reason = next((file.yanked_reason for file in files if file.yanked_reason), "")
    line = " ".join("".join(char if char.isprintable() else " " for char in reason).split())
    return f"yanked: {line}"[:LONGEST_NOTE].removesuffix(": ")


def best_wheel(files: Iterable[DistributionPackage]) -> DistributionPackage | None:
    """The wheel that stands for a release: the same on every machine, whatever Python runs there."""
    ranked = []
    for file in files:
        try:
            tags = parse_wheel_filename(file.filename)[3]
        except InvalidWheelFilename:
            continue
        ranked.append((rank(tags), file.filename, file))
    return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None


def rank(tags: Iterable[Tag]) -> tuple[bool, int, bool]:
    """Lowest first: for any Python and platform, else the newest CPython, on Linux and x86_64."""
    tags = list(tags)
    pure = any(tag.interpreter == "py3" and tag.platform == "any" for tag in tags)
    numbers = [tag.interpreter[2:] for tag in tags if tag.interpreter.startswith("cp")]
    newest = max((int(number) for number in numbers if number.isdigit()), default=0)
    usual = any("manylinux" in tag.platform and tag.platform.endswith("x86_64") for tag in tags)
    return not pure, -newest, not usual
