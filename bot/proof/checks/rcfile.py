"""Pylint's settings without those that run code: rewritten as a file of our own."""

import configparser
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from bot.model import Value

#: In the order in which pylint itself looks; a shared file counts only when it speaks of pylint.
ORDER = ("pylintrc", "pylintrc.toml", ".pylintrc", ".pylintrc.toml", "pyproject.toml", "setup.cfg")
#: Options that are only data. Everything else is left out: `init-hook` and `evaluation` are executed,
#: `output-format` and `load-plugins` import, `source-roots` and the extension lists decide from where,
#: the graph options and `output` write files, and the rest shapes output that nobody reads.
DATA = (
    "additional-builtins", "allow-*", "allowed-*", "analyse-fallback-blocks", "argument-*", "attr-*", "bad-*",
    "callbacks", "check-*", "class-*", "confidence", "const-*", "contextmanager-decorators",
    "default-docstring-type", "accept-no-*", "defining-attr-methods", "deprecated-modules", "disable",
    "docstring-min-length", "dummy-variables-rgx", "enable", "exclude-*", "expected-line-ending-format",
    "fail-on", "function-*", "generated-members", "good-*", "ignore", "ignore-*", "ignored-*",
    "include-naming-hint", "indent-*", "init-import", "inlinevar-*", "known-*", "limit-inference-results",
    "logging-*", "max-*", "method-*", "min-*", "missing-member-*", "mixin-class-rgx", "module-*",
    "name-group", "never-returning-functions", "no-docstring-rgx", "notes", "notes-rgx",
    "overgeneral-exceptions", "preferred-modules", "property-classes", "py-version",
    "redefining-builtins-modules", "signature-mutators", "single-line-*", "suggest-*", "suggestion-mode",
    "timeout-methods", "typealias-rgx", "typevar-rgx", "valid-*", "variable-*",
)  # fmt: skip
#: Plug-ins that pylint itself ships.
SHIPPED = re.compile(r"pylint\.extensions\.\w+")


class RcFile(Value, frozen=True, kw_only=True):
    """The rewritten file's text (TOML), and the names of the options that were left out."""

    text: str = ""
    left_out: tuple[str, ...] = ()
    problem: str = ""


def rewrite(settings: Mapping[str, bytes], root: str) -> RcFile:
    """Return the settings that pylint would find, as data only.

    `ignore-paths` is matched from the start of a path: `root` is the pattern of what precedes the tree.
    """
    try:
        options = dict(read(settings))
    except (UnicodeDecodeError, configparser.Error, tomllib.TOMLDecodeError):
        return RcFile(problem="upstream's settings of pylint cannot be read")
    kept = {name: value for name, value in options.items() if is_data(name, value)}
    plugins = parts(options.get("load-plugins", ""))
    foreign = [name for name in plugins if not SHIPPED.fullmatch(name)]
    if plugins:
        kept["load-plugins"] = ",".join(name for name in plugins if name not in foreign)
    if "ignore-paths" in kept:
        kept["ignore-paths"] = ",".join(root + path for path in parts(kept["ignore-paths"]))
    lines = [f"{json.dumps(name)} = {json.dumps(value, ensure_ascii=False)}" for name, value in kept.items()]
    left_out = [*sorted(options.keys() - kept.keys()), *(f"load-plugins={name}" for name in foreign)]
    return RcFile(text="\n".join(("[tool.pylint.main]", *lines, "")), left_out=tuple(left_out))


def parts(value: str) -> list[str]:
    """Split a list as pylint does: at commas and line ends."""
    return [part.strip() for part in value.replace("\n", ",").split(",") if part.strip()]


def is_data(name: str, value: str) -> bool:
    """Whether the option can be passed on; pylint reads a value that begins with a dash as another option."""
    known = any(fnmatchcase(name, pattern) for pattern in DATA)
    return known and not value.lstrip().startswith("-")


def read(settings: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield the options of the first file that pylint would take."""
    for name in ORDER:
        if name not in settings:
            continue
        text = settings[name].decode("utf-8-sig")
        options = list(
            from_toml(text) if name.endswith(".toml") else from_ini(text, shared=name == "setup.cfg")
        )
        if options or name not in ("pyproject.toml", "setup.cfg"):
            yield from options
            return


def from_ini(text: str, *, shared: bool) -> Iterator[tuple[str, str]]:
    parser = configparser.ConfigParser(inline_comment_prefixes=("#", ";"))
    parser.read_string(text)
    for section in parser.sections():
        if not shared or section.startswith("pylint"):
            yield from parser[section].items()


def from_toml(text: str) -> Iterator[tuple[str, str]]:
    match tomllib.loads(text):
        case {"tool": {"pylint": dict(tables)}}:
            for name, value in tables.items():
                yield from flat(value) if isinstance(value, dict) else [(name, plain(value))]
        case _:
            return


def flat(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((name, plain(value)) for name, value in table.items())


def plain(value: Any) -> str:
    match value:
        case list():
            return ",".join(map(plain, value))
        case dict():
            return ",".join(f"{key}:{part}" for key, part in value.items())
        case _:
            return str(value)
