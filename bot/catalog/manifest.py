"""`patch.yml` as a Manifest, or one sentence that names the key and the line."""

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from bot.catalog import keys, rules, yamltext
from bot.catalog.flaw import Flaw, FlawError
from bot.model import Manifest

#: How msgspec ends a sentence: where in the data the fault lies.
PLACE = re.compile(r" - at (?:`key` in )?`\$(.*)`$")


def read(path: Path) -> Manifest:
    """Raises FlawError with file, line, key and hint for the first thing that is wrong."""
    manifest, flaws = examine(path)
    if manifest is None or flaws:
        raise FlawError(path.parent, flaws[0])
    return manifest


def examine(path: Path) -> tuple[Manifest | None, tuple[Flaw, ...]]:
    """The manifest where it has all keys in the right types, and everything that is wrong with it."""
    try:
        document = yamltext.read(path)
    except FlawError as error:
        return None, (error.flaw,)
    if not isinstance(document.data, dict):
        return None, (document.flaw("", "a manifest is a mapping of keys", "begin with `schema: 1`"),)
    stray = tuple(
        document.flaw(problem.key, problem.why, problem.hint)
        for problem in keys.problems(document.data, inspect.type_info(Manifest))
    )
    if stray:
        return None, stray
    match convert(document):
        case Flaw() as flaw:
            return None, (flaw,)
        case manifest:
            return manifest, rule_flaws(document, manifest)


def rule_flaws(document: yamltext.Document, manifest: Manifest) -> tuple[Flaw, ...]:
    broken = rules.problems(manifest, document.path.absolute().parent.name)
    return tuple(document.flaw(one.key, f"{one.key}: {one.why}", one.hint) for one in broken)


def convert(document: yamltext.Document) -> Manifest | Flaw:
    try:
        # Not strict: every scalar comes as the string that was written, and fields know their types.
        return msgspec.convert(document.data, Manifest, strict=False)
    except msgspec.ValidationError as error:
        return typed(document, str(error))


def typed(document: yamltext.Document, sentence: str) -> Flaw:
    place = PLACE.search(sentence)
    key = place[1].lstrip(".").removesuffix("[...]") if place else ""
    why = PLACE.sub("", sentence)
    hint = "quote the value to make it text" if "`str`, got `null`" in sentence else ""
    return document.flaw(key, f"{key}: {why}" if key else why, hint)


def schema() -> dict[str, Any]:
    """The manifest's JSON Schema, for editors."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "upstream-bot patch manifest"} | msgspec.json.schema(Manifest)
