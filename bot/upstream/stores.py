"""Scratch stores: bare repositories of our own in the cache, made whole or not at all, one writer a time."""

import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot import git
from bot.errors import BotError
from bot.upstream.kind import Notice

#: Nothing may be collected behind our back, and a pack appears at once or not at all: loose objects from an
#: interrupted fetch would leave commits without their trees.
CONFIG = "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[fetch]\n\tunpackLimit = 1\n"


def place(cache: Path, *identity: str) -> Path:
    """Where the store of this identity lies (or will lie)."""
    key = hashlib.sha256("\0".join(identity).encode("utf-8", "surrogateescape")).hexdigest()
    return cache / "stores" / key[:32]


def open_store(store: Path, notice: Notice, *, object_format: str = "sha1") -> git.Repo:
    """The store at this place, made when it is not there."""
    if not is_whole(store):
        with locked(store, notice):
            make(store, object_format)
    return git.Repo(path=store)


def is_whole(store: Path) -> bool:
    """Whether git would take it for a repository; people may delete parts of a cache."""
    with storage(store):
        return (store / "HEAD").is_file() and all((store / name).is_dir() for name in ("objects", "refs"))


def make(store: Path, object_format: str) -> None:
    if is_whole(store):  # another run made it while we waited for the lock
        return
    import shutil
    import tempfile

    shutil.rmtree(store, ignore_errors=True)
    half = Path(tempfile.mkdtemp(prefix=f"{store.name}.new-", dir=store.parent))
    options = ("--bare", "--quiet", "--template=", "--initial-branch=main")
    git.must(git.Repo(path=half), "init", *options, f"--object-format={object_format}")
    with (half / "config").open("a") as config:
        config.write(CONFIG)
    half.rename(store)


@contextmanager
def locked(store: Path, notice: Notice) -> Iterator[None]:
    """Hold the store's lock while it is made or fetched into, and leave no litter of what was interrupted.

    The lock is the kernel's (flock), so it ends with its process: a lock file that is left blocks nobody.
    """
    with storage(store):
        store.parent.mkdir(parents=True, exist_ok=True)
        with Path(f"{store}.lock").open("a") as lock:
            take(lock.fileno(), notice)
            sweep(store)
            try:
                yield
            finally:
                sweep(store)


def take(lock: int, notice: Notice) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        notice("waiting for another run that fills the same cache")
        fcntl.flock(lock, fcntl.LOCK_EX)


def sweep(store: Path) -> None:
    """Remove what a killed run left: half-made stores, half-written packs, and locks on refs of ours."""
    litter = ("objects/pack/tmp_*", "refs/upstream/**/*.lock", "refs/heads/pypi/**/*.lock", "shallow.lock")
    for pattern in litter:
        for path in store.glob(pattern):
            path.unlink(missing_ok=True)
    for half in store.parent.glob(f"{store.name}.new-*"):
        import shutil

        shutil.rmtree(half, ignore_errors=True)


@contextmanager
def storage(store: Path) -> Iterator[None]:
    """Say what to do when the cache cannot be read or written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        hint = git.storage_hint(reason) or "put the cache elsewhere with UPSTREAM_BOT_CACHE"
        raise BotError(f"the cache {store.parent.parent} cannot be used: {reason}", hint) from error


def keep(store: Path, name: str, data: bytes | None) -> None:
    """Make the file `name` of a store hold `data`, at once or not at all; None removes it."""
    path = store / name
    with storage(store):
        if (path.read_bytes() if path.is_file() else None) == data:
            return
        if data is None:
            path.unlink(missing_ok=True)
            return
        import tempfile

        handle, half = tempfile.mkstemp(prefix=f"{path.name}.new-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(half).replace(path)


def commits(store: git.Repo, specs: Iterable[str]) -> dict[str, str | None]:
    """The commit that each id or full ref leads to through tags; None where the store has none."""
    found = git.look_up(store, list(dict.fromkeys(f"{spec}^{{commit}}" for spec in specs)))
    return {spec.removesuffix("^{commit}"): entry.id if entry else None for spec, entry in found.items()}


def has_commit(store: git.Repo, commit: str) -> bool:
    """Whether the store has a commit with exactly this full id."""
    return is_object_id(commit) and commits(store, [commit])[commit] == commit


def is_object_id(text: str) -> bool:
    return len(text) in (40, 64) and not set(text) - set("0123456789abcdef")
