"""A git mail patch (`git format-patch --full-index`): its header, and the diff behind its separator."""

import re
from typing import TYPE_CHECKING

from bot.catalog import diff
from bot.catalog.diff import PatchProblem
from bot.model import FileChange, Value

if TYPE_CHECKING:
    from email.message import EmailMessage

ENVELOPE = re.compile(rb"From ([0-9a-f]{40}|[0-9a-f]{64}) .+")
SEPARATOR = b"---"
#: The last line of the overview that git puts between the separator and the diff.
OVERVIEW = re.compile(rb" [0-9]+ files? changed(, .*)?")
#: Lines of the mail and the diff that git itself writes, and always without a carriage return.
OWN = (b"From ", b"Subject: ", b"--- a/", b"diff --git ", b"index ", b"+++ b/", b"@@ -")


class MailHeader(Value, frozen=True, kw_only=True):
    """`author` as `Name <address>`, `date` as the mail has it, `subject` without its `[PATCH]`."""

    author: str
    date: str
    subject: str
    body: str


def parse(data: bytes) -> tuple[FileChange, ...]:
    """What the patch changes, file by file. Raises PatchProblem for all that we don't carry."""
    lines = split(data)
    cursor = diff.Cursor(lines=lines, at=diff_start(lines, separator(lines)))
    return diff.parse(cursor)


def header(data: bytes) -> MailHeader:
    """Raises PatchProblem when this is no mail, or its author, date or subject is missing."""
    lines = split(data)
    message = message_of(lines[1 : separator(lines)])
    for name in ("From", "Date", "Subject"):
        if not message[name]:
            raise PatchProblem(1, f"the mail has no {name} line")
    try:
        body = str(message.get_content()).strip()
    except LookupError:
        raise PatchProblem(1, "the mail's text has an unknown type or character set") from None
    return MailHeader(
        author=str(message["From"]),
        date=str(message["Date"]),
        subject=re.sub(r"^\[PATCH[^\]]*\]\s*", "", str(message["Subject"])),
        body=body,
    )


def message_of(lines: list[bytes]) -> "EmailMessage":
    import email
    import email.policy

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

    A message may hold `---` lines and diffs of its own. The true separator is followed by git's overview and
    then the diff; when no overview is left, the first `---` is taken, as `git am` does.
    """
    found = [at for at, line in enumerate(lines) if line == SEPARATOR]
    if not found:
        raise PatchProblem(len(lines), "no --- line between message and diff: make it without --no-stat")
    return next((at for at in found if has_overview(lines, at)), found[0])


def has_overview(lines: list[bytes], at: int) -> bool:
    between = [line for line in lines[at + 1 : diff_start(lines, at)] if line]
    return bool(between and OVERVIEW.fullmatch(between[-1]))


def diff_start(lines: list[bytes], at: int) -> int:
    """Index of the first line of the diff after the separator at `at`; the end when there is none."""
    after = range(at + 1, len(lines))
    return next((index for index in after if lines[index].startswith(diff.FILE)), len(lines))
