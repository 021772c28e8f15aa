"""From a moved branch to the next version of a patch, made and checked outside the patch's folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import structs

from bot import git, survey, upstream
from bot.carry.refreshing import mail, message, successor
from bot.carry.refreshing.mail import Text
from bot.carry.refreshing.successor import Choice, Successor
from bot.catalog import mailpatch
from bot.catalog.diff import PatchProblem
from bot.errors import BotError, Exit
from bot.model import PROVABLE, FileChange, Patch, Ref, Row, State, Subject, Value
from bot.model.patch import Base
from bot.survey import apply
from bot.upstream.choosing import is_glob


class Wish(Value, frozen=True, kw_only=True):
    """What people asked for; an empty `variant` is the branch's own; no `words`, the message stays."""

    patch: Patch
    branch: str
    variant: str = ""
    words: str | None = None


class Draft(Value, frozen=True, kw_only=True):
    """The next version of a patch, not published yet. `indented`: lines of the message that would cut it."""

    row: Row
    subject: Subject
    choice: Choice
    made: Successor
    path: str
    range_diff: str
    indented: tuple[str, ...] = ()
    carriage_returns: bool = False


class Refused(Value, frozen=True, kw_only=True):
    """The branch is in a state that no version can be made on."""

    row: Row


class Unmoved(Value, frozen=True, kw_only=True):
    """The file that the branch takes was made on these very texts."""

    row: Row
    path: str


def draft(wish: Wish, source: upstream.Upstream, scratch: Path) -> Draft | Refused | Unmoved:
    """Judge the branch and make the next version for it. Raises BotError for what people must mend."""
    choice = successor.choose(wish.patch, wish.branch, wish.variant)
    patch = successor.alone(wish.patch, choice.source)
    subject = look(source, patch, find(source, wish.branch))
    changes = patch.variants[choice.source.path]
    if subject.row.state not in PROVABLE:
        return Refused(row=subject.row)
    if wish.words is None and not choice.fresh and is_unmoved(subject, changes):
        return Unmoved(row=subject.row, path=choice.source.path)
    return make(wish, choice, source.store, subject, scratch)


def find(source: upstream.Upstream, branch: str) -> Ref:
    if not source.has_history:
        hint = "give a repository or a clone of it with --upstream"
        raise BotError(f"{source.spec} has releases, and a version is made on a commit of a branch", hint)
    if is_glob(branch):
        raise BotError(f"{branch!r} is a pattern", "a version is made on one branch: name it in full")
    (ref,) = source.fetch(source.find([branch], []))
    return ref


def look(source: upstream.Upstream, patch: Patch, ref: Ref) -> Subject:
    bring(source, patch, [ref])
    (subject,) = survey.subjects(source.store, patch, [ref], has_history=True)
    return subject


def bring(source: upstream.Upstream, patch: Patch, refs: Sequence[Ref]) -> None:
    """Bring what the survey reads: the patch's files on each ref, and where the patch was made."""
    paths = sorted({change.path for changes in patch.variants.values() for change in changes})
    base = patch.version.base.commit
    heads = [ref.head for ref in refs if ref.head]
    for commit in dict.fromkeys([*heads, *([base] if source.bring_commit(base) else [])]):
        source.bring_files(commit, paths)


def is_unmoved(subject: Subject, changes: Sequence[FileChange]) -> bool:
    exact = subject.row.state is State.APPLIES_EXACT
    return exact and all(subject.before_blobs.get(change.path) == change.old_blob for change in changes)


def make(wish: Wish, choice: Choice, store: git.Repo, subject: Subject, scratch: Path) -> Draft:
    """Make the file as git does, read it back as we and `git am` do, and compare it with the one before."""
    old = (wish.patch.folder / choice.source.path).read_bytes()
    repo = mail.repository(scratch / "repository.git", len(subject.head or ""))
    origin = mail.origin(repo, old)
    words = origin.message if wish.words is None else message.from_file(wish.words)
    kept, indented = message.keep_whole(words)
    texts = texts_of(store, subject)
    commit = mail.commit(repo, texts, message.Mail(author=origin.author, message=kept))
    data = mail.export(repo, commit)
    mail.refuse_lossy(repo, data, kept)
    refuse_unsteady(repo, data, texts)
    base = Base(commit=subject.head or "", blobs=dict(subject.before_blobs))
    made = successor.follow(wish.patch, choice, data, base)
    earlier = texts_before(store, wish.patch.variants[choice.source.path], texts)
    return Draft(
        row=subject.row,
        subject=subject,
        choice=choice,
        made=made,
        path=next(path for path, text in made.contents.items() if text is data),
        range_diff=mail.compare(repo, mail.commit(repo, earlier, origin), commit) if earlier else "",
        indented=indented,
        carriage_returns=any(b"\r\n" in text.before for text in texts.values()),
    )


def texts_of(store: git.Repo, subject: Subject) -> dict[str, Text]:
    """The branch's files on both sides, with their modes there."""
    paths = sorted(subject.before_blobs)
    modes = {entry.path: entry.mode for entry in git.list_files(store, subject.head or "", paths)}
    data = git.contents(store, [*subject.before_blobs.values(), *subject.after_blobs.values()])
    return {
        path: Text(
            mode=modes[path],
            before=data[subject.before_blobs[path]],
            after=data[subject.after_blobs[path]],
        )
        for path in paths
    }


def texts_before(
    store: git.Repo, changes: Sequence[FileChange], texts: Mapping[str, Text]
) -> dict[str, Text]:
    """The files that the old version was made on, in both states; nothing when the store lacks one."""
    entries = git.look_up(store, [change.old_blob for change in changes])
    if not all(entries.values()):
        return {}
    data = git.contents(store, entries)
    found = {}
    for change in changes:
        before = data[change.old_blob]
        after = apply.apply(before, change.hunks).data
        found[change.path] = Text(mode=texts[change.path].mode, before=before, after=after or before)
    return found


def refuse_unsteady(repo: git.Repo, data: bytes, texts: Mapping[str, Text]) -> None:
    """Raise BotError unless the new file, read, applied and made once more, is the same to the byte."""
    again = {}
    for change in read_changes(data):
        text = texts[change.path]
        after = apply.apply(text.before, change.hunks).data
        again[change.path] = structs.replace(text, after=after or b"")
    if again != texts or mail.export(repo, mail.commit(repo, again, mail.origin(repo, data))) != data:
        hint = "this is a bug of upstream-bot: please report it with the patch"
        raise BotError("the new patch file is not what comes of it a second time", hint, Exit.BUG)


def read_changes(data: bytes) -> tuple[FileChange, ...]:
    try:
        return mailpatch.parse(data)
    except PatchProblem as problem:
        why = f"the new patch file would be refused on line {problem.line}: {problem.why}"
        raise BotError(why, "make the version by hand") from None
