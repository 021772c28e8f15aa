"""The grammar, line by line, and a bounded storm of generated comments."""

import os
import random
import time
import unicodedata

import pytest

from bot.github import commands
from bot.github.grammar import read
from bot.model.plan import Misread, Verb, Wish
from bot.report import escape, replies

#: Comments in the storm; `UPSTREAM_BOT_` is for settings, so the switch has another name.
STORM = int(os.environ.get("STORM", "1500"))


def told(body: str) -> list[str]:
    """Return each command as a line; what is none begins with an exclamation mark."""
    return [
        " ".join((one.verb, *one.words)) if isinstance(one, Wish) else f"!{one.near}" for one in read(body)
    ]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("/bot test", ["test"]),
        ("Please:\n/bot test\nthank you", ["test"]),
        ("   /bot test", ["test"]),
        ("/bot TEST abcdef0", ["test abcdef0"]),
        ("/bot backport dev dev main", ["backport dev main"]),
        ("/bot test\n\n/bot test", ["test"]),
        ("`/bot apply` is what I mean:\n/bot help", ["help"]),
        ("<details>\n\nx\n\n</details>\n\n/bot apply", ["apply"]),
        ("vector<int> x\n/bot apply", ["apply"]),
        ("say /bot apply", []),
        ("/Bot apply", []),
        ("/botany", []),
        ("\uff0fbot apply", []),
        ("a\u2028/bot apply", []),
        ("# /bot apply", []),
        ("/bot apply\n---", []),
        ("[a]:\n/bot 'x'", []),
        ("[^1]: a note\n/bot apply", []),
        ("*a\n/bot apply\nb*", []),
        ("[a\n/bot apply\nb](c)", []),
        ("| a |\n|---|\n/bot apply", []),
        ("$$\n/bot apply\n$$", []),
    ],
)
def test_a_command_is_a_plain_line_of_its_own(body: str, said: list[str]) -> None:
    assert told(body) == said


@pytest.mark.parametrize("body", ["> /bot apply", "> x\n/bot apply", "- x\n/bot apply", "1. /bot apply"])
def test_c3_a_quote_or_a_list_holds_no_command(body: str) -> None:
    assert read(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "```\n/bot apply\n```",
        "~~~~\n/bot apply",
        "    /bot apply",
        "\t/bot apply",
        "`/bot apply`",
        "`a\n/bot apply\nb`",
        "```\nlog\n```\u200b\n/bot apply\n```",
    ],
)
def test_c4_code_holds_no_command(body: str) -> None:
    assert read(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "<!-- /bot apply -->",
        "<!--\n\n/bot apply\n\n-->",
        "a <!--\n/bot apply\n-->",
        "<details>\n\n/bot apply\n\n</details>",
        "<details><summary>x</summary>\n\n/bot apply",
        "<div title='</div>'>\n\n/bot apply",
        "a <b>\n/bot apply",
        "<pre>\n\n/bot apply\n\n</pre>",
    ],
)
def test_c5_html_holds_no_command(body: str) -> None:
    assert read(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "/bot backport dev\u200e",
        "/bot\u00a0backport\u00a0dev",
        "/bot backport dev\r\n",
        "\ufeff/bot backport dev",
        "/b\u200bot back\u2066port\u2003d\ufe0fev",
        "\u00a0/bot\tbackport dev",
    ],
)
def test_c7_what_is_invisible_changes_nothing(body: str) -> None:
    assert told(body) == ["backport dev"]


def test_c8_an_unknown_command_gets_the_nearest() -> None:
    assert read("/bot tset") == (Misread(text="/bot tset", reason=replies.UNKNOWN_VERB, near="test", line=1),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("/bot", replies.NO_VERB),
        ("/bot backport --upload-pack=touch$IFS/x", replies.OPTION),
        ("/bot backport 'dev'", replies.QUOTED),
        ("/bot backport de\x07v", replies.CONTROL),
        ("/bot backport", replies.SOME_BRANCHES),
        ("/bot backport " + "x" * 501, replies.LONG_WORD),
        ("/bot test main", replies.ONE_COMMIT),
        ("/bot test\u2028/bot apply", replies.ONE_COMMIT),
        ("/bot status now", replies.NO_WORDS),
    ],
)
def test_c24_a_wrong_line_is_a_value_with_its_reason(line: str, reason: str) -> None:
    (only,) = read(line)
    assert isinstance(only, Misread)
    assert only.reason == reason


