"""The tools that a check can name: one row each says how to call it and how to read what it prints."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from bot import proc
from bot.model import Value
from bot.proof.checks import diffs, listings, rcfile, settings
from bot.proof.checks.order import Batch, Unit

Settings = Mapping[str, bytes]
#: Told as a finding of both sides, so that a report shows under which settings nothing new was found.
LEFT_OUT = "upstream's settings of pylint without those that could run code or only shape its output"
RCFILE = "pylint-settings.toml"


class Tool(Value, frozen=True, kw_only=True):
    """One static tool, run as a module of the locked environment.

    `heeds` returns what of the settings the tool goes by; sides for which that is equal share a process,
    and where `mixed`, all do. `prepare` says why these settings cannot be used. `notes` are findings that
    the settings alone give. `read` returns the findings by unit, or None when the tool broke.
    """

    suffixes: tuple[str, ...]
    heeds: Callable[[Settings], dict[str, str]]
    argv: Callable[[Batch], tuple[str, ...]]
    read: Callable[[Batch, proc.Completed], dict[str, list[str]] | None]
    mixed: bool = False
    notes: Callable[[Settings], tuple[str, ...]] = lambda _: ()
    objection: Callable[[Settings], str] = lambda _: ""


def first(batch: Batch) -> Unit:
    return batch.units[0]


def black_argv(batch: Batch) -> tuple[str, ...]:
    config = Path(batch.root, "0", "pyproject.toml")
    place = str(config) if config.name in first(batch).side.settings else os.devnull
    return (
        *batch.check.args,
        "--check",
        "--diff",
        "--quiet",
        "--no-color",
        "--workers=2",
        f"--config={place}",
    )


def isort_argv(batch: Batch) -> tuple[str, ...]:
    return (*batch.check.args, "--check-only", "--diff", f"--settings-path={batch.root}/0")


def ruff_argv(batch: Batch) -> tuple[str, ...]:
    """Ruff finds each side's settings itself: it reads them relative to where they lie."""
    return (*batch.check.args, "--no-fix", "--no-cache", "--output-format=json")


def pylint_argv(batch: Batch) -> tuple[str, ...]:
    """Rules that compare files with each other are off: here those are two sides of one file."""
    written = rcfile.rewrite(first(batch).side.settings, f".*/{batch.root.name}/[0-9]+/")
    place = batch.root / RCFILE
    place.write_text(written.text, encoding="utf-8")
    fixed = ("--disable=duplicate-code,cyclic-import", "--output-format=json", "--persistent=n", "--jobs=1")
    return (f"--rcfile={place}", *batch.check.args, *fixed)


def pylint_notes(settings: Settings) -> tuple[str, ...]:
    left_out = rcfile.rewrite(settings, "").left_out
    return (f"{LEFT_OUT}: {', '.join(left_out)}",) if left_out else ()


TOOLS: Mapping[str, Tool] = {
    "black": Tool(
        suffixes=(".py", ".pyi"),
        heeds=lambda found: settings.heeded(found, "black"),
        argv=black_argv,
        read=diffs.read,
    ),
    "isort": Tool(
        suffixes=(".py", ".pyi"),
        heeds=lambda found: settings.heeded(
            found, "isort", ".isort.cfg", "setup.cfg", "tox.ini", ".editorconfig"
        ),
        argv=isort_argv,
        read=diffs.read,
    ),
    "pylint": Tool(
        suffixes=(".py",),
        heeds=lambda found: {"options": rcfile.rewrite(found, "").text},
        argv=pylint_argv,
        read=listings.read_pylint,
        notes=pylint_notes,
        objection=lambda found: rcfile.rewrite(found, "").problem,
    ),
    "ruff": Tool(
        suffixes=(".py", ".pyi"),
        heeds=lambda found: settings.heeded(found, "ruff", "ruff.toml", ".ruff.toml"),
        argv=ruff_argv,
        read=listings.read_ruff,
        mixed=True,
    ),
}
