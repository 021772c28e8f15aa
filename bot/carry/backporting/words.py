"""What a backport's commit says: the patch's own author and message, with our trailers at its end."""

import re
from collections.abc import Iterable
from pathlib import Path

from bot import catalog
from bot.carry.backporting.order import Person
from bot.carry.refreshing import mail
from bot.carry.refreshing.message import Author
from bot.model import Patch, Value

TRAILER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*: \S|\(cherry picked from commit |[ \t]+\S")


class Words(Value, frozen=True, kw_only=True):
    """Author and message before a committer is known; `trailers` stand above the committer's sign-off."""

    author: Author
    message: str
    trailers: tuple[str, ...] = ()

    def signed(self, committer: Person) -> str:
        """The whole message of a commit by this committer."""
        return ended(self.message, (*self.trailers, f"Signed-off-by: {committer.name} <{committer.email}>"))


def of_patch(patch: Patch, target: str, scratch: Path) -> Words:
    """The words of the file that the target takes. Raises BotError for a mail without an author."""
    data = (patch.folder / catalog.variant_for(patch, target).path).read_bytes()
    repo = mail.repository(scratch / f"words-{len(list(scratch.iterdir()))}.git", 40)
    told = mail.origin(repo, data)
    version = f"Patch-Version: {patch.id}/{patch.version.id}"
    return Words(author=told.author, message=told.message.text, trailers=(version,))


def ended(message: str, trailers: Iterable[str]) -> str:
    """The message with these trailers in its last paragraph, each once; all else stays to the byte."""
    text = message.rstrip("\n")
    last = text.rpartition("\n\n")[2].split("\n") if "\n\n" in text else []
    block = last if last and all(map(TRAILER.match, last)) and not last[0][0].isspace() else []
    new = [line for line in dict.fromkeys(trailers) if line not in block]
    if not new:
        return f"{text}\n"
    return f"{text}{chr(10) if block else chr(10) * 2}{chr(10).join(new)}\n"