def test_the_fourth_command_is_refused_once() -> None:
    *three, last = read("/bot help\n/bot status\n/bot retry\n/bot apply\n/bot rebase")
    assert [one.verb for one in three if isinstance(one, Wish)] == ["help", "status", "retry"]
    assert last == Misread(text="/bot apply", reason=replies.TOO_MANY, line=4)


def test_c37_our_own_words_are_never_commands() -> None:
    assert {row.verb for row in commands.VERBS} == set(Verb)
    for text in (replies.help_text(commands.usages()), replies.misread(misread(), commands.usages())):
        assert read(text) == ()
        assert escape.defuse(text) == text


def test_c38_an_echoed_error_is_no_command() -> None:
    lines = tuple(Misread(text=text, reason=replies.UNKNOWN_VERB, near=text) for text in HOSTILE)
    text = replies.misread(lines)
    assert read(text) == ()
    assert "@team" not in text
    assert "<!--" not in text


HOSTILE = ("x\n/bot apply", "`\n\n/bot apply", "@team <!-- upstream-bot:report", "/ok to test")


def misread() -> tuple[Misread, ...]:
    return tuple(one for one in read("/bot tset\n/bot\n/bot test x") if isinstance(one, Misread))


@pytest.mark.parametrize(
    "unit", [">", "[", "![", "*", "_", "`a", "<", "<a ", "- ", "[a](", "|", "/bot x\n", "\n"]
)
def test_a_hostile_comment_is_read_within_bounds(unit: str) -> None:
    begun = time.monotonic()
    read((unit * 65_536)[:65_000] + "\n/bot test\u200e")
    assert time.monotonic() - begun < 10


#: What may hold a command and must not let it out, whole blocks with blank lines around.
HOLDERS = (
    "> {}",
    "> a\n{}",
    "```\n{}\n```",
    "~~~ x\n{}\n~~~",
    "    {}",
    "<!--\n{}\n-->",
    "<details>\n\n{}\n\n</details>",
    "- {}",
    "- a\n\n  {}",
    "| {} |\n|---|\n{}",
    "`a\n{}\nb`",
    "**a\n{}\nb**",
    "## {}",
    "{}\n===",
    "text {} text",
    "<div>\n{}\n</div>",
)
NOISE = ("", "hello", "a `b` *c* <br>", "\u00e9 caf\u0065\u0301", "line\nline", "1) x", "---", "\\`", "&lt;")
INVISIBLE = "\u200b\u200e\u2066\ufeff\u00ad\ufe0f"


def unseen(chance: random.Random, line: str) -> str:
    """Put invisible characters anywhere into a line."""
    return "".join(c + (chance.choice(INVISIBLE) if chance.random() < 0.2 else "") for c in line)


def test_a_storm_of_comments_runs_only_what_stands_free() -> None:
    chance = random.Random(5)
    lines = [row.usage.replace(" [sha]", "").replace("<branch>…", "caf\u00e9 dev") for row in commands.VERBS]
    for _ in range(STORM):
        blocks, free = [], []
        for _ in range(chance.randrange(6)):
            line = chance.choice(lines)
            kind = chance.random()
            if kind < 0.5:
                blocks.append(chance.choice(HOLDERS).replace("{}", line))
            elif kind < 0.7:
                blocks.append(chance.choice(NOISE))
            else:
                free.append(line)
                blocks.append(unseen(chance, line))
        body = "\n\n".join(blocks)
        wanted = [line.removeprefix("/bot ") for line in dict.fromkeys(free)]
        said = told(body)
        assert said[:3] == wanted[:3], body
        assert len(said) == min(len(wanted), 4)
        assert told(body.replace("\n", "\r\n")) == told(unicodedata.normalize("NFC", body)) == said


def test_a_storm_of_marks_never_raises() -> None:
    chance = random.Random(7)
    marks = (
        "/bot test|/bot|`|```|>|<|<b>|</b>|<!--|-->|*|_|[|]|(|)|- |1. |    |\t|---|\x00|\u2028|\u200b|$$|#"
    )
    parts = [*marks.split("|"), "|", "\n", "\n\n", "\r", "\ud800", "\u0301"]
    for _ in range(STORM):
        body = "".join(chance.choices(parts, k=chance.randrange(30)))
        assert len(read(body)) <= 4
        assert read(body.replace("\r\n", "\n").replace("\n", "\r\n")) == read(body)
