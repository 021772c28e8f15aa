"""YAML as plain strings with line numbers: no types, no tags, no anchors, no repeated keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.catalog.flaw import Flaw, FlawError

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

    def flaw(self, key: str, why: str, hint: str = "") -> Flaw:
        return Flaw(file=self.path.name, line=self.line(key), why=why, hint=hint)

    def line(self, key: str) -> int:
        """The line of `key`, or of the nearest thing around it that has one."""
        while key and key not in self.lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        return self.lines.get(key, 1)


def read(path: Path) -> Document:
    """Raises FlawError when this is not the plain YAML we take."""
    return parse(read_text(path), path)


def parse(text: str, path: Path) -> Document:
    import yaml

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        refuse_clever(text, path, loader)
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        why = f"this is no YAML: {error.problem or error.context}"
        raise refusal(path, mark.line + 1 if mark else 1, why) from None
    except yaml.YAMLError as error:
        raise refusal(path, 1, f"this is no YAML: {str(error).splitlines()[0]}") from None
    walk = Walk(path=path)
    return Document(path=path, data=walk.plain(root, "") if root else None, lines=walk.lines)


def read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise refusal(path, 1, f"it cannot be read: {error.strerror}") from None
    if len(data) > LIMIT:
        raise refusal(path, 1, f"it is larger than {LIMIT // 1024} KiB", "a manifest holds words, not data")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(path, line, "this is not UTF-8", "save the file as UTF-8") from None


def refusal(path: Path, line: int, why: str, hint: str = "") -> FlawError:
    return FlawError(path.parent, Flaw(file=path.name, line=line, why=why, hint=hint))


def refuse_clever(text: str, path: Path, loader: Any) -> None:
    """Anchors and aliases (they multiply), tags (they construct), nesting that exhausts the stack."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=loader):
        line = line_of(event)
        if getattr(event, "anchor", None) is not None:
            raise refusal(path, line, "anchors and aliases are not taken", "write the value out")
        tag = getattr(event, "tag", None)
        if tag not in PLAIN_TAGS:
            raise refusal(path, line, f"the tag {tag} is not taken", "leave the tag out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            raise refusal(path, line, f"this is nested more than {DEPTH} levels deep")


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
                raise refusal(self.path, line, "a key must be a plain word")
            inner = f"{key}.{name.value}" if key else name.value
            if name.value in found:
                hint = f"it is there already on line {self.lines[inner]}"
                raise refusal(self.path, line, f"repeated key {name.value!r}{inside(key)}", hint)
            self.lines[inner] = line
            found[name.value] = self.plain(value, inner)
        return found


def line_of(part: "yaml.Event | yaml.Node") -> int:
    return part.start_mark.line + 1 if part.start_mark else 1


def inside(key: str) -> str:
    return f" in {key}" if key else ""
