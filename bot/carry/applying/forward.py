"""The patch put in: only where the survey says that it applies exactly, and all files or none."""

from contextlib import ExitStack
from datetime import UTC, datetime

from msgspec import structs

from bot.carry.applying import judging, records, writing
from bot.carry.applying.outcome import Deed, Outcome, refused
from bot.carry.applying.place import Place
from bot.carry.applying.records import File, Record, Stage, Standing
from bot.model import Patch, State


def check(patch: Patch, place: Place) -> Outcome:
    """What applying would do; nothing is written in the place. Raises BotError where we may not write."""
    record = records.read(place, patch)
    if why := objection(patch, place, record):
        return refused(why)
    if record and record.stage is not Stage.APPLIED:
        return unfinished(place, record)
    if record and records.standings(place, record) == {Standing.AFTER}:
        return already(patch, record)
    return fitting(patch, place)


def objection(patch: Patch, place: Place, record: Record | None) -> str:
    """Why one of the files must not be touched, whatever it holds."""
    paths = [change.path for change in judging.files(patch, place)]
    paths += [file.path for file in record.files] if record else []
    return next(filter(None, (writing.objection(place.root, path) for path in paths)), "")


def unfinished(place: Place, record: Record) -> Outcome:
    for file in record.files:
        if records.standing(place, file) is Standing.OTHER:
            return refused(
                f"a run of {record.when} was interrupted, and {file.path} was changed since: "
                f"put the file in order by hand, {records.recovery(place)}, and remove {place.memory}"
            )
    count = sum(records.standing(place, file) is Standing.AFTER for file in record.files)
    return Outcome(
        deed=Deed.INTERRUPTED,
        reason=f"a run of {record.when} was interrupted with {count} of {len(record.files)} files patched: "
        "the next run without --check puts them back first",
        record=record,
    )


def already(patch: Patch, record: Record) -> Outcome:
    if record.patch_sha256 != patch.patch_sha256:
        return refused(
            f"{record.version} is applied here since {record.when}: take it back with --reverse, "
            f"then apply {patch.version.id}"
        )
    return Outcome(
        deed=Deed.ALREADY, reason=f"applied on {record.when}", changes=record.changes, record=record
    )


def fitting(patch: Patch, place: Place) -> Outcome:
    """Ask the survey. Only an exact application is carried out."""
    texts = {change.path: writing.read(place.root / change.path) for change in judging.files(patch, place)}
    found = judging.judge(patch, place, texts)
    if found.state is not State.APPLIES_EXACT:
        return refused(found.detail, found.state, judging.explain(place, found.state, texts))
    writing.check_writable(place.keeper, [place.root / path for path in texts])
    return Outcome(
        deed=Deed.FITS,
        state=found.state,
        reason=found.detail,
        changes=judging.changes(patch, place, found.spots),
        now={path: text for path, text in texts.items() if text is not None},
        wanted=found.patched,
    )


def apply(patch: Patch, place: Place) -> Outcome:
    """Put the patch in; the caller holds the place's lock. Raises BotError for what the system refuses."""
    found = check(patch, place)
    if found.record and found.deed is Deed.INTERRUPTED:
        note = mend(patch, place, found.record)
        found = structs.replace(check(patch, place), notes=(note,))
    if found.deed is not Deed.FITS:
        return found
    record = describe(patch, place, found, Stage.APPLYING)
    records.forget(place, patch)
    records.keep(place, patch, record, texts(found))
    with ExitStack() as undo:
        undo.callback(records.forget, place, patch)
        writing.replace_all(place.root, found.wanted)
        undo.pop_all()
    records.keep(place, patch, structs.replace(record, stage=Stage.APPLIED))
    return structs.replace(found, deed=Deed.APPLIED)


def mend(patch: Patch, place: Place, record: Record) -> str:
    """Put back what an interrupted run changed, and say so."""
    names = {file.path: file.before for file in record.files}
    writing.drop_halves(place.root, names)
    before = {path: records.saved(place, patch, name) for path, name in names.items()}
    writing.put_back(place.root, before)
    records.forget(place, patch)
    return f"a run of {record.when} was interrupted: its files were put back first"


def describe(patch: Patch, place: Place, found: Outcome, stage: Stage) -> Record:
    """The record of a change from `now` to `wanted`."""
    return Record(
        schema=records.SCHEMA,
        patch=patch.id,
        version=patch.version.id,
        patch_sha256=patch.patch_sha256,
        target=place.name,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        stage=stage,
        files=tuple(
            File(path=path, before=records.digest(found.now[path]), after=records.digest(text))
            for path, text in found.wanted.items()
        ),
        changes=found.changes,
    )


def texts(found: Outcome) -> dict[str, bytes]:
    """All bytes that a record speaks of, by their digest."""
    return {records.digest(text): text for text in (*found.now.values(), *found.wanted.values())}
