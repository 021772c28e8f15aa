"""Commands to paste for what the bot leaves to people; a test runs every one. None of them forces."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from bot import catalog
from bot.carry.backporting.order import Order, Place
from bot.upstream import address
from bot.upstream.choosing import HEADS

Commands = tuple[str, ...]


def survey(order: Order, target: str) -> Commands:
    """Look at the target again."""
    asked = ("survey", order.proof.patch.id, *upstream_words(order), "--branch", target)
    return (command("upstream-bot", *asked),)


def prove(order: Order, target: str) -> Commands:
    """See each test of the proof."""
    asked = ("prove", order.proof.patch.id, *upstream_words(order), "--branch", target)
    return (command("upstream-bot", *asked),)


def nearest(order: Order, near: str) -> Commands:
    """The same for the branch that was perhaps meant."""
    words = ("backport", order.proof.patch.id, *upstream_words(order), "--to", near, "--dry-run")
    return (command("upstream-bot", *words),)


def again(order: Order, target: str) -> Commands:
    """Carry the patch once more, to where the target is by then."""
    words = ["backport", order.proof.patch.id, *upstream_words(order), "--to", target]
    if order.proposal:
        words += ["--from-pr", str(order.proposal)]
    if order.push_to:
        words += ["--push-to", order.push_to.typed]
    return (command("upstream-bot", *words),)


def by_hand(order: Order, target: str, head: str, branch: str) -> Commands:
    """Reproduce the conflict in a clone, to be mended there; then go on, and push without force."""
    place = folder(order, target)
    file = order.proof.patch.folder / catalog.variant_for(order.proof.patch, target).path
    return (
        command("git", "clone", "--quiet", "--branch", target, upstream_spec(order), place),
        command("git", "-C", place, "switch", "--quiet", "--create", branch, head),
        f"{command('git', '-C', place, 'am', '--3way', '--')} {here(file)}",
        "# mend the files that it names and `git add` them, then:",
        command("git", "-C", place, "am", "--continue"),
        *pushes(order.push_to, place, branch),
    )


def pick_by_hand(order: Order, target: str, head: str, branch: str, commits: Sequence[str]) -> Commands:
    """Reproduce the conflict of a proposal's commits in a clone."""
    place = folder(order, target)
    return (
        command("git", "clone", "--quiet", "--branch", target, upstream_spec(order), place),
        command("git", "-C", place, "fetch", "--quiet", "origin", f"refs/pull/{order.proposal}/head"),
        command("git", "-C", place, "switch", "--quiet", "--create", branch, head),
        command("git", "-C", place, "cherry-pick", "-x", *commits),
        "# mend the files that it names and `git add` them, then:",
        command("git", "-C", place, "cherry-pick", "--continue"),
        *pushes(order.push_to, place, branch),
    )


def judge(order: Order, target: str, number: int) -> Commands:
    """See each test of the proposal."""
    words = ("--proposal", str(number), "--base", target)
    return (command("upstream-bot", "prove", order.proof.patch.id, *upstream_words(order), *words),)


def kept(order: Order, store: Path, ref: str, branch: str) -> Commands:
    """Take the commit from the cache into a clone at hand."""
    taken = command("git", "fetch", str(store), f"{ref}:{HEADS}{branch}")
    return (taken, *(pushes(order.push_to, ".", branch) if order.push_to else ()))


def taken(order: Order, target: str, branch: str, head: str) -> Commands:
    """Look at what stands on the branch; it is for people to say what becomes of it."""
    place = folder(order, target)
    return (
        command("git", "clone", "--quiet", "--no-checkout", upstream_spec(order), place),
        command("git", "-C", place, "fetch", "--quiet", reach(order.push_to), f"{HEADS}{branch}"),
        command("git", "-C", place, "log", "--stat", f"{head}..FETCH_HEAD"),
    )


def pushes(to: Place | None, place: str, branch: str) -> Commands:
    return (command("git", "-C", place, "push", reach(to), f"{HEADS}{branch}"),) if to else ()


def reach(to: Place | None) -> str:
    """The remote as it can be reached from a clone elsewhere."""
    if to is None:
        return "origin"
    return to.typed if address.is_address(to.typed) else str(Path(to.typed).absolute())


def folder(order: Order, target: str) -> str:
    """A name for a clone beside the patches."""
    return f"{order.proof.patch.id}-{target.replace('/', '-')}"


def upstream_words(order: Order) -> tuple[str, str]:
    return ("--upstream", upstream_spec(order))


def upstream_spec(order: Order) -> str:
    """The upstream without any credentials."""
    spec = order.proof.spec
    return address.parse(spec).shown if address.URL.match(spec) and not spec.startswith("file:") else spec


def here(path: Path) -> str:
    return command(str(path)) if path.is_absolute() else f'"$PWD"/{command(str(path))}'


def command(*words: str) -> str:
    return shlex.join(words)
