"""The room of patches: `patches/` becomes Patch values, or one sentence that says what is wrong."""

from bot.catalog.folder import load, names, variant_for
from bot.catalog.manifest import schema

__all__ = ["load", "names", "schema", "variant_for"]
