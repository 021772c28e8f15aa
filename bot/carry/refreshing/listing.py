"""The next version put into the text of `patch.yml`: a few lines more, and every other byte as it was."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.errors import BotError
from bot.model import Version

if TYPE_CHECKING:
    import yaml

#: What YAML reads as these very letters without quotes, whatever its version; digits alone are no text.
PLAIN = re.compile(r"(?![0-9.e+-]+$)[A-Za-z0-9][A-Za-z0-9._/+-]*")
WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def insert(text: str, old: Sequence[Version], new: Version) -> str:
    """The manifest's text with a version more after the old ones. Raises BotError, with what to paste."""
    import yaml

    root = yaml.compose(text, Loader=yaml.BaseLoader)
    entries = list_of(root, "versions")
    if entries is None or entries.flow_style:
        raise BotError("patch.yml does not list its versions line by line", paste(old))
    last = entries.value[-1]
    lines = re.findall(r"[^\n]*\n|[^\n]+$", text)
    dash = re.match(r"( *)-( +)", lines[last.start_mark.line])
    if not dash or len(dash[0]) != last.start_mark.column:
        raise BotError("patch.yml lists its versions in a way that cannot be added to", paste(old))
    at = after_comments(lines, end_of(last), len(dash[1]))
    ending = "\r\n" if lines[last.start_mark.line].endswith("\r\n") else "\n"
    added = [f"{dash[1]}{line}{ending}" for line in entry(new)]
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += ending
    return "".join([*lines[:at], *added, *lines[at:]])


def list_of(root: "yaml.Node | None", key: str) -> "yaml.SequenceNode | None":
    import yaml

    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    return next(
        (node for name, node in pairs if name.value == key and isinstance(node, yaml.SequenceNode)), None
    )


def end_of(node: "yaml.Node") -> int:
    """The line after the last one of a node; a block's own end mark lies behind the comments below it."""
    import yaml

    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        parts = node.value[-1] if isinstance(node, yaml.MappingNode) else (node.value[-1],)
        return max(map(end_of, parts))
    return int(node.end_mark.line) + (1 if node.end_mark.column else 0)


def after_comments(lines: list[str], at: int, indent: int) -> int:
    """The line after the comments that still belong to the entry: deeper than its dash, with no gap."""
    while at < len(lines) and re.match(rf" {{{indent + 1},}}#", lines[at]):
        at += 1
    return at


def entry(version: Version) -> list[str]:
    """The lines of one item, the first with its dash."""
    blobs = [f"      {scalar(path)}: {scalar(blob)}" for path, blob in version.base.blobs.items()]
    files = []
    for file in version.files:
        files += [f"    - path: {scalar(file.path)}", f"      sha256: {scalar(file.sha256)}"]
        if file.branches:
            files.append(f"      branches: [{', '.join(map(quoted, file.branches))}]")
    return [
        f"- id: {version.id}",
        "  base:",
        f"    commit: {scalar(version.base.commit)}",
        *(["    blobs:", *blobs] if blobs else []),
        "  files:",
        *files,
    ]


def scalar(text: str) -> str:
    plain = PLAIN.fullmatch(text) and text.lower() not in WORDS
    return text if plain else quoted(text)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def paste(versions: Sequence[Version]) -> str:
    """The versions there are, as we can add to them."""
    lines = [line for version in versions for line in entry(version)]
    return "\n".join(["write them like this and run again:", "versions:", *(f"  {line}" for line in lines)])
