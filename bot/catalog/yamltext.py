"""YAML as plain strings with line numbers: no types, no tags, no anchors, no repeated keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.errors import BotError

if TYPE_CHECKING:
    import yaml

LIMIT = 256 * 1024
DEPTH = 16
#: An unquoted scalar that says "nothing"; everything else stays the string that was written (`6.0`, `no`).
NOTHING = ("", "~", "null")
TAG = "tag:yaml.org,2002:"
PLAIN_TAGS = (None, "!", f"{TAG}str", f"{TAG}seq", f"{TAG}map")


@dataclass(frozen=True, kw_only=True)
class Document:
    """What a file holds: dicts, lists, strings and None; `lines` has the line of each dotted key."""

    path: Path
    data: Any
    lines: Mapping[str, int]

    def complain(self, key: str, why: str, hint: str = "") -> BotError:
        return BotError(f"{self.path} line {self.line(key)}: {why}", hint)

    def line(self, key: str) -> int:
        """The line of `key`, or of the nearest thing around it that has one."""
        while key and key not in self.lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        return self.lines.get(key, 1)


def read(path: Path) -> Document:
    """Raises BotError naming file and line when this is not the plain YAML we take."""
    return parse(read_text(path), path)


def parse(text: str, path: Path) -> Document:
    import yaml

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        refuse_clever(text, path, loader)
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" line {mark.line + 1}" if mark else ""
        raise BotError(f"{path}{where}: this is no YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise BotError(f"{path}: this is no YAML: {str(error).splitlines()[0]}") from None
    walk = Walk(path=path)
    return Document(path=path, data=walk.plain(root, "") if root else None, lines=walk.lines)


def read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > LIMIT:
        raise BotError(f"{path} is larger than {LIMIT // 1024} KiB", "a manifest holds words, not data")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BotError(f"{path} line {line}: this is not UTF-8", "save the file as UTF-8") from None


def refuse_clever(text: str, path: Path, loader: Any) -> None:
    """Anchors and aliases (they multiply), tags (they construct), nesting that exhausts the stack."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=loader):
        where = f"{path} line {line_of(event)}"
        if getattr(event, "anchor", None) is not None:
            raise BotError(f"{where}: anchors and aliases are not taken", "write the value out")
        tag = getattr(event, "tag", None)
        if tag not in PLAIN_TAGS:
            raise BotError(f"{where}: the tag {tag} is not taken", "leave the tag out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            raise BotError(f"{where}: this is nested more than {DEPTH} levels deep")


@dataclass(frozen=True, kw_only=True)
class Walk:
    """Turns nodes into plain data and notes the line of every key on the way."""

    path: Path
    lines: dict[str, int] = field(default_factory=dict)

    def plain(self, node: "yaml.Node", key: str) -> Any:
        import yaml

        self.lines.setdefault(key, line_of(node))
        match node:
            case yaml.MappingNode():
                return self.mapping(node, key)
            case yaml.SequenceNode():
                return [self.plain(item, f"{key}[{at}]") for at, item in enumerate(node.value)]
            case _:
                quoted = bool(getattr(node, "style", ""))
                return node.value if quoted or node.value not in NOTHING else None

    def mapping(self, node: "yaml.MappingNode", key: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in node.value:
            line = line_of(name)
            if not isinstance(name.value, str):
                raise BotError(f"{self.path} line {line}: a key must be a plain word")
            inner = f"{key}.{name.value}" if key else name.value
            if name.value in found:
                raise BotError(
                    f"{self.path} line {line}: repeated key {name.value!r}{inside(key)}",
                    f"it is there already on line {self.lines[inner]}",
                )
            self.lines[inner] = line
            found[name.value] = self.plain(value, inner)
        return found


def line_of(part: "yaml.Event | yaml.Node") -> int:
    return part.start_mark.line + 1 if part.start_mark else 1


def inside(key: str) -> str:
    return f" in {key}" if key else ""
