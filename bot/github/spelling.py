"""What people see of a text: every blank as a space, nothing that is invisible, one form of each letter."""

import unicodedata

#: Invisible though Unicode does not call them format characters: fillers, joiners, variation selectors.
UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000))))
)


def unify(text: str) -> str:
    """Every line end of CommonMark as a line feed. U+2028, U+2029 and U+0085 end no line there."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def clean(text: str) -> str:
    """The text as it looks, line for line; tabs stay, for Markdown counts them."""
    seen = unify(text)
    return unicodedata.normalize("NFC", seen.translate({ord(c): stand_in(c) for c in set(seen)}))


def stand_in(char: str) -> str:
    category = unicodedata.category(char)
    if category in {"Zs", "Zl", "Zp"}:
        return " "
    return "" if category == "Cf" or char in UNSEEN else char


def after(line: str, prefix: str) -> str:
    """What follows `prefix` in a line that, once cleaned and without indentation, begins with it."""
    wanted = prefix
    for place, char in enumerate(line):
        seen = stand_in(char).lstrip() if wanted == prefix else stand_in(char)
        if seen:
            wanted = wanted[1:]
        if not wanted:
            return line[place + 1 :]
    return ""
