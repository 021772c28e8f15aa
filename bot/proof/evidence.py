"""The evidence file: sealed by its content, written whole or not at all, read as untrusted input."""

import hashlib
import json
import os
import re
import secrets
import unicodedata
from pathlib import Path
from typing import Any

import msgspec

from bot.errors import BotError
from bot.model import EVIDENCE_SCHEMA, Evidence

#: Bytes of the largest evidence file that is read.
LARGEST = 16 * 1024 * 1024
#: Characters of the longest message that is kept.
LONGEST = 2_000
#: What differs between two runs that saw the same, and so is no part of the id.
FLEETING = frozenset({"seconds", "cached"})
MAKE_AGAIN = "make it again with `upstream-bot prove PATCH --out FILE`"

#: Terminal control: CSI, OSC and other string sequences, two-character escapes (ECMA-48).
ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
#: The directories of an absolute path; a URL's path and a relative path are not meant.
DIRECTORIES = re.compile(r"(?<![\w:/.~…])/(?:[^\s/'\"`:,;()<>]+/)+")


def seal(evidence: Evidence) -> Evidence:
    """The same evidence with the id that its content gives."""
    return msgspec.structs.replace(evidence, id=digest(evidence))


def digest(evidence: Evidence) -> str:
    """SHA-256 of the canonical JSON: sorted keys, no spaces, UTF-8; without id, seconds and cached."""
    fields = lasting(msgspec.to_builtins(evidence))
    del fields["id"]
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def lasting(value: Any) -> Any:
    match value:
        case dict():
            return {key: lasting(part) for key, part in value.items() if key not in FLEETING}
        case list() | tuple():
            return [lasting(part) for part in value]
        case _:
            return value


def encode(evidence: Evidence) -> bytes:
    """JSON with the contract's names in its order (DESIGN 5), readable, with a newline at its end."""
    try:
        return msgspec.json.format(msgspec.json.encode(evidence), indent=2) + b"\n"
    except UnicodeEncodeError:
        # A lone surrogate comes from a name that is not UTF-8; digest() replaces it in the same way.
        text = json.dumps(msgspec.to_builtins(evidence), indent=2, ensure_ascii=False)
        return f"{text}\n".encode("utf-8", "replace")


def decode(data: bytes) -> Evidence:
    """The evidence in a file from anywhere. Raises BotError unless schema, shape, size and id are right."""
    if len(data) > LARGEST:
        raise BotError(f"the evidence is larger than {LARGEST // 1024 // 1024} MiB", MAKE_AGAIN)
    try:
        refuse_other_schema(msgspec.json.decode(data, type=Header).schema)
        evidence = msgspec.json.decode(data, type=Evidence)
        sound = evidence.id == digest(evidence)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BotError(f"this is no evidence file: {clean(str(error), '')[:200]}", MAKE_AGAIN) from None
    if not sound:
        raise BotError("the evidence was changed after it was sealed: its id does not fit", MAKE_AGAIN)
    return evidence


def refuse_other_schema(schema: str) -> None:
    if schema != EVIDENCE_SCHEMA:
        raise BotError(
            f"the evidence has the schema {clean(schema, '')[:80]!r}", f"this bot reads {EVIDENCE_SCHEMA}"
        )


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What is read first of a file of any version."""

    schema: str


def write(path: Path, evidence: Evidence) -> None:
    """Write the file whole or leave what was there. Raises BotError when the disk refuses."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            draft.write_bytes(encode(evidence))
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        why = error.strerror or "the disk refused"
        hint = "free some space or name another file with --out; nothing was left half-written"
        raise BotError(f"cannot write {path}: {why}", hint) from None


def clean(text: str, tree: str | Path) -> str:
    """Foreign text for a file: no directories of this machine, memory addresses or unseen characters.

    Paths below `tree` become relative to it, those below the home directory start with `~`, other absolute
    ones keep their last part.
    """
    text = strip(text[: 8 * LONGEST])
    for place, short in ((str(tree), ""), (os.environ.get("HOME", ""), "~/")):
        if len(place) > 1:
            text = re.sub(re.escape(place.rstrip("/")) + r"(?:/|(?![\w.-]))", short, text)
    text = DIRECTORIES.sub("…/", ADDRESS.sub("0x…", text))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def strip(text: str) -> str:
    """Without terminal escapes, control, format (bidi, zero width) and lone surrogate characters.

    Every kind of line end becomes a line feed, a tab becomes a space.
    """
    text = ESCAPES.sub("", text)
    lines = re.sub(r"\r\n?|[\u2028\u2029\x85\x0b\x0c]", "\n", text).replace("\t", " ")
    return "".join(c for c in lines if c == "\n" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"})
