"""The page in a real browser: hostile text is text, and nothing of it runs."""

import os
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot import sandbox

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: Each would change the title, were it run.
HOSTILE = """<script>document.title = "owned"</script>
<img src=x onerror="document.title = 'owned'">
<svg onload="document.title = 'owned'"></svg>
<a href="javascript:document.title='owned'" autofocus onfocus="document.title='owned'">here</a>
<iframe srcdoc="<script>parent.document.title='owned'</script>"></iframe>
<style>body { display: none }</style><base href="https://example.org/">
<meta http-equiv="refresh" content="0; url=https://example.org/">
[link](javascript:document.title='owned') ![x](x" onerror="document.title='owned')
\N{RIGHT-TO-LEFT OVERRIDE}reversed

::error file=x::no
"""


def browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("there is no Chromium: the page was not shown in a browser")
    return found


def shown(address: str, profile: Path) -> str:
    """What the browser made of a page, as it stands after scripts would have run."""
    options = ["--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}", "--dump-dom"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")  # it refuses its own to root
    argv = [browser(), *options, address]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


class Alive(HTMLParser):
    """Collects what a page has that could act."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "iframe", "object", "embed", "base", "svg", "form"}:
            self.found.append(tag)
        for name, value in attrs:
            if name.startswith("on") or (value or "").lower().startswith(("javascript:", "refresh")):
                self.found.append(f"{tag} {name}={value}")


def test_a_browser_shows_hostile_comments_as_text_and_runs_nothing(hub: sandbox.Hub, tmp_path: Path) -> None:
    number = hub.open("acme/shop", head="bob:fix", by="bob", title="<script>document.title = 1</script>")
    hub.say("acme/shop", number, "bob", HOSTILE)
    page = shown(f"{hub.url}/acme/shop/pull/{number}", tmp_path / "profile")
    title = page[page.index("<title>") : page.index("</title>")]
    assert "acme/shop" in title
    assert "owned" not in title
    parser = Alive()
    parser.feed(page)
    assert not parser.found
    assert "reversed" in page


def test_a_script_would_have_been_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>clean</title><script>document.title = 'owned'</script>", encoding="utf-8")
    assert "<title>owned</title>" in shown(page.as_uri(), tmp_path / "profile")
