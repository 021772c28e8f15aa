"""Anchors are found in the bytes of real Python files, whole, broken, and misleading."""

import pytest

from bot.survey import anchors

FOUND = {
    "plain": ("x = 1\n\ndef f(a):\n    return a\n\ny = 2\n", "f", [(3, 4)]),
    "first and last line": ("def f(): pass", "f", [(1, 1)]),
    "async": ("async def f():\n    pass\n", "f", [(1, 2)]),
    "a class": ("class F:\n    def g(self): ...\nx = 1\n", "F", [(1, 2)]),
    "decorated": ("x = 1\n@one\n@two(3)\ndef f():\n    pass\n", "f", [(2, 5)]),
    "decorated over several lines": ("@one(\n    2,\n)\ndef f():\n    pass\n", "f", [(1, 5)]),
    "decorator with a gap": ("@one\n\n# why\ndef f():\n    pass\n", "f", [(1, 5)]),
    "after a call that ends at column 0": ("g(\n    1\n)\n\ndef f():\n    pass\n", "f", [(5, 6)]),
    "signature that ends at column 0": ("def f(\n    a,\n):\n    return a\nx = 1\n", "f", [(1, 4)]),
    "comment at column 0 within": ("def f():\n    a = 1\n# note\n    return a\n", "f", [(1, 4)]),
    "text at column 0 within": ('def f():\n    """A\nB\n"""\n    return 1\n', "f", [(1, 5)]),
    "nested, dotted": ("class A:\n    def g(self):\n        def h(): ...\n", "A.g.h", [(3, 3)]),
    "in a branch": ("if a:\n    def f():\n        pass\n", "f", [(2, 3)]),
    "in match": ("match a:\n    case 1:\n        def f(): ...\n", "f", [(3, 3)]),
    "method of the same name": ("class A:\n    def f(self): ...\n\ndef f(): ...\n", "f", [(4, 4)]),
    "in strings and comments too": ('# def f():\nT = """\ndef f(): ...\n"""\ndef f(): ...\n', "f", [(5, 5)]),
    "syntax error elsewhere (P40)": ("def g(:\n    pass\n\ndef f():\n    return 1\n", "f", [(4, 5)]),
    "open string elsewhere (P40)": ("def f():\n    return 1\n\nx = '''\n", "f", [(1, 2)]),
    "CRLF": ("x = 1\r\ndef f():\r\n    return 1\r\n", "f", [(2, 3)]),
    "odd escape": ('def f():\n    return "\\d"\n', "f", [(1, 2)]),
}
ABSENT = {
    "no such name": ("x = 1\n", "f"),
    "only called": ("f()\n", "f"),
    "longer name": ("def ff(): ...\ndef f_(): ...\n", "f"),
    "only in a string": ('T = """\ndef f():\n    pass\n"""\n', "f"),
    "only in a string with an escape": ("T = '''\\'''\ndef f():\n    pass\n'''\n", "f"),
    "only in a comment": ("# def f():\n#     pass\n", "f"),
    "only as a method": ("class A:\n    def f(self): ...\n", "f"),
    "only nested, as on core_r0.18.0 (P20)": ("def g():\n    def f(): ...\n", "f"),
    "dotted without its parent": ("def h(): ...\n", "A.h"),
    "dotted in another parent": ("class A: ...\nclass B:\n    def h(self): ...\n", "A.h"),
    "empty": ("", "f"),
}
UNCLEAR = {
    "twice (P40)": ("def f(): ...\ndef f(): ...\n", "f", "is defined 2 times"),
    "in both branches (P40)": (
        "try:\n    def f(): ...\nexcept E:\n    def f(): ...\n",
        "f",
        "is defined 2 times",
    ),
    "broken itself (P40)": ("def f(:\n    pass\n", "f", "cannot be placed: the file does not parse"),
    "nul byte (P40)": ("def f():\n    x = '\0'\n", "f", "cannot be placed: the file does not parse"),
    "indented in a broken file (P40)": (
        "if a:\n    def f(): ...\nx = (\n",
        "f",
        "cannot be placed: the file does not parse",
    ),
    "lone carriage return": (
        "x = 1\rdef g(): ...\ndef f(): ...\n",
        "f",
        "cannot be placed: Python and git count the lines of this file differently",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str) -> None:
    text, symbol, spans = FOUND[name]
    found = anchors.find(text.encode(), symbol)
    assert [(span.first, span.last) for span in found.spans] == spans
    assert not found.unclear
    assert not found.absent


@pytest.mark.parametrize("name", ABSENT)
def test_absent(name: str) -> None:
    text, symbol = ABSENT[name]
    assert anchors.find(text.encode(), symbol).absent


@pytest.mark.parametrize("name", UNCLEAR)
def test_there_but_not_usable(name: str) -> None:
    text, symbol, why = UNCLEAR[name]
    found = anchors.find(text.encode(), symbol)
    assert found.unclear == why
    assert not found.absent
    assert found.span is None


def test_an_open_string_takes_no_exponential_time() -> None:
    text = b'x = """' + b'a "b\\"' * 20_000 + b"\ndef f():\n    pass\n"
    assert anchors.find(text, "f").spans == (anchors.Span(first=2, last=3),)
