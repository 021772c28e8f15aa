"""The demo's second half: a pull request on the embedded GitHub, commanded, answered, and shown as a page."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot import proc
from bot.errors import BotError

if TYPE_CHECKING:
    from bot import sandbox
    from bot.model import Patch

REPO = "NVIDIA/Megatron-LM"
FORK = "contributor/Megatron-LM"
BRANCH = "make-weakref"
AUTHOR = "contributor <contributor@users.noreply.github.com>"
#: What upstream's gatekeeper says under a pull request of an outsider, in our words.
VETTING = "This pull request requires additional validation before any workflows can run on NVIDIA's runners."
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def hold(patch: "Patch", release: str, cache: Path, out: Path) -> tuple[Path, Path | None]:
    """Hold the conversation, and return its page and its picture (None where no browser is)."""
    from bot import sandbox

    with scratch() as place, sandbox.started(place / "github") as hub:
        number = propose(hub, patch, release, cache)
        command(hub, number, place, cache)
        return page(hub, number, out)


@contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="upstream-bot-demo-") as name:
        yield Path(name)


def propose(hub: "sandbox.Hub", patch: "Patch", release: str, cache: Path) -> int:
    """A repository that holds the release, and an outsider's pull request that carries the fix."""
    from bot import git, survey, upstream

    source = upstream.open_upstream(f"pypi:{patch.manifest.upstream.pypi}", cache=cache, notice=quiet)
    refs = source.fetch(source.recall([release]))
    (subject,) = survey.subjects(source.store, patch, refs, has_history=False)
    texts = git.contents(source.store, subject.after_blobs.values())
    hub.repo(REPO)
    pushed = (f"{subject.row.head}:refs/heads/main",)
    git.must(source.store, "push", "--quiet", "--end-of-options", str(hub.git_dir(REPO)), *pushed)
    hub.refresh(REPO)
    hub.permit(REPO, "maintainer", "maintain")
    hub.account("copy-pr-bot[bot]", kind="Bot")
    hub.fork(REPO, "contributor")
    hub.commit(
        FORK,
        BRANCH,
        {path: texts[blob].decode() for path, blob in subject.after_blobs.items()},
        message=f"{patch.manifest.title}\n\nSigned-off-by: {AUTHOR}\n",
        by="contributor",
    )
    number = hub.open(
        REPO, head=f"contributor:{BRANCH}", by="contributor", base="main", title=patch.manifest.title
    )
    hub.say(REPO, number, "copy-pr-bot[bot]", VETTING)
    return number


def quiet(_text: str) -> None:
    """The demo has its own progress."""


def command(hub: "sandbox.Hub", number: int, place: Path, cache: Path) -> None:
    """A maintainer comments `/bot test`; `upstream-bot handle` is what answers."""
    hub.say(REPO, number, "maintainer", "/bot test")
    event = next(one for one in reversed(hub.events) if one.name == "issue_comment")
    event.write(place / "event.json")
    token = hub.actions_token(REPO)
    env = proc.environment(
        {"GH_TOKEN": token, "GITHUB_API_URL": hub.url, "UPSTREAM_BOT_CACHE": str(cache)},
        also=("UPSTREAM_BOT_PATCHES", "PYTHONPATH"),
    )
    upstream = ("--upstream", str(hub.git_dir(REPO)))
    argv = (sys.executable, "-m", "bot", "handle", "--event", str(place / "event.json"), *upstream)
    done = proc.run(argv, env=env)
    if done.code not in (0, 1):
        said = done.err.decode("utf-8", "replace").strip().splitlines()
        raise BotError(f"handle failed: {' '.join(said[-2:])}", "run it again; report it if it stays")


def page(hub: "sandbox.Hub", number: int, out: Path) -> tuple[Path, Path | None]:
    """Keep the conversation as people see it: the page, and a picture where there is a browser."""
    from urllib.request import urlopen

    address = f"{hub.url}/{REPO}/pull/{number}"
    with urlopen(address) as answer:  # noqa: S310 (our own server, on loopback)
        (out / "conversation.html").write_bytes(answer.read())
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    return out / "conversation.html", picture(browser, address, out / "conversation.png") if browser else None


def picture(browser: str, address: str, place: Path) -> Path | None:
    with scratch() as profile:
        options = (
            "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--window-size=1100,3200",
            f"--user-data-dir={profile}", f"--screenshot={place.absolute()}",
            *(("--no-sandbox",) if os.geteuid() == 0 else ()),  # a browser refuses its sandbox to root
        )  # fmt: skip
        env = proc.environment({"TMPDIR": str(profile), "HOME": str(profile)})  # it leaves much behind
        done = proc.run((browser, *options, address), env=env, timeout=120)
    return place if done.code == 0 and place.is_file() else None
