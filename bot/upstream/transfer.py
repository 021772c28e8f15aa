"""Talking to a git upstream: the address and our settings reach git through its environment only."""

from collections.abc import Sequence

from bot import git, proc
from bot.errors import BotError
from bot.upstream.address import SCHEMES, Address

NAME = "upstream-bot"
#: The remote is a promisor for the transfer alone: in the store's own configuration it would make every
#: look-up of an absent blob a fetch of its own.
SETTINGS = {
    f"remote.{NAME}.promisor": "true",
    f"remote.{NAME}.partialclonefilter": "blob:none",
    "protocol.version": "2",  # fetching by id needs no permission of the server's
    "http.lowSpeedLimit": "1000",  # bytes a second, for lowSpeedTime seconds: then it hangs
    "http.lowSpeedTime": "60",
    "fetch.prune": "false",  # people's own settings would remove our refs
    "fetch.pruneTags": "false",
    "fetch.writeCommitGraph": "false",
}
#: A fetch that misses an object (beyond a shallow upstream, say) would start another, and that another.
ALONE = {"GIT_NO_LAZY_FETCH": "1"}
FETCH = (
    "fetch", "--quiet", "--stdin", "--filter=blob:none", "--no-tags", "--no-write-fetch-head",
    "--no-auto-maintenance", "--no-recurse-submodules", "--update-shallow", NAME,
)  # fmt: skip
#: Seconds until a listing is given up.
PATIENCE = 300.0


def ask(store: git.Repo, address: Address, *options: str, names: Sequence[str] = ()) -> proc.Completed:
    """`ls-remote`: one request, nothing is fetched. `names` are full refs; none means all."""
    return git.call(store, "ls-remote", *options, NAME, *names, env=settings(address), timeout=PATIENCE)


def pull(store: git.Repo, address: Address, wanted: Sequence[str]) -> proc.Completed:
    """One fetch of all `wanted` (ids or refspecs), each once. Raises BotError when our disk fails."""
    data = "".join(f"{item}\n" for item in dict.fromkeys(wanted)).encode()
    done = git.call(store, *FETCH, data=data, env=settings(address))
    said = complaint(address, done)
    if done.code and git.storage_hint(said):
        raise BotError(f"the cache cannot take the fetch: {said}", git.storage_hint(said))
    return done


def settings(address: Address) -> dict[str, str]:
    """Git's configuration as environment: no argument list and no file ever holds the credentials."""
    pairs = {f"remote.{NAME}.url": address.url, **SETTINGS}
    numbered: dict[str, str] = {}
    for number, (key, value) in enumerate(pairs.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {"GIT_CONFIG_COUNT": str(len(pairs)), "GIT_ALLOW_PROTOCOL": ":".join(SCHEMES), **ALONE, **numbered}


def complaint(address: Address, done: proc.Completed) -> str:
    """Git's reason: its first fatal or error line, since advice follows it; without credentials."""
    lines = done.err.decode("utf-8", "replace").splitlines()
    first = next((line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))), done.complaint)
    return address.redact(first)


def unreachable(address: Address, done: proc.Completed) -> BotError:
    return BotError(
        f"upstream {address.shown} cannot be read: {complaint(address, done)}",
        "check the address and the network, or give a local clone with --upstream",
    )
