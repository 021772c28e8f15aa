"""The commands in a comment: total and pure, over CommonMark; what is no command is a value with its reason.

A command is a line of a plain top-level paragraph, indented by three blanks at most, that begins with `/bot`
in small letters and then a blank or nothing. The verb may be in any case. What people see is what is read:
invisible characters are dropped and every blank is a space, but a line counts only if it is plain in the text
as it was written, too; so nothing that GitHub shows as code, quote or HTML is ever a command.
"""

import re
import unicodedata

from bot.errors import nearest
from bot.github import commands, plain, spelling
from bot.model.plan import Misread, Wish
from bot.report import replies

PREFIX = "/bot"
LINE = re.compile(r"( {0,3})/bot(?=[ \t]|$)(.*)")
#: GitHub holds no longer comment.
LONGEST_BODY = 65_536
MOST = 3
#: Longer than any ref's name; what is a little too long is refused by the list of branches.
LONGEST_WORD = 500
QUOTES = frozenset("\"'`\\\u2018\u2019\u201c\u201d")


def read(body: str) -> tuple[Wish | Misread, ...]:
    """Every command in the order of its line, each once; at most three, then one Misread that says so."""
    chosen: dict[object, Wish | Misread] = {}
    for number, text in found(body):
        one = parse(text, number + 1)
        key = (one.verb, one.words) if isinstance(one, Wish) else one.text
        if key not in chosen and len(chosen) == MOST:
            return (*chosen.values(), Misread(text=one_line(text), reason=replies.TOO_MANY, line=number + 1))
        chosen.setdefault(key, one)
    return tuple(chosen.values())


def found(body: str) -> list[tuple[int, str]]:
    """The lines that are commands by their place: number from 0, and the cleaned text after `/bot`."""
    if len(body) > LONGEST_BODY or "bot" not in spelling.clean(body):
        return []
    raw, clean = spelling.unify(body), spelling.clean(body)
    hits = [(n, hit) for n, line in enumerate(clean.split("\n")) if (hit := LINE.match(line))]
    if not hits:
        return []
    plainly = plain.lines(clean, {n: (hit[1], hit[2]) for n, hit in hits})
    if plainly and raw != clean:
        rows = raw.split("\n")
        plainly &= plain.lines(raw, {n: (hit[1], spelling.after(rows[n], PREFIX)) for n, hit in hits})
    return [(n, hit[2]) for n, hit in hits if n in plainly]


def parse(text: str, line: int) -> Wish | Misread:
    """One command without its `/bot`: a Wish, or the first thing that is wrong with it."""
    name, *words = text.split() or [""]
    row = commands.row(name)
    wrong = misspelt(text) or ("" if name else replies.NO_VERB)
    if wrong:
        return Misread(text=one_line(text), reason=wrong, line=line)
    if row is None:
        near = nearest(name[:50].lower(), [row.verb for row in commands.VERBS], 1)
        return Misread(text=one_line(text), reason=replies.UNKNOWN_VERB, near=near, line=line)
    arguments = tuple(dict.fromkeys(words))
    if wrong := row.takes.complain(arguments):
        return Misread(text=one_line(text), reason=wrong, near=row.usage, line=line)
    return Wish(verb=row.verb, words=arguments, line=line)


def misspelt(text: str) -> str:
    """What no command of any kind may hold; empty when there is nothing of it."""
    words = text.split()
    if any(unicodedata.category(char)[0] == "C" for char in text.replace("\t", " ")):
        return replies.CONTROL
    if any(len(word) > LONGEST_WORD for word in words):
        return replies.LONG_WORD
    if any(word.startswith("-") for word in words):
        return replies.OPTION
    return "" if QUOTES.isdisjoint(text) else replies.QUOTED


def one_line(text: str) -> str:
    return f"{PREFIX}{text}"[:300]
