"""Which HTML elements a piece of a comment leaves open: what stands inside one is not plain text."""

import re

#: Open until the end, whatever follows.
ENDLESS = "*"
#: Every match succeeds, at the end of the text at the latest, so the time is linear in it.
PIECE = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<slash>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?=[\s/>]|\Z)"
    r"(?:[^>\"']|\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z))*(?:>|\Z)",
    re.DOTALL,
)
#: Elements that hold text. GitHub drops unknown ones (`vector<int>`), and void ones hold nothing.
HOLDING = frozenset(
    "a abbr address article aside audio b bdo big blockquote body button canvas caption center cite code"
    " colgroup dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form"
    " frameset h1 h2 h3 h4 h5 h6 h7 h8 head header html"
    " i iframe ins kbd label legend li main map mark math menu nav"
    " noembed noframes noscript object ol optgroup option p picture plaintext pre q rp rt ruby s samp script"
    " section select small span strike strong style sub summary sup svg table tbody td template textarea"
    " tfoot th thead time title tr tt u ul var video xmp".split()
)


def after(opened: tuple[str, ...], html: str) -> tuple[str, ...]:
    """The open elements, outermost first, after this piece of HTML."""
    stack = list(opened)
    for piece in PIECE.finditer(html):
        name = (piece["name"] or "").lower()
        if name not in HOLDING:
            continue
        if not piece["slash"]:
            stack.append(name)
        elif name in stack:
            del stack[len(stack) - 1 - stack[::-1].index(name) :]
    return tuple(stack)
