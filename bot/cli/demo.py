"""`demo`: the main job on real released code, start to end."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import progress, proving
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.model import Evidence, Manifest, Patch

PATCH = "make-weakref"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("demo"),
        metavar="DIR",
        help="where evidence and report go (default: ./demo)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Prove the patch on every release that the manifest has an expectation of."""
    from bot import catalog, config
    from bot.carry import proving as carry
    from bot.proof import environments

    settings = config.read(patches=arguments.patches)
    patch = catalog.load(settings.patches, PATCH)
    releases = tuple(branch.name for branch in patch.manifest.branches if branch.name.startswith("pypi/"))
    order = carry.Order(
        patch=patch,
        spec=f"pypi:{patch.manifest.upstream.pypi}",
        cache=settings.cache,
        branches=releases,
    )
    print(f"Proving {patch.id} on {len(releases)} releases of {order.spec}.", flush=True)
    with progress.shown() as show:
        environments.ensure(patch, settings.cache, lambda text: show(0, 0, text))
        made = carry.prove_branches(order, show)
    write(made, patch, arguments.out)
    talk(made, patch, arguments.out)
    surprises = unexpected(patch.manifest, made)
    for line in surprises:
        print(line)
    return Exit.RED if surprises else Exit.OK


def write(made: "Evidence", patch: "Patch", folder: Path) -> None:
    """Print the report, and leave evidence and Markdown in `folder`."""
    from bot import report
    from bot.proof import evidence

    folder.mkdir(parents=True, exist_ok=True)
    context = proving.context(patch, folder / "evidence.json")
    evidence.write(folder / "evidence.json", made)
    with (folder / "report.md").open("w", encoding="utf-8") as out:
        report.FORMATS["markdown"](made, context, out)
    report.FORMATS["text"](made, context, sys.stdout)
    print(f"\nThe evidence: {folder / 'evidence.json'}\nThe report as Markdown: {folder / 'report.md'}")


def talk(made: "Evidence", patch: "Patch", folder: Path) -> None:
    """The same on a pull request: the newest proven release on the embedded GitHub, and `/bot test` there."""
    from bot import config
    from bot.cli import conversation
    from bot.model import Verdict

    proven = [target.name for target in made.targets if target.verdict is Verdict.PROVEN]
    if not proven:
        print("No release was proven, so no pull request was opened.")
        return
    print(f"\nOpening a pull request against {proven[0]} on the embedded GitHub: /bot test", flush=True)
    shown, picture = conversation.hold(patch, proven[0], config.read().cache, folder)
    print(f"The conversation as a page: {shown}")
    print(f"Its picture: {picture}" if picture else "No browser was found, so there is no picture of it.")


def unexpected(manifest: "Manifest", made: "Evidence") -> list[str]:
    """Say where a release is not what the manifest expects of it."""
    from bot.carry import proving as carry
    from bot.model import Expect, Verdict

    expected = {branch.name: branch.expect for branch in manifest.branches}
    told = []
    for target in made.targets:
        unaffected = target.verdict is Verdict.NOT_APPLICABLE
        as_named = unaffected == (expected[target.name] is Expect.NOT_AFFECTED)
        if carry.is_red(target.verdict, controls=True) or not as_named:
            told.append(
                f"{target.name}: expected {expected[target.name]}, seen {target.verdict} ({target.state})"
            )
    return told
