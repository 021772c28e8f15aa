"""`refresh`: the next version of a patch on a branch that moved."""

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import options, progress
from bot.cli.proving import context
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.carry.proving import Order
    from bot.carry.refreshing import Draft, Refused, Trial, Unmoved
    from bot.model import Patch


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    parser.add_argument("--branch", required=True, metavar="B", help="the branch that the version is made on")
    options.add_repository(parser)
    parser.add_argument(
        "--variant", default="", metavar="NAME", help="make or refresh this variant (default: the branch's)"
    )
    parser.add_argument(
        "--message", type=Path, metavar="FILE", help="take the commit message from FILE (default: as before)"
    )
    parser.add_argument("--dry-run", action="store_true", help="do all but write the version")
    add_proof(parser)


def add_proof(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-proof", action="store_true", help="publish without running any test")
    parser.add_argument(
        "--no-controls", action="store_true", help="leave out the controls: cured_uncontrolled is then enough"
    )
    options.add_runs(parser)
    options.add_jobs(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the evidence to FILE")


def run(arguments: argparse.Namespace) -> int:
    from bot.carry import refreshing
    from bot.proof import evidence

    if arguments.no_proof and (arguments.out or arguments.no_controls):
        raise BotError("--no-proof leaves nothing for --out or --no-controls", "leave one of them out")
    order = read_order(arguments)
    wish = refreshing.Wish(
        patch=order.patch,
        branch=arguments.branch,
        variant=arguments.variant,
        words=read_words(arguments.message),
    )
    with progress.shown() as show:
        tried = refreshing.attempt(wish, order, show, with_proof=not arguments.no_proof)
    if not isinstance(tried, refreshing.Trial):
        return tell_none(tried)
    if arguments.out and tried.seen:
        evidence.write(arguments.out, tried.seen)
    why = refreshing.objection(tried, controls=order.controls)
    if not why and not arguments.dry_run:
        refreshing.publish(order.patch, tried.draft.made, order.patch.folder)
    tell(order.patch, tried.draft)
    deliver(tried, order.patch, arguments.out)
    return finish(tried.draft, why, dry=arguments.dry_run)


def read_order(arguments: argparse.Namespace) -> "Order":
    from bot import catalog, config
    from bot.carry import proving

    settings = config.read(patches=arguments.patches)
    patch = catalog.load(settings.patches, arguments.patch)
    return proving.Order(
        patch=patch,
        spec=arguments.upstream or settings.upstream or proving.default_spec(patch),
        cache=settings.cache,
        branches=(arguments.branch,),
        runs=arguments.runs,
        jobs=arguments.jobs,
        controls=not arguments.no_controls,
    )


def read_words(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BotError(f"{path} cannot be read: {error}", "give a text file in UTF-8") from None


def tell_none(made: "Refused | Unmoved") -> int:
    """Say why there is no next version."""
    from bot.carry import refreshing
    from bot.report.escape import terminal

    name, row = terminal(made.row.name), made.row
    if isinstance(made, refreshing.Unmoved):
        print(f"{name}: nothing moved: {terminal(made.path)} was made on these very texts; nothing to write")
        return Exit.OK
    print(f"{name} is {row.state}: {terminal(row.detail)}; nothing was written")
    return Exit.RED


def tell(patch: "Patch", made: "Draft") -> None:
    """What the version is, and what differs from the one before."""
    from bot.report.escape import terminal

    row, number = made.row, made.made.version.id
    head = (row.head or "")[:12]
    print(f"{patch.id} {number} on {terminal(row.name)} at {head}: {row.state}, {terminal(row.detail)}")
    for line in made.indented:
        print(f"in the message a blank now stands before a line at which git am would cut: {terminal(line)}")
    if made.carriage_returns:
        print("the file has CRLF line ends: git am takes this patch with --keep-cr only")
    print(f"\nrange-diff of {terminal(made.choice.source.path)} and {terminal(made.path)}:")
    if not made.range_diff:
        print("  none: this upstream lacks what the old version was made on")
    for line in made.range_diff.splitlines():
        print(f"  {shown(line)}".rstrip())
    print()


def shown(line: str) -> str:
    """A foreign line for a terminal or a job's log, with its blanks as they are."""
    from bot.proof import evidence
    from bot.report.escape import terminal

    text = evidence.strip(line).replace("\n", " ")
    return re.sub(r"[^ ]+", lambda word: terminal(word[0], len(word[0]) * 2), text)


def deliver(tried: "Trial", patch: "Patch", place: Path | None) -> None:
    """Say what was proven, in a report or in one sentence."""
    from bot import report

    if tried.seen is None:
        print("no test was run: nobody has seen that this version cures anything")
        return
    report.FORMATS["text"](tried.seen, context(patch, place), sys.stdout)
    print()


def finish(made: "Draft", why: str, *, dry: bool) -> int:
    """Say what was published, or why nothing was."""
    from bot.report.escape import terminal

    number = made.made.version.id
    if why:
        print(f"nothing was written: {terminal(why, 2_000)}")
        return Exit.RED
    if dry:
        print(f"nothing was written (--dry-run); there would be, and patch.yml would list {number}:")
    else:
        print(f"published; patch.yml lists {number}:")
    for file in made.made.version.files:
        print(f"  {terminal(file.path)}  sha256 {file.sha256}")
    return Exit.OK
