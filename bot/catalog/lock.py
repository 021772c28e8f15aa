"""The lock of a patch's environment: `requirements.txt` with exact versions and nothing else."""

from collections.abc import Mapping
from pathlib import Path

from bot.errors import BotError

HINT = "a lock holds lines such as name==1.2.3 and comments, nothing else"


def read(path: Path) -> dict[str, str]:
    """Version by normalised name (PEP 503). Raises BotError naming the line that pins nothing exactly."""
    from packaging.utils import canonicalize_name

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BotError(f"{path} cannot be read: {error}") from None
    lock: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        wanted = line.partition(" #")[0].strip()
        if not wanted or wanted.startswith("#"):
            continue
        name, version = pin(wanted, f"{path} line {number}")
        if canonicalize_name(name) in lock:
            raise BotError(f"{path} line {number}: {name} is pinned twice", HINT)
        lock[canonicalize_name(name)] = version
    return lock


def pin(wanted: str, where: str) -> tuple[str, str]:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(wanted)
    except InvalidRequirement:
        raise BotError(f"{where}: {wanted!r} is no requirement", HINT) from None
    plain = not (requirement.extras or requirement.marker or requirement.url)
    match list(requirement.specifier):
        case [only] if plain and only.operator == "==" and not only.version.endswith(".*"):
            return requirement.name, only.version
        case _:
            raise BotError(f"{where}: {wanted!r} is not pinned to one version", HINT)


def unsatisfied(lock: Mapping[str, str], installed: Mapping[str, str]) -> tuple[str, ...]:
    """The pins, as `name==version`, that `installed` (version by name) does not meet.

    Versions compare as pip compares them: an installed `2.13.0+cpu` meets `==2.13.0`.
    """
    from packaging.utils import canonicalize_name

    there = {canonicalize_name(name): version for name, version in installed.items()}
    wanted = {canonicalize_name(name): version for name, version in lock.items()}
    return tuple(f"{name}=={pin}" for name, pin in wanted.items() if not meets(there.get(name), pin))


def meets(version: str | None, pin: str) -> bool:
    if version is None:
        return False
    if version.partition("+")[0] == pin:
        return True
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        return SpecifierSet(f"=={pin}").contains(Version(version), prereleases=True)
    except InvalidVersion:
        return False
