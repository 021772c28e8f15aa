"""The record of what was applied: written before the files are, with their bytes of before and after."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import msgspec

from bot.carry.applying import writing
from bot.carry.applying.judging import Change
from bot.carry.applying.place import Place
from bot.catalog import paths
from bot.errors import BotError
from bot.model import Patch, Value
from bot.model.patch import Sha256

SCHEMA = "upstream-bot/applied/1"
RECORD = "record.json"


class Stage(StrEnum):
    APPLYING = "applying"
    APPLIED = "applied"
    REVERSING = "reversing"


class File(Value, frozen=True, kw_only=True):
    path: str
    before: Sha256
    after: Sha256


class Record(Value, frozen=True, kw_only=True):
    """`target` is the branch or release; `date` is in UTC. The bytes lie beside it, named by SHA-256."""

    schema: str
    patch: str
    version: str
    patch_sha256: str
    target: str
    date: str
    stage: Stage
    files: tuple[File, ...]
    changes: tuple[Change, ...]

    @property
    def when(self) -> str:
        return self.date[:10]


class Standing(StrEnum):
    """What a recorded file holds now."""

    BEFORE = "before"
    AFTER = "after"
    OTHER = "other"


def folder(place: Place, patch: Patch) -> Path:
    return place.keeper / place.memory / patch.id


def digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def read(place: Place, patch: Patch) -> Record | None:
    """The record of this patch in this place. Raises BotError for one that cannot be ours."""
    name = f"{place.memory}/{patch.id}/{RECORD}"
    if why := writing.objection(place.keeper, name):
        raise BotError(f"the record in {place.keeper} is not used: {why}", "remove it")
    data = writing.read(place.keeper / name)
    if data is None:
        return None
    try:
        record = msgspec.json.decode(data, type=Record)
    except msgspec.DecodeError as error:
        raise BotError(f"{place.keeper / name} cannot be read: {error}", "remove it") from None
    for file in record.files:
        if why := paths.objection(file.path) or paths.host_objection(file.path):
            raise BotError(f"{place.keeper / name} names {file.path!r}: {why}", "remove it")
    return record


def keep(place: Place, patch: Patch, record: Record, texts: Mapping[str, bytes] = {}) -> None:
    """Write the texts that the record speaks of, by digest, and then the record, at once."""
    home = folder(place, patch)
    try:
        home.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write(home / name, text)
        write(home / RECORD, msgspec.json.format(msgspec.json.encode(record)) + b"\n")
    except OSError as error:
        hint = "make it writable, or run as the user who may write there"
        raise BotError(f"the record {home} cannot be written: {error.strerror}", hint) from None


def write(path: Path, data: bytes) -> None:
    half = path.with_name(f"{path.name}.new")
    half.unlink(missing_ok=True)  # foreign sources may come with a link of this name
    with half.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


def forget(place: Place, patch: Patch) -> None:
    """Remove the record, and its folder when no other patch has one there."""
    shutil.rmtree(folder(place, patch), ignore_errors=True)
    home = place.keeper / place.memory
    if home.is_dir() and not any(home.iterdir()):
        home.rmdir()


def standing(place: Place, file: File) -> Standing:
    text = writing.read(place.root / file.path)
    found = digest(text) if text is not None else ""
    return {file.before: Standing.BEFORE, file.after: Standing.AFTER}.get(found, Standing.OTHER)


def standings(place: Place, record: Record) -> set[Standing]:
    return {standing(place, file) for file in record.files}


def saved(place: Place, patch: Patch, name: str) -> bytes:
    """A text of the record. Raises BotError when it is gone or no longer what its name says."""
    text = writing.read(folder(place, patch) / name)
    if text is None or digest(text) != name:
        raise BotError(f"the record {folder(place, patch)} is damaged", recovery(place))
    return text


def recovery(place: Place) -> str:
    """How to get the untouched files back without a record."""
    way = f"`{place.removed_by}`" if place.removed_by else "the archive they came from"
    return f"get the untouched files back with {way}"
