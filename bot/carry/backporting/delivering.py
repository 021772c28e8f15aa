"""From a commit to its branch on the remote, or to a place in the cache; nothing of a person's is moved."""

from collections.abc import Mapping

from msgspec import structs

from bot import git
from bot.carry.backporting import pushing, recovery, writing
from bot.carry.backporting.cargo import Bench
from bot.carry.backporting.order import Order, Result, Row
from bot.carry.backporting.pushing import There
from bot.errors import BotError


def branch_of(order: Order, target: str, heads: Mapping[str, str] | None = None) -> str:
    """The branch for a target on a remote with these branches. Raises BotError when all names are taken."""
    patch = order.proof.patch
    name = pushing.name_for(heads or {}, patch.id, patch.version.id, target)
    if name is None:
        hint = "rename the branches there that begin with upstream-bot"
        raise BotError("branches on the remote block every name of ours", hint)
    return name


def deliver(bench: Bench, row: Row, made: writing.Made) -> Row:
    """Push the commit where that was asked for, else hold it in the cache."""
    return delivered(bench, row, made) if bench.order.push_to else kept(bench, row)


def kept(bench: Bench, row: Row) -> Row:
    """Hold the commit in the cache and say how to take it."""
    if bench.order.dry_run:
        return structs.replace(row, result=Result.WOULD_PUSH, reason=f"proven on {short(row.head)}")
    ref = pushing.keep(bench.source.store, row.commit or "")
    reason = f"proven on {short(row.head)}; nobody said where to push, so the commit is kept in the cache"
    commands = recovery.kept(bench.order, bench.source.store.path, ref, row.branch or "")
    return structs.replace(row, reason=reason, recovery=commands)


def delivered(bench: Bench, row: Row, made: writing.Made) -> Row:
    """Push the commit, unless the branch has it or holds what is not ours."""
    to = bench.order.push_to
    assert to  # noqa: S101 (the caller asked)
    there = pushing.look(bench.source.store, to)
    branch = branch_of(bench.order, row.target, there.heads)
    tip = there.heads.get(branch)
    row = structs.replace(row, branch=branch, reason=f"proven on {short(row.head)}{renamed(branch)}")
    if tip:
        held = standing(bench, row, tip)
        if isinstance(held, str):
            return blocked(bench, row, there, held)
        if (held.tree, held.parent) == (made.tree, made.parent):
            return structs.replace(row, result=Result.ALREADY_PUSHED, commit=held.commit)
        if git.is_ancestor(bench.source.store, made.parent, held.parent):
            reason = f"{row.reason}; the branch rests on a newer head already, {short(held.parent)}"
            return structs.replace(
                row, result=Result.ALREADY_PUSHED, commit=held.commit, tree=held.tree, reason=reason
            )
    if bench.order.dry_run:
        return structs.replace(row, result=Result.WOULD_PUSH)
    return pushed(bench, row, there)


def pushed(bench: Bench, row: Row, there: There) -> Row:
    to, commit = bench.order.push_to, row.commit or ""
    assert to  # noqa: S101 (the caller asked)
    why = pushing.push(bench.source, to, commit, row.branch or "", there)
    if not why:
        return structs.replace(row, result=Result.PUSHED)
    if pushing.look(bench.source.store, to).heads.get(row.branch or "") == commit:
        return structs.replace(row, result=Result.ALREADY_PUSHED)  # another run of ours was faster
    ref = pushing.keep(bench.source.store, commit)
    commands = recovery.kept(bench.order, bench.source.store.path, ref, row.branch or "")
    result = Result.BLOCKED if pushing.STALE in why else Result.FAILED
    told = "somebody moved the branch meanwhile" if result is Result.BLOCKED else "the remote refused"
    return structs.replace(row, result=result, reason=f"{told}: {why}", recovery=commands)


def blocked(bench: Bench, row: Row, there: There, why: str) -> Row:
    commands = recovery.taken(bench.order, row.target, row.branch or "", row.head or "")
    tip = there.heads.get(row.branch or "", "")
    reason = f"{row.branch} is at {short(tip)}, {why}: nothing of it is touched"
    return structs.replace(row, result=Result.BLOCKED, commit=None, reason=reason, recovery=commands)


def standing(bench: Bench, row: Row, tip: str) -> writing.Made | str:
    """The commit that the branch is at, where a bot made every byte of it; else what it is."""
    store, to = bench.source.store, bench.order.push_to
    if tip == row.commit:
        return writing.Made(commit=tip, tree=row.tree or "", parent=row.head or "")
    if to is None or not pushing.fetch(store, to, tip):
        return "which cannot be looked at"
    said = writing.headers(store, tip)
    parent = said.get("parent", "")
    if " " in parent or not bench.source.bring_commit(parent):
        return "which is not a commit of ours on a commit of the upstream"
    tree = bench.cargo.tree(row.target, parent)
    words = bench.cargo.words(row.target)
    if tree is None or tip != writing.again(store, words, tree, parent, said.get("committer", "")):
        return "a commit that is not ours"
    return writing.Made(commit=tip, tree=tree, parent=parent)


def renamed(branch: str) -> str:
    if branch.startswith(f"{pushing.PREFIXES[0]}/"):
        return ""
    return f"; named {branch} because another branch there blocks {pushing.PREFIXES[0]}/…"


def short(commit: str | None) -> str:
    return (commit or "")[:12]
