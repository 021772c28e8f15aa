"""The diff of a git mail patch, read strictly: text changes of files that exist, with full context."""

import hashlib
import re
from dataclasses import dataclass, field

from bot.catalog import paths
from bot.model import FileChange, Hunk

#: As many unchanged lines on each side of a change as git gives by default.
CONTEXT = 3
FILE = b"diff --git "
INDEX = re.compile(rb"index ([0-9a-f]+)\.\.([0-9a-f]+)(?: ([0-7]+))?")
HUNK = re.compile(rb"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@(?: .*)?")
SPECIAL = {b"120000": "a symbolic link", b"160000": "a submodule"}
REFUSED = (
    (b"old mode", "a change of mode is not carried"),
    (b"new mode", "a change of mode is not carried"),
    (b"new file mode", "a new file is not carried"),
    (b"deleted file mode", "a deleted file is not carried"),
    (b"rename ", "a rename is not carried"),
    (b"copy ", "a copy is not carried"),
    (b"similarity index", "a rename or copy is not carried"),
    (b"dissimilarity index", "a rewrite is not carried"),
    (b"Binary files", "a binary patch is not carried"),
    (b"GIT binary patch", "a binary patch is not carried"),
)


#: Problems of one patch after which nobody reads on.
MOST = 50
#: What to do about damage.
MAKE = "make the file with `git format-patch -1 --full-index`, and pin its SHA-256"
#: What to do about a change that is no change of text.
TEXT_ONLY = "leave this out: a patch changes the text of plain files that exist, and no more"


class PatchProblem(Exception):  # noqa: N818 (it says what is wrong with a patch; the loader makes the error)
    """What is wrong with a patch file, and what to do; `line` is 1-based."""

    def __init__(self, line: int, why: str, hint: str = MAKE) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why
        self.hint = hint


@dataclass(kw_only=True)
class Cursor:
    """The lines of a patch without their line feeds, read one after the other."""

    lines: list[bytes]
    at: int = 0

    def peek(self) -> bytes | None:
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self) -> bytes:
        line = self.peek()
        if line is None:
            raise self.problem("the patch ends too early")
        self.at += 1
        return line

    def problem(self, why: str, back: int = 0, hint: str = MAKE) -> PatchProblem:
        return PatchProblem(self.at + 1 - back, why, hint)


@dataclass(kw_only=True)
class Content:
    """The changes of a patch that are right, each with its first line, and what is wrong with the others."""

    changes: dict[str, FileChange] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[PatchProblem] = field(default_factory=list)


def read(cursor: Cursor) -> Content:
    """Everything from here to the end: after a problem it goes on with the next file."""
    content = Content()
    while cursor.peek() is not None and len(content.problems) < MOST:
        start = cursor.at
        try:
            read_part(cursor, content)
        except PatchProblem as problem:
            content.problems.append(problem)
            cursor.at = next_file(cursor.lines, start + 1)
    if not content.changes and not content.problems:
        content.problems.append(cursor.problem("the patch holds no diff"))
    return content


def read_part(cursor: Cursor, content: Content) -> None:
    """One file change; or the rest, where only git's own signature may stand."""
    start, line = cursor.at, cursor.peek()
    if line is None or not line.startswith(FILE):
        refuse_rest(cursor)
        return
    change = parse_file(cursor)
    if change.path in content.changes:
        raise PatchProblem(start + 1, f"{change.path} is changed in two places of the patch")
    content.changes[change.path] = change
    content.lines[change.path] = start + 1


def next_file(lines: list[bytes], at: int) -> int:
    """Index of the first line of a file's diff from `at` on; the end when there is none."""
    return next((index for index in range(at, len(lines)) if lines[index].startswith(FILE)), len(lines))


def refuse_rest(cursor: Cursor) -> None:
    if cursor.peek() == b"-- ":
        cursor.at += 2
    while (line := cursor.peek()) is not None:
        if line:
            raise cursor.problem("a hunk's counts are wrong, or this line belongs to no file")
        cursor.at += 1


def parse_file(cursor: Cursor) -> FileChange:
    path = parse_path(cursor)
    old, new = parse_index(cursor)
    for side in (b"--- a/", b"+++ b/"):
        # git ends a name that holds a blank with a tab, so that tools find its end.
        name = side + path.encode()
        if take_header(cursor) not in {name, name + b"\t"}:
            raise cursor.problem(f"this is not the {side[:3].decode()} line of {path}", back=1)
    first, hunks = cursor.at, []
    while (line := cursor.peek()) is not None and line.startswith(b"@@"):
        hunks.append(parse_hunk(cursor))
    if not hunks:
        raise cursor.problem(f"{path} has no hunk")
    for why in (order_objection(hunks), context_objection(hunks, old)):
        if why:
            raise PatchProblem(first + 1, f"{path}: {why}")
    return FileChange(path=path, old_blob=old, new_blob=new, hunks=tuple(hunks))


