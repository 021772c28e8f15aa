"""The vetter's command as people write it, and everything that only looks like it."""

import re
import unicodedata

from bot.model.patch import Value
from bot.model.vetting import Uncounted
from bot.proof import evidence

#: Something that a person took for the command, anywhere in a comment.
ATTEMPT = re.compile(r"/\s?ok(?:ay)?\b|/ok(?:ay)?[ _-]*to", re.IGNORECASE)
#: The whole of a comment that counts; copy-pr-bot reads these two words for it.
COMMAND = re.compile(r"/ok(?:ay)? +to +test(?P<rest>.*)", re.IGNORECASE)
#: What GitHub shows for a commit: 7 digits or more.
COMMIT = re.compile(r"[0-9a-f]{7,40}")
#: A Markdown link around the commit, as GitHub's own "copy" gives it.
LINK = re.compile(r"\[`?(?P<text>[^\]`]*)`?\]\((?P<address>\S*)\)")
FENCE = re.compile(r"^ {0,3}(```|~~~)", re.MULTILINE)


class Form(Value, frozen=True, kw_only=True):
    """`commit`: lower case, may be short or empty; `uncounted`: what is wrong with the form, or None."""

    commit: str
    uncounted: Uncounted | None


def read(body: str) -> Form | None:
    """What a comment says of this kind; None where it says nothing of it. Total: it takes any text."""
    text = plain(body)
    if not ATTEMPT.search(text):
        return None
    whole = COMMAND.fullmatch(text.strip())
    if whole is None or re.match(r" {4}|\t", body.lstrip("\r\n")):
        return Form(commit=some_commit(text), uncounted=misshape(text, body))
    return written(whole["rest"])


def plain(body: str) -> str:
    """Without invisible characters; full-width and no-break ones become what they look like."""
    return unicodedata.normalize("NFKC", evidence.strip(body))


def written(rest: str) -> Form:
    """The commit behind the command's words."""
    word = rest.strip()
    if not word:
        return Form(commit="", uncounted=Uncounted.NO_COMMIT)
    if not rest.startswith(" "):
        return Form(commit="", uncounted=Uncounted.OTHER_COMMAND)
    link = LINK.fullmatch(word)
    if link:
        return linked(link["text"].strip().casefold(), link["address"].casefold())
    commit = word.casefold()
    if COMMIT.fullmatch(commit):
        return Form(commit=commit, uncounted=None)
    found = some_commit(word)
    return Form(commit=found, uncounted=beside(word) if found else Uncounted.NOT_A_COMMIT)


def beside(word: str) -> Uncounted:
    return Uncounted.CODE if "`" in word else Uncounted.MORE_TEXT


def linked(text: str, address: str) -> Form:
    """People see the text, and a click goes to the address: both must be the same commit."""
    target = re.search(r"[0-9a-f]{7,40}(?=$|[?#/])", address.rpartition("/")[2])
    if not COMMIT.fullmatch(text):
        return Form(commit=some_commit(text), uncounted=Uncounted.NOT_A_COMMIT)
    if target and not same(text, target[0]):
        return Form(commit=text, uncounted=Uncounted.TWO_COMMITS)
    return Form(commit=text, uncounted=None)


def same(one: str, other: str) -> bool:
    """Whether two names, each perhaps short, can mean one commit."""
    return one.startswith(other) or other.startswith(one)


def some_commit(text: str) -> str:
    found = re.search(r"\b[0-9a-f]{7,40}\b", text.casefold())
    return found[0] if found else ""


def misshape(text: str, body: str) -> Uncounted:
    """Why the comment as a whole is not the command."""
    line = next(line for line in [*text.split("\n"), text] if ATTEMPT.search(line))
    if line.lstrip().startswith(">"):
        return Uncounted.QUOTED
    if FENCE.search(text) or "`" in line or re.match(r" {4}|\t", body.lstrip("\r\n")):
        return Uncounted.CODE
    if not re.search(r"/ok(?:ay)? +to +test\b", line, re.IGNORECASE) or "test-" in line.casefold():
        return Uncounted.OTHER_COMMAND
    return Uncounted.MORE_TEXT
