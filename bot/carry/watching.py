"""What changed since the last survey: two snapshots in, changes out, and which of them need somebody."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

from bot.carry.surveying import Surveyed
from bot.errors import BotError
from bot.model import NOTHING_TO_CURE, PROVABLE, SURVEY_SCHEMA, Row, State, Survey, Value
from bot.upstream.stores import is_object_id

WATCH_SCHEMA = "upstream-bot/watch/1"


class Kind(StrEnum):
    """How a target differs from the last time."""

    NEW = "new"
    MOVED = "moved"
    FIXED = "fixed upstream"
    LOST = "lost again"
    BROKEN = "does not fit any more"
    GONE = "gone"
    REWRITTEN = "rewritten"
    CHANGED = "another state"


class Change(Value, frozen=True, kw_only=True):
    """`before` and `after` are states ("" where the target was not there); `action`: somebody must look."""

    name: str
    kind: Kind
    before: str
    after: str
    detail: str
    action: bool


class Snapshot(Survey, frozen=True, kw_only=True):
    """A survey as it is remembered. `identity` tells repositories apart that are shown by one name."""

    identity: str = ""


class Watch(Value, frozen=True, kw_only=True):
    """`first`: there was no snapshot to compare with."""

    schema: str
    patch: str
    version: str
    upstream: str
    first: bool
    changes: tuple[Change, ...]


def snapshot(done: Surveyed) -> Snapshot:
    """What is to be remembered; our store of an upstream is named by what the upstream is."""
    now = done.survey
    fields = {name: getattr(now, name) for name in now.__struct_fields__}
    return Snapshot(**fields, identity=done.source.store.path.name)


def read(path: Path) -> Snapshot | None:
    """The last survey; None when there is none yet. Raises BotError for a file that is something else."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}", "name another file with --state") from None
    hint = "name the file that an earlier `watch` wrote, or one that does not exist yet"
    try:
        found = msgspec.json.decode(data, type=Snapshot)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BotError(f"{path} is no snapshot of ours: {error}", hint) from None
    if found.schema != SURVEY_SCHEMA or not all(
        row.head is None or is_object_id(row.head) for row in found.rows
    ):
        raise BotError(f"{path} is no snapshot that this version can read", hint)
    return found


def heads(last: Survey | None) -> dict[str, str]:
    """The head of each target in a snapshot, by full name."""
    return {row.ref: row.head for row in last.rows if row.head} if last else {}


def compare(last: Snapshot | None, now: Snapshot) -> Watch:
    """All changes. Raises BotError when the snapshot is of another patch or upstream."""
    if last is not None and (last.patch, last.upstream) != (now.patch, now.upstream):
        told = f"the snapshot is of {last.patch} on {last.upstream}, not of {now.patch} on {now.upstream}"
        raise BotError(told, "keep one file for each patch and upstream")
    if last is not None and last.identity and last.identity != now.identity:
        told = f"the snapshot is of another repository that is called {now.upstream} too"
        raise BotError(told, "keep one file for each; when this one was moved, remove the file and look anew")
    return Watch(
        schema=WATCH_SCHEMA,
        patch=now.patch,
        version=now.version,
        upstream=now.upstream,
        first=last is None,
        changes=tuple(changes(last, now)),
    )


def changes(last: Survey | None, now: Survey) -> Iterator[Change]:
    """Every target that differs, in the order of the survey; in a first look only what needs somebody."""
    before = {row.ref: row for row in last.rows} if last else {}
    for row in now.rows:
        old = before.pop(row.ref, None)
        if last is None:
            if row.state in {State.UNKNOWN, State.PATCH_INVALID} or row.overlay:
                yield change(Kind.NEW, None, row)
        elif (kind := kind_of(old, row)) is not None:
            yield change(kind, old, row)
    yield from (gone(row) for row in before.values() if row.state is not State.BRANCH_MISSING)


def kind_of(old: Row | None, row: Row) -> Kind | None:
    """What happened to one target; None when nothing did. First match wins."""
    if old is None:
        return Kind.NEW
    if row.state is State.BRANCH_MISSING:
        return Kind.GONE if old.state is not State.BRANCH_MISSING else None
    if row.state is State.BRANCH_REWRITTEN:
        return Kind.REWRITTEN
    if row.overlay and not old.overlay:
        return Kind.LOST
    if row.state is old.state:
        return Kind.MOVED if row.head != old.head else None
    return turn(old.state, row.state)


def turn(before: State, after: State) -> Kind:
    """What a change of state means."""
    if after in NOTHING_TO_CURE and before not in NOTHING_TO_CURE:
        return Kind.FIXED
    if before in {State.UPSTREAM_IDENTICAL, State.UPSTREAM_EQUIVALENT}:
        return Kind.LOST
    if before in PROVABLE and after not in PROVABLE:
        return Kind.BROKEN
    return Kind.CHANGED


def change(kind: Kind, old: Row | None, row: Row) -> Change:
    return Change(
        name=row.name,
        kind=kind,
        before=old.state if old else "",
        after=row.state,
        detail=told(row),
        action=needs_action(kind, row),
    )


def told(row: Row) -> str:
    blame = row.blame
    if blame is None or blame.commit[:12] in row.detail:
        return row.detail
    number = f" (#{blame.number})" if blame.number else ""
    return f"{row.detail}; since {blame.commit[:12]}{number} of {blame.date}"


def needs_action(kind: Kind, row: Row) -> bool:
    """A moved head and a cure are news; all else is work, but where there is nothing to cure."""
    return kind not in {Kind.MOVED, Kind.FIXED} and row.state not in NOTHING_TO_CURE


def gone(row: Row) -> Change:
    detail = "it was there when last seen, and is not among the targets now"
    return Change(name=row.name, kind=Kind.GONE, before=row.state, after="", detail=detail, action=True)
