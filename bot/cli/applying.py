"""`apply`: the patch put into a tree or an installed package, and taken back."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.carry.applying import Outcome, Place
    from bot.carry.applying.judging import Change
    from bot.model import Patch


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--to", type=Path, metavar="DIR", help="the top of a checkout or of unpacked sources")
    where.add_argument(
        "--installed", action="store_true", help="the package that an environment has installed"
    )
    parser.add_argument(
        "--python",
        type=Path,
        metavar="PYTHON",
        help="the interpreter or directory of that environment (default: the active one, else our own)",
    )
    parser.add_argument(
        "--branch",
        default="",
        metavar="B",
        help="what DIR is a tree of (default: the branch checked out, or the release it says it is)",
    )
    parser.add_argument(
        "--check", action="store_true", help="only say what would happen: 0 it fits, 1 it does not"
    )
    parser.add_argument("--reverse", action="store_true", help="take the patch back, to the bytes of before")


def run(arguments: argparse.Namespace) -> int:
    from bot import catalog, config
    from bot.carry import applying
    from bot.report import escape

    refuse_mixed(arguments)
    patch = catalog.load(config.read(patches=arguments.patches).patches, arguments.patch)
    place = open_place(patch, arguments)
    if arguments.check:
        found = (applying.check_reverse if arguments.reverse else applying.check_apply)(patch, place)
    else:
        found = (applying.reverse if arguments.reverse else applying.apply)(patch, place)
    for line in told(patch, place, found):
        print(escape.terminal(line, 1_000) if not line.startswith("  ") else f"  {escape.terminal(line)}")
    return Exit.RED if found.deed in applying.RED else Exit.OK


def refuse_mixed(arguments: argparse.Namespace) -> None:
    if arguments.python and not arguments.installed:
        raise BotError("--python needs --installed", "--to names the tree itself")
    if arguments.branch and arguments.installed:
        raise BotError(
            "--branch does not go with --installed", "the version that is installed is known: leave it out"
        )


def open_place(patch: "Patch", arguments: argparse.Namespace) -> "Place":
    from bot.carry import applying

    if arguments.installed:
        python = arguments.python or applying.default_python(os.environ)
        return applying.open_installed(patch, applying.interpreter(python))
    return applying.open_tree(patch, arguments.to, arguments.branch)


#: By what came out: the line that says it, for a patch and a place.
SAID = {
    "applied": "{patch} is applied to {place}",
    "already": "{patch} is already applied to {place}; nothing was written",
    "fits": "{patch} would be applied to {place}; nothing was written",
    "reversed": "{patch} is taken back from {place}: every byte is as it was before",
    "reversible": "{patch} would be taken back from {place}; nothing was written",
    "nothing": "{patch}: nothing to take back from {place}",
    "refused": "{patch} is refused for {place}; nothing was written",
    "interrupted": "{patch} is half-way in {place}; nothing was written",
}


def told(patch: "Patch", place: "Place", found: "Outcome") -> Iterator[str]:
    """One line that says it all, then why and where, then what to do."""
    from bot.carry.applying import Deed
    from bot.report import sentences

    yield SAID[found.deed].format(patch=f"{patch.id} {patch.version.id}", place=place.title)
    if found.deed is Deed.REFUSED and found.state:
        yield f"  {found.state}: {found.reason}"
        yield f"  {sentences.of_state(found.state, place.name)}"
    elif found.reason:
        yield f"  {found.reason}"
    yield from (f"  {note}" for note in found.notes)
    yield from (f"  {changed(one)}" for one in found.changes)
    if found.deed in {Deed.APPLIED, Deed.REVERSED}:
        yield "a process that has imported it must be restarted"
    if found.deed is Deed.APPLIED and place.name.startswith("pypi/") and place.voucher:
        yield (
            "pip's RECORD still has the hash of before: pip check and pip uninstall don't mind, "
            "an upgrade or reinstall undoes the patch"
        )


def changed(one: "Change") -> str:
    count = one.added + one.removed
    lines = f"{count} line{'' if count == 1 else 's'} changed"
    inside = f", in {one.anchor}" if one.anchor else ""
    return f"{one.path}: {lines} ({one.added} added, {one.removed} removed) at line {one.line}{inside}"
