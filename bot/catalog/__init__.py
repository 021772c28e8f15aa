"""The room of patches: `patches/` becomes Patch values, or one sentence that says what is wrong."""

from bot.catalog.flaw import Flaw
from bot.catalog.folder import Refused, judge, load, names, variant_for
from bot.catalog.linter import SCHEMA as LINT_SCHEMA
from bot.catalog.linter import Linted, Report, lint
from bot.catalog.manifest import schema

__all__ = [
    "LINT_SCHEMA",
    "Flaw",
    "Linted",
    "Refused",
    "Report",
    "judge",
    "lint",
    "load",
    "names",
    "schema",
    "variant_for",
]
