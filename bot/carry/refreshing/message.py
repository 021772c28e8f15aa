"""A patch's commit message: read from its mail or a file, and made such that `git am` keeps all of it."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.policy import compat32
from email.utils import parseaddr
from typing import TYPE_CHECKING

from bot.catalog import mailpatch
from bot.catalog.diff import PatchProblem
from bot.errors import BotError
from bot.model import Value

if TYPE_CHECKING:
    from email.message import EmailMessage

#: Where `git mailinfo` takes the message to end: a diff, or a rule that parts it from one.
CUTS = re.compile(r"diff -|Index: |--- \S|---\s*$")
#: What `git mailsplit` takes for the first line of the next mail.
NEXT_MAIL = re.compile(r"From .*\d.\d\d:\d\d")
#: What `git mailinfo` takes, in the message's first lines, for headers of the mail.
HEADER = re.compile(r"(from|subject|date):|\[PATCH\]\s|>From\s", re.IGNORECASE)


class Author(Value, frozen=True, kw_only=True):
    """`date` as the mail has it."""

    name: str
    email: str
    date: str


class Message(Value, frozen=True, kw_only=True):
    """One line of subject; a body without blank lines or line feeds at its ends, perhaps empty."""

    subject: str
    body: str = ""

    @property
    def text(self) -> str:
        return f"{self.subject}\n\n{self.body}\n" if self.body else f"{self.subject}\n"


class Mail(Value, frozen=True, kw_only=True):
    """What a patch's mail says beside its diff."""

    author: Author
    message: Message


def open_mail(data: bytes) -> "EmailMessage":
    """The mail up to the true separator. Raises BotError for one with attachments."""
    try:
        lines = mailpatch.split(data)
        return mailpatch.message_of(lines[1 : mailpatch.separator(lines)])
    except PatchProblem as problem:
        why = f"the patch's mail cannot be read: {problem.why}"
        raise BotError(why, "make it with git format-patch") from None


def name_of(data: bytes, seen: Author) -> str:
    """The author's name, for which `git mailinfo` puts the address when it is very short or long."""
    if seen.name != seen.email:
        return seen.name
    # The older of Python's two policies: the newer one parts letters that two encoded words share.
    header = message_from_bytes(data.partition(b"\n")[2], policy=compat32)["From"]
    name, email = parseaddr(str(header))
    if not name or email != seen.email:
        return seen.name
    try:
        return str(make_header(decode_header(name)))
    except (HeaderParseError, LookupError, UnicodeDecodeError):
        return seen.name


def body_of(data: bytes) -> str:
    """The message below the mail's header, as `git stripspace` leaves it."""
    mail = open_mail(data)
    raw = mail.get_payload(decode=True)
    return tidy(decode(raw if isinstance(raw, bytes) else b"", mail.get_content_charset()))


def decode(raw: bytes, charset: str | None) -> str:
    """As git does it: what no charset is said of, or a wrong one, is UTF-8 if it can be, else Latin-1."""
    for name in (charset or "utf-8", "utf-8"):
        try:
            return raw.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("latin-1")


def from_file(text: str) -> Message:
    """A message as people write one: the first paragraph is the subject."""
    subject, _, body = tidy(text).partition("\n\n")
    if not subject:
        raise BotError("the message is empty", "write a subject, a blank line and the reasons")
    return Message(subject=" ".join(subject.split()), body=body)


def tidy(text: str) -> str:
    """As `git stripspace`: no blanks at line ends, one blank line at a time, none at either end."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def keep_whole(message: Message) -> tuple[Message, tuple[str, ...]]:
    """The message with a blank before each line that would cut it, and those lines."""
    lines = message.body.split("\n")
    cut = list(cutting(lines))
    body = "\n".join(f" {line}" if at in cut else line for at, line in enumerate(lines))
    return Message(subject=message.subject, body=body), tuple(lines[at] for at in cut)


def cutting(lines: list[str]) -> Iterator[int]:
    for at, line in enumerate(lines):
        if CUTS.match(line) or NEXT_MAIL.match(line) or (at == 0 and HEADER.match(line)):
            yield at
