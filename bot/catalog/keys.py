"""Unknown, missing and misspelt keys and values of a document, found by walking it beside its type."""

from collections.abc import Iterator
from typing import Any

from msgspec import inspect

from bot.catalog.yamltext import inside
from bot.errors import nearest
from bot.model import Value


class Problem(Value, frozen=True, kw_only=True):
    """What is wrong with one dotted key, and what to do."""

    key: str
    why: str
    hint: str = ""


def problems(data: Any, kind: inspect.Type, key: str = "") -> Iterator[Problem]:
    """Every stray key and enum value of `data`, as they are written; mistyped data is passed over."""
    match kind:
        case inspect.StructType() if isinstance(data, dict):
            yield from struct_problems(data, kind, key)
        case inspect.DictType() if isinstance(data, dict):
            for name, value in data.items():
                yield from problems(value, kind.value_type, f"{key}.{name}")
        case inspect.VarTupleType() if isinstance(data, list):
            for at, item in enumerate(data):
                yield from problems(item, kind.item_type, f"{key}[{at}]")
        case inspect.UnionType():
            for member in kind.types:
                yield from problems(data, member, key)
        case inspect.EnumType() if isinstance(data, str):
            yield from enum_problems(data, kind, key)
        case _:
            return


def struct_problems(data: dict[str, Any], kind: inspect.StructType, key: str) -> Iterator[Problem]:
    fields = {field.encode_name: field for field in kind.fields}
    for name, value in data.items():
        inner = f"{key}.{name}" if key else name
        if name in fields:
            yield from problems(value, fields[name].type, inner)
        else:
            why = f"unknown key {name!r}{inside(key)}"
            yield Problem(
                key=inner, why=why, hint=f"known: {nearest(name, list(fields)) or ', '.join(fields)}"
            )
    for name, field in fields.items():
        if field.required and name not in data:
            yield Problem(key=key, why=f"missing key {name!r}{inside(key)}", hint=f"add {name}")


def enum_problems(data: str, kind: inspect.EnumType, key: str) -> Iterator[Problem]:
    known = [str(member.value) for member in kind.cls]
    if data not in known:
        hint = f"known: {nearest(data, known) or ', '.join(known)}"
        yield Problem(key=key, why=f"{key}: {data!r} is not known", hint=hint)
