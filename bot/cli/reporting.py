"""`report`: an evidence file as something that people read."""

import argparse
import sys
from pathlib import Path

from bot.cli import proving
from bot.errors import BotError


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("evidence", metavar="EVIDENCE", type=Path)
    parser.add_argument("--format", default="text", metavar="FORMAT", help="text or markdown (default: text)")


def run(arguments: argparse.Namespace) -> int:
    from bot import catalog, config, report
    from bot.errors import nearest

    write = report.FORMATS.get(arguments.format)
    if write is None:
        hint = nearest(arguments.format, list(report.FORMATS)) or ", ".join(report.FORMATS)
        raise BotError(f"unknown format {arguments.format!r}", f"there are: {hint}")
    made = proving.read_evidence(arguments.evidence)
    folder = config.read(patches=arguments.patches).patches
    patch = catalog.load(folder, made.patch)
    write(made, proving.context(patch, arguments.evidence), sys.stdout)
    return 0
