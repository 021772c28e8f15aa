"""The patch taken back: to bytes that the record kept, or that another than us vouches for."""

from contextlib import ExitStack

from msgspec import structs

from bot import git
from bot.carry.applying import forward, judging, records, writing
from bot.carry.applying.outcome import Deed, Outcome, refused
from bot.carry.applying.place import Place
from bot.carry.applying.records import File, Record, Stage, Standing
from bot.model import FileChange, Patch, State
from bot.survey import apply, hunks


def check(patch: Patch, place: Place) -> Outcome:
    """What taking back would do; nothing is written in the place. Raises BotError where we may not write."""
    record = records.read(place, patch)
    if why := forward.objection(patch, place, record):
        return refused(why)
    if record is None:
        return unrecorded(patch, place)
    if record.stage is not Stage.APPLIED:
        return forward.unfinished(place, record)
    standings = {file: records.standing(place, file) for file in record.files}
    for file, found in standings.items():
        if found is Standing.OTHER:
            return refused(difference(patch, place, record, file))
    patched = [file for file, found in standings.items() if found is Standing.AFTER]
    if not patched:
        reason = "its files are already as they were before"
        return Outcome(deed=Deed.NOTHING, reason=reason, record=record)
    writing.check_writable(place.keeper, [place.root / file.path for file in patched])
    return Outcome(
        deed=Deed.REVERSIBLE,
        reason=f"applied on {record.when}",
        changes=record.changes,
        record=record,
        now={file.path: records.saved(place, patch, file.after) for file in patched},
        wanted={file.path: records.saved(place, patch, file.before) for file in patched},
    )


def difference(patch: Patch, place: Place, record: Record, file: File) -> str:
    """Why a file is no longer what was written, or from where on."""
    now = writing.read(place.root / file.path)
    if now is None:
        return f"{file.path} is gone"
    if record.target != place.name:
        return f"it was applied to {record.target}, and this is {place.name}: {file.path} is another"
    ours, theirs = (hunks.split(text) for text in (records.saved(place, patch, file.after), now))
    same = next((at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    line = min(len(ours), len(theirs)) if same is None else same
    return f"{file.path} was changed since it was written: it differs from line {line + 1} on"


def unrecorded(patch: Patch, place: Place) -> Outcome:
    """Without a record the hunks are inverted, which gives nothing but a guess at the bytes of before.

    The guess counts only where its digest is the one that another has for these bytes: pip's RECORD, the
    checked-out commit, or the commit that the patch was made on. A cure that came with the release itself
    is so never taken out.
    """
    changes = judging.files(patch, place)
    texts = {change.path: writing.read(place.root / change.path) for change in changes}
    guesses = {change.path: guess(change, texts[change.path]) for change in changes}
    if all(vouched(place, change, guesses[change.path]) for change in changes):
        return vouched_for(patch, place, texts, guesses)
    found = judging.judge(patch, place, texts)
    if found.state is State.APPLIES_EXACT:
        return Outcome(deed=Deed.NOTHING, state=found.state, reason="the patch is not applied here")
    if found.state is State.UPSTREAM_IDENTICAL:
        reason = f"{found.detail}, but no record says that we put it there"
        return refused(reason, found.state, records.recovery(place))
    return refused(found.detail, found.state, judging.explain(place, found.state, texts))


def vouched_for(patch: Patch, place: Place, texts: judging.Texts, guesses: judging.Texts) -> Outcome:
    """The patch must fit the bytes of before as strictly as if it were applied anew, and give these files."""
    found = judging.judge(patch, place, guesses)
    if found.state is not State.APPLIES_EXACT or found.patched != texts:
        return refused(f"taking it back would not be undone by applying it: {found.detail}", found.state)
    writing.check_writable(place.keeper, [place.root / path for path in texts])
    who = place.voucher or "the patch"
    return Outcome(
        deed=Deed.REVERSIBLE,
        reason=f"there is no record of it, but {who} has the digest of the bytes of before",
        changes=judging.changes(patch, place, found.spots),
        now=found.patched,
        wanted={path: text for path, text in guesses.items() if text is not None},
    )


def guess(change: FileChange, text: bytes | None) -> bytes | None:
    if text is None:
        return None
    return apply.apply(text, [hunks.invert(hunk) for hunk in change.hunks]).data


def vouched(place: Place, change: FileChange, text: bytes | None) -> bool:
    if text is None:
        return False
    sizes = (len(change.old_blob), len(place.origin.get(change.path, "")))
    known = {records.digest(text), *(git.object_id("blob", text, size) for size in sizes)}
    return bool(known & {change.old_blob, place.origin.get(change.path)})


def reverse(patch: Patch, place: Place) -> Outcome:
    """Take the patch back; the caller holds the place's lock. Raises BotError for what the system refuses."""
    found = check(patch, place)
    if found.record and found.deed is Deed.INTERRUPTED:
        note = forward.mend(patch, place, found.record)
        found = structs.replace(check(patch, place), notes=(note,))
    if found.deed is Deed.NOTHING and found.record:
        records.forget(place, patch)
    if found.deed is not Deed.REVERSIBLE:
        return found
    take_back(patch, place, found)
    return structs.replace(found, deed=Deed.REVERSED)


def take_back(patch: Patch, place: Place, found: Outcome) -> None:
    """Write the files; a run that is killed meanwhile is finished by the next one."""
    swapped = structs.replace(found, now=found.wanted, wanted=found.now)
    record = found.record or forward.describe(patch, place, swapped, Stage.REVERSING)
    records.keep(place, patch, structs.replace(record, stage=Stage.REVERSING), forward.texts(found))
    with ExitStack() as undo:
        undo.callback(restore, patch, place, found.record)
        writing.replace_all(place.root, found.wanted)
        undo.pop_all()
    records.forget(place, patch)


def restore(patch: Patch, place: Place, record: Record | None) -> None:
    if record:
        records.keep(place, patch, record)
    else:
        records.forget(place, patch)
