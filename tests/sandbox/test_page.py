"""The page of a conversation: what people see, and nothing that runs."""

import re

import pytest

from bot.sandbox import Hub
from bot.sandbox.page import prose
from tests.sandbox.talking import SHOP, Answered, Client

PAGE = f"/{SHOP}/pull/1"


def read(hub: Hub) -> Answered:
    return Client(hub=hub).get(PAGE)


def test_the_conversation_is_shown_with_reactions_checks_and_labels(hub: Hub) -> None:
    comment = hub.say(SHOP, 1, "ada", "a **bold** word")
    hub.react(comment, "bob", "eyes")
    hub.label(SHOP, 1, "needs vetting")
    hub.check(SHOP, str(hub.ref(SHOP, "pull/1/head")), "upstream-bot", conclusion="neutral")
    text = read(hub).data.decode()
    for part in (
        "Fix the till",
        "It was broken.",
        "a <strong>bold</strong> word",
        "👀 1",
        "needs vetting",
        "neutral",
    ):
        assert part in text
    assert '<span class="state open">Open</span>' in text


def test_no_script_may_run_and_nothing_is_loaded(hub: Hub) -> None:
    hub.say(SHOP, 1, "eve", "<script>alert(1)</script><img src=x onerror=alert(1)><style>*{}</style>")
    answer = read(hub)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    body = answer.data.decode().partition("</head>")[2]
    assert not re.search(r"<script|<img|<style|onerror|style=", body)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("one\ntwo", "<p>one<br>\ntwo</p>\n"),
        ("`/ok to test`", "<p><code>/ok to test</code></p>\n"),
        ("a <sub>small</sub> b<br>c", "<p>a <sub>small</sub> b<br>c</p>\n"),
        ("<!-- hidden -->\nseen", "\n<p>seen</p>\n"),
        ("~~gone~~", "<p><s>gone</s></p>\n"),
        ("@ada and a@example.org", '<p><span class="mention">@ada</span> and a@example.org</p>\n'),
        ("`@ada`", "<p><code>@ada</code></p>\n"),
        ("<b onclick=alert(1)>x</b>", "<p><b>x</b></p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ('<a href="javascript:alert(1)">x</a>', '<p><a rel="nofollow noopener noreferrer">x</a></p>\n'),
        ("<details open><summary>More</summary>\n\n- x\n\n</details>",
         '<details open=""><summary>More</summary>\n<ul>\n<li>x</li>\n</ul>\n</details>'),
    ],
)  # fmt: skip
def test_markdown_is_shown_as_github_shows_it(markdown: str, html: str) -> None:
    assert prose.render(markdown) == html


def test_tables_keep_their_alignment() -> None:
    html = prose.render("| a | b |\n|---|--:|\n| x | `1` |\n")
    assert '<th align="right">b</th>' in html
    assert '<td align="right"><code>1</code></td>' in html


def test_foreign_names_are_text(hub: Hub) -> None:
    hub.commit(SHOP, "topic", {"x": "1\n"})
    hub.open(SHOP, head="topic", by="ada", title="<script>alert(1)</script>")
    text = Client(hub=hub).get(f"/{SHOP}/pull/2").data.decode()
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_the_index_links_to_conversations_and_other_pages_are_not_there(hub: Hub) -> None:
    nobody = Client(hub=hub)
    assert f'href="{PAGE}"' in nobody.get("/").data.decode()
    assert nobody.get(f"/{SHOP}/pull/99").status == 404
    assert hub.log == ()
