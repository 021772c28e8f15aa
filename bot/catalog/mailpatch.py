"""A git mail patch (`git format-patch --full-index`): its header, and the diff behind its separator."""

import re
from email.errors import MessageError
from typing import TYPE_CHECKING

from bot.catalog import diff
from bot.catalog.diff import PatchProblem
from bot.model import FileChange, Value

if TYPE_CHECKING:
    from email.message import EmailMessage

ENVELOPE = re.compile(rb"From ([0-9a-f]{40}|[0-9a-f]{64}) .+")
SEPARATOR = b"---"
#: Bytes of the largest header that is read: git's own has a few hundred, and reading is slow.
LARGEST_HEADER = 4 * 1024
#: Where `git am` takes a message to end and the patch to begin (git's `mailinfo`: patchbreak).
BREAK = re.compile(rb"diff -.*|Index: .*|---[ \t]*|--- [^ ].*")
#: The last line of the overview that git puts between the separator and the diff.
OVERVIEW = re.compile(rb" [0-9]+ files? changed(, .*)?")
#: What no overview and no remark begins with.
LOST = re.compile(rb"@@ -|\+\+\+ |--- |index [0-9a-f]|diff ")
#: Lines of the mail and the diff that git itself writes, and always without a carriage return.
OWN = (b"From ", b"Subject: ", b"--- a/", b"diff --git ", b"index ", b"+++ b/", b"@@ -")


class MailHeader(Value, frozen=True, kw_only=True):
    """`author` as `Name <address>`, `date` as the mail has it, `subject` without its `[PATCH]`."""

    author: str
    date: str
    subject: str
    body: str


def parse(data: bytes) -> tuple[FileChange, ...]:
    """What the patch changes, file by file. Raises PatchProblem for the first thing that we don't carry."""
    content = examine(data)
    for problem in content.problems:
        raise problem
    return tuple(content.changes.values())


def examine(data: bytes) -> diff.Content:
    """What the patch changes, and all that we don't carry, file by file."""
    try:
        lines = split(data)
        above = separator(lines)
        start = diff.next_file(lines, above + 1)
        refuse_lost(lines[above + 1 : start], above + 1)
    except PatchProblem as problem:
        return diff.Content(problems=[problem])
    return diff.read(diff.Cursor(lines=lines, at=start))


def refuse_lost(between: list[bytes], first: int) -> None:
    """Only the overview and people's remarks stand above the diff, never a diff that lost its head."""
    for at, line in enumerate(between, start=first + 1):
        if LOST.match(line):
            raise PatchProblem(
                at, "this line is of a diff and belongs to no file: the line above it is damaged"
            )


def header(data: bytes) -> MailHeader:
    """Raises PatchProblem when this is no mail, or its author, date or subject is missing."""
    lines = split(data)
    try:
        return header_of(message_of(lines[1 : separator(lines)]))
    # The mail parser of the standard library raises all these on mail that nobody writes.
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError, MessageError):
        why = "the mail's header or text cannot be read: an unknown type or character set, or damage"
        raise PatchProblem(1, why) from None


def header_of(message: "EmailMessage") -> MailHeader:
    for name in ("From", "Date", "Subject"):
        if not message[name]:
            raise PatchProblem(1, f"the mail has no {name} line")
    return MailHeader(
        author=str(message["From"]),
        date=str(message["Date"]),
        subject=re.sub(r"^\[PATCH[^\]]*\]\s*", "", str(message["Subject"])),
        body=str(message.get_content()).strip(),
    )


def message_of(lines: list[bytes]) -> "EmailMessage":
    import email
    import email.policy

    head = lines.index(b"") if b"" in lines else len(lines)
    if sum(map(len, lines[:head])) > LARGEST_HEADER:
        raise PatchProblem(1, f"the mail's header is larger than {LARGEST_HEADER // 1024} KiB")
    message = email.message_from_bytes(b"\n".join(lines), policy=email.policy.default)
    if message.is_multipart():
        raise PatchProblem(1, "the mail has attachments")
    return message


def split(data: bytes) -> list[bytes]:
    """The lines without their line feeds. Raises PatchProblem when this is no undamaged git mail."""
    if not data.strip():
        raise PatchProblem(1, "the patch is empty")
    if not data.endswith(b"\n"):
        raise PatchProblem(data.count(b"\n") + 1, "the patch is cut off: its last line has no end")
    lines = data[:-1].split(b"\n")
    for at, line in enumerate(lines, start=1):
        if line.endswith(b"\r") and line.startswith(OWN):
            raise PatchProblem(
                at, "the patch has changed line ends (CRLF): mark *.patch as -text and check out again"
            )
    if not ENVELOPE.fullmatch(lines[0]):
        raise PatchProblem(1, "this is no git mail patch: make it with git format-patch --full-index")
    return lines


def separator(lines: list[bytes]) -> int:
    """Index of the `---` line that ends the message.

    A message may hold `---` lines and diffs of its own. The true separator is the last one before git's
    overview and the diff; when no overview is left, the first `---` is taken, as `git am` does.
    """
    found = [at for at, line in enumerate(lines) if line == SEPARATOR]
    if not found:
        raise PatchProblem(len(lines), "no --- line between message and diff: make it without --no-stat")
    overviews = overview_ends(lines)
    first = next((at for at in found if overviews[at]), None)
    if first is None:
        return found[0]
    end = diff.next_file(lines, first + 1)
    return max(at for at in found if at < end)


def cut(data: bytes) -> int | None:
    """The first line, 1-based, at which `git am` would end the message too early; None where it would not."""
    lines = split(data)
    message = range(lines.index(b"") if b"" in lines else len(lines), separator(lines))
    return next((at + 1 for at in message if BREAK.fullmatch(lines[at])), None)


def overview_ends(lines: list[bytes]) -> list[bool]:
    """For each line whether the last words between it and the next diff are git's overview; in one pass."""
    told, ends = False, [False] * len(lines)
    waiting = True
    for at in range(len(lines) - 1, -1, -1):
        ends[at] = told
        if lines[at].startswith(diff.FILE):
            told, waiting = False, True
        elif waiting and lines[at]:
            told, waiting = bool(OVERVIEW.fullmatch(lines[at])), False
    return ends
