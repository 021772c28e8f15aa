"""What must not be in the tree: a developer's machine, a package index of ours, leftovers of tools."""

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.upstream import pipconfig

ROOT = Path(__file__).parents[1]
#: Directories in which people keep their work, in a path that starts there.
PEOPLE = re.compile(r"(?<![\w.~$}-])(/(?:home|Users|root|work|mnt|data|scratch)/[\w.-]+|[A-Z]:\\Users\\\w+)")
#: A name that says of itself that it is nobody's.
NOBODY = re.compile(r"/(?:home|Users)/somebody\b")
#: Options that tie a lock to an index.
INDEX_OPTION = re.compile(r"^\s*(-i|-f|--(extra-)?index-url|--find-links|--trusted-host)\b", re.MULTILINE)


def tree() -> dict[str, str]:
    """Return every file that is, or would be, committed: its path and its text."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("these sources are not in a git repository")
    names = [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]
    return {name: (ROOT / name).read_text(encoding="utf-8", errors="replace") for name in names}


def test_no_file_names_a_path_of_a_developers_machine() -> None:
    home = os.environ.get("HOME", "")
    found = {
        f"{name}: {match}"
        for name, text in tree().items()
        for match in [*PEOPLE.findall(text), *([home] if home.count("/") > 1 and home in text else [])]
        if not NOBODY.match(match)
    }
    assert not found


@pytest.mark.parametrize(
    "path", ["/home/" + "ada/x", "x = '/root/" + "x'", "(/work/" + "main)", "C:\\Users\\" + "ada"]
)
def test_such_a_path_would_be_found(path: str) -> None:
    assert PEOPLE.search(path)


@pytest.mark.parametrize("before", ["https://example.org/home/x", "~", ".github", "$HOME", "{place}"])
def test_other_paths_are_not_taken_for_one(before: str) -> None:
    assert not PEOPLE.search(f"{before}/" + "work/x")


def test_no_file_names_the_package_index_of_a_developers_machine() -> None:
    hosts = {urlsplit(index).hostname or "" for index in pipconfig.read().indexes}
    ours = hosts - {"", "localhost", urlsplit(pipconfig.DEFAULT).hostname}
    found = {f"{name}: {host}" for name, text in tree().items() for host in ours if host in text}
    assert not found


def test_no_lock_is_tied_to_an_index() -> None:
    locks = {name: text for name, text in tree().items() if name.endswith("requirements.txt")}
    assert locks
    assert not [name for name, text in locks.items() if INDEX_OPTION.search(text)]


def test_nothing_that_tools_leave_behind_is_in_the_tree() -> None:
    left = re.compile(
        r"(^|/)(__pycache__|\.venv|build|dist|\.coverage|[^/]+\.(pyc|orig|rej|egg-info|log))(/|$)"
    )
    assert not [name for name in tree() if left.search(name)]
