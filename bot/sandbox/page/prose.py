"""Markdown as GitHub shows it in comments: tables, line breaks, few HTML elements, and nothing that runs."""

import re
from collections.abc import MutableMapping, Sequence
from html import escape
from typing import Any

#: Elements that GitHub lets through, as far as a bot's comments use them.
TAGS = set(
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre q s "
    "samp span strong sub summary sup table tbody td th thead tr tt ul var".split()
)
ATTRIBUTES = {
    "a": {"href", "title"}, "details": {"open"}, "ol": {"start"}, "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
}  # fmt: skip
#: GitHub tells these people: what is shown as a mention here would wake somebody there.
MENTION = re.compile(r"(?<![\w/@.`-])@(?=[A-Za-z0-9])[A-Za-z0-9-]{1,39}(?:/[A-Za-z0-9_.-]+)?")


def render(text: str) -> str:
    """HTML that may stand in a page: cleaned after rendering, so no Markdown trick gets round it."""
    import nh3
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True, "breaks": True}).enable(["table", "strikethrough"])
    parser.add_render_rule("text", show_text)
    tokens = parser.parse(text)
    for token in tokens:
        style = token.attrs.pop("style", "")
        if isinstance(style, str) and style.startswith("text-align:"):
            token.attrs["align"] = style.removeprefix("text-align:")
    html = parser.renderer.render(tokens, parser.options, {})
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        allowed_classes={"span": {"mention"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )


def show_text(_: Any, tokens: Sequence[Any], at: int, *rest: MutableMapping[str, Any]) -> str:
    """A run of plain text, mentions marked."""
    del rest
    shown = escape(tokens[at].content)
    return MENTION.sub(lambda hit: f'<span class="mention">{hit[0]}</span>', shown)