def parse_path(cursor: Cursor) -> str:
    raw = cursor.take()[len(FILE) :]
    if b'"' in raw:
        raise cursor.problem("a quoted path is not carried", back=1)
    try:
        names = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise cursor.problem("a path is not UTF-8", back=1) from None
    if not names.startswith("a/"):
        hint = "make it without --no-prefix, --relative and other prefixes than git's own"
        raise cursor.problem("the names don't begin with a/ and b/: a wrong strip level", 1, hint)
    path = names[2 : 2 + (len(names) - len("a/ b/")) // 2]
    if names != f"a/{path} b/{path}":
        raise cursor.problem("the two names differ: a rename or copy is not carried", 1, TEXT_ONLY)
    if why := paths.objection(path):
        hint = "name a plain file of upstream, from the root of its tree"
        raise cursor.problem(f"the path {path!r} is not carried: {why}", 1, hint)
    if why := paths.host_objection(path):
        raise cursor.problem(f"{path} is not carried: {why}", 1, "leave this file out of the patch")
    return path


def take_header(cursor: Cursor) -> bytes:
    """The next line before the hunks, unless it says that this is more than a change of text."""
    line = cursor.take()
    for mode, what in SPECIAL.items():
        if line.endswith(b" " + mode):
            raise cursor.problem(f"{what} is not carried", 1, TEXT_ONLY)
    for start, why in REFUSED:
        if line.startswith(start):
            raise cursor.problem(why, 1, TEXT_ONLY)
    return line


def parse_index(cursor: Cursor) -> tuple[str, str]:
    line = take_header(cursor)
    found = INDEX.fullmatch(line)
    if not found:
        raise cursor.problem("the blob ids are missing here: make the patch with --full-index", back=1)
    old, new = found[1].decode(), found[2].decode()
    if len(old) not in {40, 64} or len(new) != len(old):
        raise cursor.problem("the blob ids are abbreviated: make the patch with --full-index", back=1)
    if found[3] not in {b"100644", b"100755"} or not old.strip("0") or not new.strip("0"):
        raise cursor.problem("only changes of plain files that exist are carried", back=1)
    if old == new:
        raise cursor.problem("both blob ids are the same", back=1)
    return old, new


def parse_hunk(cursor: Cursor) -> Hunk:
    found = HUNK.fullmatch(cursor.take())
    if not found:
        raise cursor.problem("this is no hunk header", back=1)
    old_start, old_count, new_start, new_count = (1 if part is None else int(part) for part in found.groups())
    head, lines = cursor.at, parse_lines(cursor, old_count, new_count)
    if not any(line[:1] in {b"+", b"-"} for line in lines):
        raise PatchProblem(head, "this hunk changes nothing")
    return Hunk(
        old_start=old_start,
        old_count=old_count,
        new_start=new_start,
        new_count=new_count,
        lines=lines,
    )


def parse_lines(cursor: Cursor, old: int, new: int) -> tuple[bytes, ...]:
    """The lines of a hunk with `old` and `new` lines on its sides, and whether each ends in a line feed."""
    lines: list[bytes] = []
    ended: set[bytes] = set()
    while old > 0 or new > 0:
        line = cursor.take()
        kind = line[:1]
        if kind in ended:
            raise cursor.problem("a line follows the one that is said to be the file's last", back=1)
        if kind not in {b" ", b"+", b"-"}:
            raise cursor.problem(
                "this line is not of the hunk: its counts are wrong, or blanks were lost", back=1
            )
        old -= kind != b"+"
        new -= kind != b"-"
        if old < 0 or new < 0:
            raise cursor.problem("the hunk's counts are wrong", back=1)
        lines.append(line + b"\n")
        if (cursor.peek() or b"").startswith(b"\\ No newline"):
            cursor.take()
            lines[-1] = line
            ended |= {kind, b" "} if kind != b" " else {b"+", b"-", b" "}
    return tuple(lines)


def order_objection(hunks: list[Hunk]) -> str:
    """Hunks must follow each other, and their two starts must differ by what the earlier ones added."""
    end, grown = 1, 0
    for hunk in hunks:
        if hunk.old_start < end or hunk.old_count < 1:
            return "its hunks overlap, are out of order, or have no context"
        # A side with no line is said to start one line earlier.
        if hunk.new_start != hunk.old_start + grown - (hunk.new_count < 1):
            return "the starts of its hunks don't fit their counts"
        if hunk is not hunks[-1] and not all(line.endswith(b"\n") for line in hunk.lines):
            return "a hunk follows the one that ends the file"
        end = hunk.old_start + hunk.old_count
        grown += hunk.new_count - hunk.old_count
    return ""


def context_objection(hunks: list[Hunk], old_blob: str) -> str:
    """Fewer lines of context are right only where the file has no more: at its first line and at its end."""
    thin = "it has fewer than three lines of context: make the patch without -U"
    if len(hunks) == 1 and hunks[0].old_start == 1 and whole(hunks[0], old_blob):
        return ""
    for hunk in hunks:
        before, after = context(hunk.lines), context(hunk.lines[::-1])
        if before < CONTEXT and hunk.old_start != 1:
            return thin
        if after < CONTEXT and (hunk is not hunks[-1] or hunk.old_start == 1):
            return thin
    return ""


def context(lines: tuple[bytes, ...]) -> int:
    """How many unchanged lines there are before the first changed one."""
    return next(at for at, line in enumerate(lines) if line[:1] != b" ")


def whole(hunk: Hunk, old_blob: str) -> bool:
    """Whether the hunk's old side is the whole file: then its bytes have the old blob's id."""
    old = b"".join(line[1:] for line in hunk.lines if line[:1] != b"+")
    name = "sha1" if len(old_blob) == len("0" * 40) else "sha256"
    return hashlib.new(name, b"blob %d\0" % len(old) + old, usedforsecurity=False).hexdigest() == old_blob
