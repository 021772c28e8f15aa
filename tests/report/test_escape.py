"""Foreign text in Markdown, in a command to paste, and in a log: piece by piece."""

import pytest

from bot.report import escape


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("make_weakref(ten): arg.dtype, 50% - a/b", "make_weakref(ten): arg.dtype, 50% - a/b"),
        ("@octocat", "@&#8203;octocat"),
        ("#12 GH-3", "#&#8203;12 GH&#8203;-3"),
        ("a|b `c` *d* [e](f)", "a&#124;b &#96;c&#96; &#42;d&#42; &#91;e&#93;(f)"),
        ("_x_ a_b __init__", "&#95;x&#95; a_b &#95;&#95;init&#95;&#95;"),
        ("<!-- m --> &lt;", "&lt;!-- m --&gt; &amp;lt;"),
        ("https://x", "https:&#8203;//x"),
        ("::error::x", ":&#8203;:error:&#8203;:x"),
        ("/ok to test, /BOT x, /okay", "/&#8203;ok to test, /&#8203;BOT x, /okay"),
        ("a\n\n/bot\r\n\tb", "a /&#8203;bot b"),
    ],
)
def test_v29_inline(text: str, told: str) -> None:
    assert escape.inline(text) == told


def test_a_long_text_is_cut_before_it_is_escaped() -> None:
    assert escape.inline("`" * 1_000, 3) == "&#96;&#96;…"
    assert escape.code("<b>") == "<code>&lt;b&gt;</code>"


def test_a_block_cannot_be_closed_from_inside_nor_start_with_a_command() -> None:
    assert escape.block("a\n````\nb") == "`````sh\na ```` b\n`````"
    assert escape.block("/ok to test") == "```sh\n/\u200bok to test\n```"


def test_a_command_to_paste_runs_nothing_that_a_name_brought() -> None:
    words = ("--branch", "x; rm -rf ~", "$(id)\n`id`", "a\u202eb'c")
    assert escape.shell(*words) == "--branch 'x; rm -rf ~' '$(id) `id`' 'ab'\"'\"'c'"


@pytest.mark.parametrize(
    "line", ["/ok x", "  /bot x", "> - /ok x", "* `/ok x`", "1. /bot", "~~~/ok", "| /ok", "### /bot"]
)
def test_no_line_of_ours_begins_with_a_command(line: str) -> None:
    assert escape.defuse(line) == line.replace("/", "/\u200b")
    assert escape.defuse(f"said {line}") == f"said {line}"


def test_a_log_line_gives_the_runner_no_command() -> None:
    assert escape.terminal("::error::x ##[warning]y\n\x1b[1mz") == ": :error: :x # #[warning]y z"
