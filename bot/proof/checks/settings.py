"""Which of upstream's settings files a tool reads, and what of them it heeds."""

import tomllib
from collections.abc import Mapping

#: Looked for at the root of the target's tree.
NAMES = (
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    ".editorconfig",
    ".flake8",
    ".isort.cfg",
    ".pylintrc",
    ".pylintrc.toml",
    "pylintrc",
    "pylintrc.toml",
    ".ruff.toml",
    "ruff.toml",
)


def heeded(settings: Mapping[str, bytes], table: str, *whole: str) -> dict[str, str]:
    """Return what a tool heeds, for comparison: its table of pyproject.toml and the `whole` files.

    Tools infer the language version from `requires-python` when their own table names none.
    """
    found = {name: settings[name].hex() for name in whole if name in settings}
    if "pyproject.toml" in settings:
        found["pyproject.toml"] = part(settings["pyproject.toml"], table)
    return found


def part(data: bytes, table: str) -> str:
    try:
        whole = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return data.hex()
    return repr((inside(inside(whole, "tool"), table), inside(inside(whole, "project"), "requires-python")))


def inside(table: object, name: str) -> object:
    """Return what a table holds under the name; None where there is nothing, or no table."""
    return table.get(name) if isinstance(table, dict) else None
