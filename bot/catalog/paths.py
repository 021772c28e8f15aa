"""Which file paths a patch may name: relative, plain, and never a way into git's or the host's own files."""

import re
from collections.abc import Iterable

#: What some file system somewhere reads as `.git`, in any case and with dots or blanks behind it.
GIT_NAMES = frozenset({".git", "git~1", "git~2", "git~3", "git~4"})
#: Files that steer the host, with the short names that NTFS gives them (git's list: `is_ntfs_dotgitmodules`).
SHORT_GITHUB = re.compile(r"\.github|github~[0-9]")
SHORT_OWNERS = re.compile(r"codeowners|codeow~[0-9]")
SHORT_MODULES = re.compile(r"\.gitmodules|gitmod~[0-9]|gi7eba~[0-9]")
#: Zero-width characters that HFS+ leaves out when it compares names.
IGNORED = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def objection(path: str) -> str:
    """Why `path` may not be used; empty when it may."""
    if not path:
        return "it is empty"
    if path.startswith(("/", "~", "-")):
        return f"it begins with {path[0]!r}"
    if "\\" in path or ":" in path or not path.isprintable():
        return "it holds a backslash, a colon or a control character"
    if any(part in {"", ".", ".."} for part in path.split("/")):
        return "it leaves its folder or is not written in its shortest form"
    if any(part_of_git(part) for part in path.split("/")):
        return "it lies in git's own directory"
    return ""


def part_of_git(part: str) -> bool:
    return plain(part) in GIT_NAMES


def plain(part: str) -> str:
    """A name as the most careless file system reads it: in any case, without dots or blanks behind it."""
    return IGNORED.sub("", part).casefold().rstrip(". ")


def host_objection(path: str) -> str:
    """Why a patch may not change `path` although it is a plain file; empty when it may."""
    parts = [plain(part) for part in path.split("/")]
    if SHORT_GITHUB.fullmatch(parts[0]):
        return "workflows and settings of the host are never carried"
    if SHORT_OWNERS.fullmatch(parts[-1]):
        return "who owns what is never carried"
    if SHORT_MODULES.fullmatch(parts[-1]):
        return "submodules are never carried"
    return ""


def within(path: str, places: Iterable[str]) -> bool:
    """Whether `path` is one of the places or lies below one."""
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)
