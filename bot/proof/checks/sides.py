"""Both sides of every target, read from the object store: touched files, and upstream's settings."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from bot import git
from bot.model import Subject, Value
from bot.proof import trees
from bot.proof.checks import settings
from bot.proof.checks.order import Side


class Sides(Value, frozen=True, kw_only=True):
    """A target's two sides, or why they cannot be had.

    Both are judged by the settings of the tree before: a proposal cannot mute the tools that look at it.
    """

    before: Side = Side(settings={}, files={})
    after: Side = Side(settings={}, files={})
    problem: str = ""


def read(store: git.Repo, subjects: Sequence[Subject]) -> dict[str, Sides]:
    """Return the sides of each subject by its name. Raises BotError when git fails."""
    found = {subject.name: settings_of(store, subject) for subject in subjects}
    wanted = {
        subject.name: (found[subject.name], subject.before_blobs, subject.after_blobs) for subject in subjects
    }
    ids = {oid for blobs in wanted.values() for part in blobs for oid in part.values()}
    entries = git.look_up(store, sorted(ids))
    data = git.contents(store, [oid for oid in sorted(ids) if entries[oid]])
    return {name: gather(blobs, data) for name, blobs in wanted.items()}


def settings_of(store: git.Repo, subject: Subject) -> dict[str, str]:
    """Return the blob of each settings file by name."""
    assert subject.before_tree  # noqa: S101 (only subjects with two trees are checked)
    entries = git.list_files(store, subject.before_tree, settings.NAMES)
    return {one.path: one.id for one in entries if one.path in settings.NAMES and one.mode in trees.REGULAR}


def gather(blobs: Sequence[Mapping[str, str]], data: Mapping[str, bytes]) -> Sides:
    if any(map(leads_out, (*blobs[1], *blobs[2]))):
        return Sides(problem="the patch touches a path that leads out of the tree")
    lacking = sorted({path for part in blobs for path, oid in part.items() if oid not in data})
    if lacking:
        return Sides(problem=f"the store lacks {lacking[0]}; fetch again")
    found, before, after = ({path: data[oid] for path, oid in part.items()} for part in blobs)
    return Sides(before=Side(settings=found, files=before), after=Side(settings=found, files=after))


def leads_out(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return path.startswith("/") or bool({"..", ".git"} & set(parts))
