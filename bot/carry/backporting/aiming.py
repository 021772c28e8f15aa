"""Which branches are meant, and those of them that no patch is carried to."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from msgspec import structs

from bot import catalog, upstream
from bot.carry import proving, surveying
from bot.carry.backporting import recovery
from bot.carry.backporting.order import Order, Result, Row
from bot.errors import BotError, nearest
from bot.model import Patch, Ref, State, Value
from bot.survey.reverted import OVERLAY
from bot.upstream.choosing import HEADS, choose, is_glob


class Aim(Value, frozen=True, kw_only=True):
    """The names `asked`, each once; those of them that there are, and a row for every other."""

    asked: tuple[str, ...]
    refs: tuple[Ref, ...]
    refused: tuple[Row, ...]


def aim(order: Order, source: upstream.Upstream) -> Aim:
    """Look the targets up. No name that the upstream does not have comes near git."""
    patch = order.proof.patch
    names = order.targets or tuple(proving.affected(patch, releases=False))
    known = {ref.name: ref for ref in heads(source)}
    rows = {name: refusal(order, patch, name, list(known)) for name in dict.fromkeys(names)}
    wanted = [known[name] for name, row in rows.items() if row is None]
    rows |= reverted(order, source, wanted, known.get(order.base))
    return Aim(
        asked=tuple(rows),
        refs=tuple(known[name] for name, row in rows.items() if row is None),
        refused=tuple(row for row in rows.values() if row),
    )


def reverted(
    order: Order, source: upstream.Upstream, refs: Sequence[Ref], base: Ref | None
) -> dict[str, Row]:
    """A row for each target where the cure was taken out again, or for all where the base did so."""
    asked = surveying.SurveyOrder(patch=order.proof.patch, spec=order.proof.spec, cache=order.proof.cache)
    brought = source.fetch([*refs, *([base] if base and refs else [])])
    told = {
        row.name: row.detail for row in surveying.look(asked, source, brought, {}) if row.overlay == OVERLAY
    }
    where = {ref.name: next((one for one in (ref.name, order.base) if one in told), "") for ref in refs}
    return {
        name: refused(name, f"on {one} the cure was reverted: {told[one]}", recovery.survey(order, one))
        for name, one in where.items()
        if one
    }


def heads(source: upstream.Upstream) -> list[Ref]:
    """The upstream's branches. Raises BotError where it has releases only."""
    if not source.has_history:
        hint = "give a repository or a clone of it with --upstream"
        raise BotError(f"{source.spec} has releases, and a backport is a commit on a branch", hint)
    return [ref for ref in source.find((), ()) if ref.full.startswith(HEADS)]


def refuse_unknown(order: Order, source: upstream.Upstream) -> None:
    """Raise BotError, with the nearest names, for a target that the upstream does not have."""
    for name in order.targets:
        if is_glob(name):
            raise BotError(f"{name!r} is a pattern", "name each branch in full")
    if order.targets:
        choose(heads(source), branches=order.targets, patterns=())


def refusal(order: Order, patch: Patch, name: str, known: Sequence[str]) -> Row | None:
    """Why nothing is carried there, before anything is run."""
    if name not in known:
        return unknown(order, name, known)
    if name == order.base:
        return refused(name, f"{name} is the pull request's own base: the fix gets there by merging it")
    never = never_carried(patch, touched(patch, name))
    if never:
        reason = f"the patch changes what is never carried: {', '.join(never)}"
        return refused(name, reason, recovery.survey(order, name))
    return None


def unknown(order: Order, name: str, known: Sequence[str]) -> Row:
    near = nearest(name[:100], list(known))
    reason = f"the upstream has no branch of this name; nearest: {near or 'none is near'}"
    first = near.partition(", ")[0]
    commands = recovery.nearest(order, first) if first else ()
    return structs.replace(refused(name, reason, commands), state=State.BRANCH_MISSING)


def refused(name: str, reason: str, commands: recovery.Commands = ()) -> Row:
    return Row(target=name, result=Result.REFUSED, reason=reason, recovery=commands)


def touched(patch: Patch, target: str) -> list[str]:
    return [change.path for change in patch.variants[catalog.variant_for(patch, target).path]]


def never_carried(patch: Patch, paths: Sequence[str]) -> list[str]:
    """Those of the paths that the manifest says are never carried anywhere."""
    return [path for path in paths if any(fnmatchcase(path, glob) for glob in patch.manifest.never_carry)]
