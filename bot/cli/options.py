"""Options that several commands share, each declared once."""

import argparse
import os


def add_upstream(parser: argparse.ArgumentParser) -> None:
    """Any upstream, releases too."""
    helped = "a git URL, a path or pypi:<name> (default: the manifest's)"
    parser.add_argument("--upstream", default="", metavar="U", help=helped)


def add_repository(parser: argparse.ArgumentParser) -> None:
    """An upstream with branches that can be merged and carried to."""
    helped = "a git URL or a path (default: the manifest's)"
    parser.add_argument("--upstream", default="", metavar="U", help=helped)


def add_targets(parser: argparse.ArgumentParser, otherwise: str = "") -> None:
    """`otherwise` says what is meant without any."""
    branches = f"a branch or glob; repeat for more{otherwise}"
    parser.add_argument("--branch", action="append", default=[], metavar="B", help=branches)
    refs = "a full ref or glob; repeat for more"
    parser.add_argument("--ref", action="append", default=[], metavar="R", help=refs)


def add_runs(parser: argparse.ArgumentParser) -> None:
    helped = "how often each test runs on each side (default: 3)"
    parser.add_argument("--runs", type=at_least_one, default=3, metavar="N", help=helped)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    helped = "trees beside each other (default: one per core)"
    parser.add_argument("--jobs", type=at_least_one, default=os.cpu_count() or 1, metavar="N", help=helped)


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)
