"""Git on one repository: the fixed environment, and failures as sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot import proc
from bot.errors import BotError

#: Prompts would hang us, optional locks would write to other people's repositories, and every other GIT_*
#: variable (a hook's GIT_DIR, say) would make git look elsewhere: proc's allow-list keeps those out.
FIXED = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
}
#: Where people's own configuration and credentials live; git needs them to fetch.
PASSED = ("GIT_SSL_CAINFO", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_AUTH_SOCK", "SSH_ASKPASS")


@dataclass(frozen=True, kw_only=True)
class Repo:
    """A git directory. `path` is given to git as `--git-dir`."""

    path: Path


def call(
    repo: Repo, *args: str, data: bytes = b"", env: Mapping[str, str] = {}, timeout: float | None = None
) -> proc.Completed:
    """Run git on `repo` and return whatever came out."""
    # The owner named this repository: git's ownership check is for repositories found by accident.
    argv = ("git", "-c", "safe.directory=*", f"--git-dir={repo.path}", *args)
    return proc.run(argv, env=proc.environment({**FIXED, **env}, also=PASSED), data=data, timeout=timeout)


def must(repo: Repo, *args: str, data: bytes = b"", env: Mapping[str, str] = {}) -> proc.Completed:
    """Run git on `repo`; a failure is a BotError that quotes git's own sentence."""
    done = call(repo, *args, data=data, env=env)
    if done.code:
        raise BotError(f"git {args[0]} failed: {done.complaint}", storage_hint(done.complaint))
    return done


def storage_hint(complaint: str) -> str:
    """What to do about git's complaint, when it is about the disk."""
    lowered = complaint.lower()
    if "no space left" in lowered or "quota" in lowered:
        return "free some space, or put the cache elsewhere with UPSTREAM_BOT_CACHE"
    if "permission denied" in lowered or "read-only file system" in lowered:
        return "make the cache writable, or put it elsewhere with UPSTREAM_BOT_CACHE"
    return ""
