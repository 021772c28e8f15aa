"""`patch.yml` as a Manifest, or one sentence that names the key and the line."""

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from bot.catalog import keys, rules, yamltext
from bot.errors import BotError
from bot.model import Manifest

#: How msgspec ends a sentence: where in the data the fault lies.
PLACE = re.compile(r" - at (?:`key` in )?`\$(.*)`$")


def read(path: Path) -> Manifest:
    """Raises BotError with file, line, key and hint for the first thing that is wrong."""
    document = yamltext.read(path)
    if not isinstance(document.data, dict):
        raise document.complain("", "a manifest is a mapping of keys", "begin with `schema: 1`")
    for problem in keys.problems(document.data, inspect.type_info(Manifest)):
        raise document.complain(problem.key, problem.why, problem.hint)
    manifest = convert(document)
    for problem in rules.problems(manifest, path.absolute().parent.name):
        raise document.complain(problem.key, f"{problem.key}: {problem.why}", problem.hint)
    return manifest


def convert(document: yamltext.Document) -> Manifest:
    try:
        # Not strict: every scalar comes as the string that was written, and fields know their types.
        return msgspec.convert(document.data, Manifest, strict=False)
    except msgspec.ValidationError as error:
        raise typed(document, str(error)) from None


def typed(document: yamltext.Document, sentence: str) -> BotError:
    place = PLACE.search(sentence)
    key = place[1].lstrip(".").removesuffix("[...]") if place else ""
    why = PLACE.sub("", sentence)
    hint = "quote the value to make it text" if "`str`, got `null`" in sentence else ""
    return document.complain(key, f"{key}: {why}" if key else why, hint)


def schema() -> dict[str, Any]:
    """The manifest's JSON Schema, for editors."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "upstream-bot patch manifest"} | msgspec.json.schema(Manifest)
