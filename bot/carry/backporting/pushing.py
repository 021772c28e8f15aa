"""A branch on somebody's remote: looked at, and moved only from exactly the commit that was seen there."""

import base64
import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import field

from bot import git, upstream
from bot.carry.backporting.order import Place
from bot.errors import BotError
from bot.model import Value
from bot.upstream import address, remote, stores, transfer
from bot.upstream.choosing import HEADS

#: What every branch of ours begins with; the second one is for remotes where a branch blocks the first.
PREFIXES = ("upstream-bot", "upstream-bot-backport")
#: No hook, tag, signature or submodule of the machine's settings has a part in it.
OPTIONS = ("--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no")
REJECTED = re.compile(r"^!\t[^\t]*\t(?P<why>.*)$", re.MULTILINE)
STALE = "stale info"
#: Blobs beyond which the remote is too far behind for a push to be a small thing.
MOST = 20_000


def place(typed: str, token: str = "") -> Place:
    """Where to push. Raises BotError for what is neither an address that git may use nor a directory.

    `token` goes to git with an https address that has no credentials of its own, and is never shown.
    """
    if not typed.strip() or typed.startswith("-") or any(ord(char) < ord(" ") for char in typed):
        raise BotError(f"{typed!r} is nothing to push to", "give a git URL or a path with --push-to")
    if address.is_address(typed):
        return with_token(address.parse(typed), token)
    path = Path(typed).absolute()
    if not path.is_dir():
        hint = "give a git URL or the path of a repository with --push-to"
        raise BotError(f"there is no directory {typed!r} to push to", hint)
    shown = f"local:{path.name}"
    return Place(address=address.Address(url=str(path), shown=shown, secrets=(str(path),)), typed=typed)


def with_token(found: address.Address, token: str) -> Place:
    """The place with a header that shows the token: in its URL, git would tell every process of it."""
    parts = urlsplit(found.url)
    if not token or parts.scheme != "https" or "@" in parts.netloc:
        return Place(address=found, typed=found.shown)
    word = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    known = address.Address(url=found.url, shown=found.shown, secrets=(token, word, *found.secrets))
    return Place(address=known, typed=found.shown, header=f"Authorization: Basic {word}")


class There(Value, frozen=True, kw_only=True):
    """The branches of a remote by their names, as they were when it was asked."""

    heads: Mapping[str, str] = field(default_factory=dict)


def look(store: git.Repo, place: Place) -> There:
    """What is there now. Raises BotError when it cannot be read."""
    env = settings(place)
    done = git.call(store, "ls-remote", "--heads", transfer.NAME, env=env, timeout=transfer.PATIENCE)
    if done.code:
        raise BotError(
            f"{place.address.shown} cannot be read: {transfer.complaint(place.address, done)}",
            "check --push-to, the network and your rights there",
        )
    refs = remote.parse_listing(done.out.decode("utf-8", "surrogateescape"))
    return There(heads={ref.full.removeprefix(HEADS): ref.head for ref in refs if ref.head})


def name_for(heads: Mapping[str, str], patch: str, version: str, target: str) -> str | None:
    """The branch for a target; None where others' branches block every name, as `a` blocks `a/b`."""
    names = [f"{prefix}/{patch}/{version}/{target}" for prefix in PREFIXES]
    return next((name for name in names if not blocking(heads, name)), None)


def blocking(heads: Mapping[str, str], name: str) -> list[str]:
    return [other for other in heads if name.startswith(f"{other}/") or other.startswith(f"{name}/")]


def fetch(store: git.Repo, place: Place, commit: str) -> bool:
    """Bring a commit from the remote to look at it; whether it is in the store."""
    if not stores.has_commit(store, commit):
        with stores.locked(store.path, lambda _text: None):
            wanted = f"{commit}:refs/upstream/{commit}\n".encode()
            git.call(store, *transfer.FETCH, data=wanted, env=settings(place))
    return stores.has_commit(store, commit)


def push(source: upstream.Upstream, place: Place, commit: str, branch: str, there: There) -> str:
    """Move the branch from what was seen there to `commit`; why it is not so, or nothing.

    A branch that is elsewhere by now stays as it is: the lease names the exact commit.
    """
    why = complete(source, commit, there)
    if why:
        return why
    ref = f"{HEADS}{branch}"
    lease = f"--force-with-lease={ref}:{there.heads.get(branch, '')}"
    env = settings(place)
    done = git.call(source.store, "push", *OPTIONS, lease, transfer.NAME, f"{commit}:{ref}", env=env)
    if not done.code:
        return ""
    refused = REJECTED.search(done.out.decode("utf-8", "replace"))
    return place.address.redact(refused["why"]) if refused else transfer.complaint(place.address, done)


def settings(place: Place) -> dict[str, str]:
    """Git's configuration as environment: without the hooks that people's settings name."""
    made = transfer.settings(place.address)
    more = {"core.hooksPath": os.devnull}
    if place.header:
        parts = urlsplit(place.address.url)
        more[f"http.{parts.scheme}://{parts.netloc}/.extraHeader"] = place.header
    first = int(made["GIT_CONFIG_COUNT"])
    for number, (key, value) in enumerate(more.items(), start=first):
        made |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {**made, "GIT_CONFIG_COUNT": str(first + len(more))}


def complete(source: upstream.Upstream, commit: str, there: There) -> str:
    """Bring the files that a push must send and a partial clone lacks; why they cannot be had, or nothing."""
    known = [f"^{oid}" for oid in dict.fromkeys(there.heads.values()) if stores.has_commit(source.store, oid)]
    options = ("--objects", "--no-object-names", "--missing=print", "--stdin")
    done = git.must(source.store, "rev-list", *options, data="\n".join([commit, *known, ""]).encode())
    missing = [line[1:] for line in done.text.splitlines() if line.startswith("?")]
    if not missing:
        return ""
    if len(missing) > MOST or not isinstance(source, remote.Remote):
        return f"it lacks too much of the upstream's history: {len(missing)} files; bring it up to date"
    source.bring_blobs(missing)
    return ""


def keep(store: git.Repo, commit: str) -> str:
    """Hold the commit in the store under a ref of its own, which is returned."""
    ref = f"refs/backports/{commit}"
    git.must(store, "update-ref", ref, commit)
    return ref
