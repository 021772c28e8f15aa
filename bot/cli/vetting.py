"""`vet`: where a pull request stands in upstream's process, and whose turn it is. It never vets."""

import argparse
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.cli import reaching
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from pathlib import Path

    from bot.model.patch import Vetting

#: `owner/name` as GitHub allows it.
REPO = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repo", required=True, type=repository, metavar="O/R", help="the upstream repository"
    )
    parser.add_argument("--pr", required=True, type=number, metavar="N", help="the pull request's number")
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")


def repository(text: str) -> str:
    if not REPO.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form owner/name")
    return text


def number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a pull request")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    from bot import config
    from bot.github import vetting

    rules = rules_of(config.read(patches=arguments.patches).patches, arguments.repo, arguments.pr)
    hub = reaching.connect()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    seen = vetting.look(hub, arguments.repo, arguments.pr, rules, now)
    standing, offer = vetting.decide(seen), vetting.read_offer(hub, arguments.repo, seen)
    if arguments.json:
        import msgspec

        shown = {"schema": "upstream-bot/vetting/1", "repo": arguments.repo, "number": arguments.pr}
        shown |= {"standing": msgspec.to_builtins(standing), "offer": msgspec.to_builtins(offer)}
        sys.stdout.write(msgspec.json.encode(shown).decode() + "\n")
        return Exit.OK
    from bot.report import standings

    print(standings.render(arguments.repo, seen.pull, standing, offer))
    return Exit.OK


def rules_of(folder: "Path", repo: str, pull: int) -> "Vetting":
    """The process as the patch of this pull request describes it, else a patch of this repository's."""
    from bot import catalog
    from bot.model.patch import Vetting

    ours = [
        patch.manifest
        for patch in (catalog.judge(folder, name) for name in known(folder))
        if is_place(patch.manifest.upstream.repo, repo)
    ]
    ours.sort(key=lambda one: one.proposal.pull_request != pull)
    return ours[0].vetting if ours else Vetting()


def known(folder: "Path") -> list[str]:
    """Where there are no patches, any pull request can still be looked at."""
    from bot import catalog

    try:
        return catalog.names(folder)
    except BotError:
        return []


def is_place(url: str, repo: str) -> bool:
    return (
        url.casefold()
        .removesuffix("/")
        .removesuffix(".git")
        .endswith((f"/{repo.casefold()}", f":{repo.casefold()}"))
    )
