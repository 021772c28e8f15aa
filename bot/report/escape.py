"""Foreign text made inert: in Markdown on GitHub, in a command to paste, on a terminal and in a job's log."""

import re
import shlex

from bot.proof import evidence

#: A zero-width space parts what GitHub or a runner would otherwise read as one word.
PART = "\u200b"
#: What Markdown, HTML or mathematics would read, written so that it is text everywhere.
ENTITIES = {ord(c): f"&#{ord(c)};" for c in "\\`*~[]|$"} | {
    ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord(PART): "&#8203;",
}  # fmt: skip
#: An underscore that could begin or end emphasis: one inside a word cannot.
EMPHASIS = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
#: Mentions, references to issues, links, workflow commands, bot commands.
ALIVE = re.compile(r"@|#|(?i:gh)(?=-\d)|(?<=:)(?=[:/])|(?i:www)(?=\.)|/(?=(?i:ok|bot)\b)")
#: A line that a bot may take for a command: after blanks, quote, list, heading, table and code marks.
COMMAND = re.compile(r"^([\s>*+\-`~.)\d#|]*/)(?=(?i:ok|bot)\b)", re.MULTILINE)
#: What is read even in a code block: a runner's commands, and a comment that marks whose report it is.
VERBATIM = re.compile(r"^:(?=:)|#(?=#\[)|<(?=!--)")


def flatten(text: str, limit: int) -> str:
    """One line of visible characters, cut at `limit`."""
    line = " ".join(evidence.strip(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def inline(text: str, limit: int = 300) -> str:
    """Foreign text inside a line of ours or a table cell, in Markdown."""
    parted = ALIVE.sub(lambda hit: hit[0] + PART, flatten(text, limit))
    return EMPHASIS.sub("&#95;", parted.translate(ENTITIES))


def code(text: str, limit: int = 200) -> str:
    """Foreign text in code type. The element, not ticks: a tick inside cannot end it."""
    return f"<code>{inline(text, limit)}</code>"


def block(command: str) -> str:
    """A fenced block with one command; its fence is longer than any run of ticks inside."""
    line = " ".join(evidence.strip(command).split("\n")).strip()
    line = VERBATIM.sub(lambda hit: hit[0] + PART, defuse(line))
    ticks = max(map(len, re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}sh\n{line}\n{fence}"


def shell(*words: str) -> str:
    """A command to paste: each word quoted, unseen characters dropped."""
    return shlex.join(evidence.strip(word).replace("\n", " ") for word in words)


def terminal(text: str, limit: int = 300) -> str:
    """Foreign text for a terminal or a job's log, where `::` and `##[` begin a runner's commands."""
    return flatten(text, limit).replace("::", ": :").replace("##[", "# #[")


def defuse(text: str) -> str:
    """No line that begins, after any marks, with a bot's command."""
    return COMMAND.sub(rf"\1{PART}", text)
