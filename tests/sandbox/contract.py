"""GitHub's official descriptions, fetched when tests run, never kept in the tree, and checks against them."""

import functools
import json
import os
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote, urlsplit

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker, validators
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

PACKAGES = {
    "openapi": ("@octokit/openapi@23.0.2", "package/generated/api.github.com.json"),
    "schemas": ("@octokit/webhooks-schemas@7.6.1", "package/schema.json"),
    "examples": ("@octokit/webhooks-examples@7.6.1", "package/api.github.com/index.json"),
}
WHERE = "urn:github"


class NotThereError(Exception):
    """A description could not be had; the text says why."""


def fetch(name: str) -> Any:
    """One description, from the cache or by `npm pack`. Raises NotThereError."""
    package, inner = PACKAGES[name]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "upstream-bot-contract")
    kept = cache / f"{re.sub('[^a-z0-9.]+', '-', package).strip('-')}.json"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache) as scratch:
            fresh = Path(scratch, "fresh")
            fresh.write_bytes(unpack(pack(package, Path(scratch)), inner))
            fresh.replace(kept)
    return json.loads(kept.read_bytes())


def pack(package: str, folder: Path) -> Path:
    """Have npm put the package's archive into the folder; npm checks its digest."""
    argv = ["npm", "pack", "--silent", "--fetch-retries=0", "--pack-destination", str(folder), package]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=90, check=False, cwd=folder)
    except FileNotFoundError:
        raise NotThereError("npm is not installed") from None
    except subprocess.TimeoutExpired:
        raise NotThereError("npm did not end in time") from None
    if done.returncode:
        raise NotThereError(f"npm could not fetch {package}: no network, or no registry")
    return folder / done.stdout.split()[-1]


def unpack(archive: Path, inner: str) -> bytes:
    with tarfile.open(archive) as tar:
        found = tar.extractfile(inner)
        assert found is not None
        return found.read()


def nullable(
    validator: Any, value: Any, instance: Any, schema: Any, *, keyword: str
) -> Iterator[ValidationError]:
    """A keyword as OpenAPI 3.0 means it: null is right wherever `nullable` stands beside."""
    if instance is None and schema.get("nullable"):
        return
    yield from Draft202012Validator.VALIDATORS[keyword](validator, value, instance, schema) or ()


#: JSON Schema with OpenAPI 3.0's `nullable`.
OpenApi = validators.extend(  # type: ignore[no-untyped-call]  # its stubs do not say
    Draft202012Validator,
    {name: functools.partial(nullable, keyword=name) for name in ("type", "enum", "allOf", "anyOf", "oneOf")},
)
FORMATS = FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def is_date(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.fromisoformat(value).tzinfo)


@FORMATS.checks("uri")
def is_uri(value: object) -> bool:
    return not isinstance(value, str) or bool(urlsplit(value).scheme)


@dataclass(kw_only=True)
class Contract:
    """Counts what was checked. `problems` are answers that GitHub would not give."""

    openapi: Any
    calls: dict[str, int] = field(default_factory=dict)
    schemas: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    other: set[str] = field(default_factory=set)

    @functools.cached_property
    def registry(self) -> Any:
        resource = DRAFT202012.create_resource(self.openapi)
        return Registry().with_resource(WHERE, resource)

    @functools.cached_property
    def paths(self) -> list[tuple[re.Pattern[str], str]]:
        """Templates as patterns, those with the fewest names first; slashes are let into a last name."""
        ordered = sorted(self.openapi["paths"], key=lambda path: (path.count("{"), -len(path)))
        return [(re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), path) for path in ordered]

    def template(self, path: str) -> str:
        exact = (name for pattern, name in self.paths if pattern.fullmatch(path))
        if found := next(exact, ""):
            return found
        loose = re.sub(r"/(branches|git/ref)/.+", r"/\1/x", path)
        return next((name for pattern, name in self.paths if pattern.fullmatch(loose)), "")

    def check(self, method: str, url: str, status: int, data: bytes) -> None:
        """Check one answer; its problems are kept."""
        path = self.template(unquote(urlsplit(url).path))
        call = f"{method} {path}"
        described = self.openapi["paths"].get(path, {}).get(method.lower())
        if described is None:
            return
        self.calls[call] = self.calls.get(call, 0) + 1
        pointer = self.pointer(path, method.lower(), described, status)
        if not pointer:
            self.other.add(f"{call} {status}")
            pointer = "#/components/schemas/basic-error" if status >= 400 else ""
        if pointer and data:
            self.schemas.add(pointer)
            self.judge(f"{call} {status}", pointer, json.loads(data))

    def pointer(self, path: str, method: str, described: Any, status: int) -> str:
        """Where the schema of that status stands; empty where none does."""
        answer = described["responses"].get(str(status))
        if answer is None:
            return ""
        place = f"#/paths/{path.replace('/', '~1')}/{method}/responses/{status}"
        if "$ref" in answer:
            place = answer["$ref"]
            answer = self.openapi["components"]["responses"][place.rpartition("/")[2]]
        return (
            f"{place}/content/application~1json/schema"
            if "application/json" in answer.get("content", {})
            else ""
        )

    @functools.cache  # noqa: B019 (there is one contract in a run)
    def validator(self, pointer: str) -> Any:
        quoted = pointer.replace("{", "%7B").replace("}", "%7D")
        return OpenApi({"$ref": WHERE + quoted}, registry=self.registry, format_checker=FORMATS)

    def judge(self, what: str, pointer: str, body: Any) -> None:
        error = best_match(self.validator(pointer).iter_errors(body))
        if error is not None:
            self.problems.append(f"{what}: {error.json_path}: {error.message[:300]}")

    __hash__ = object.__hash__


def judge_event(schemas: Any, name: str, action: str, payload: Any) -> list[str]:
    """What GitHub's schema of that event finds wrong in a payload."""
    definition = f"{name}${action}"
    whole = {"$ref": f"#/definitions/{definition}", "definitions": schemas["definitions"]}
    errors = Draft7Validator(whole).iter_errors(payload)
    return [f"{definition}: {error.json_path}: {error.message[:300]}" for error in errors]


def strange_keys(ours: Any, theirs: list[Any], place: str = "$") -> Iterator[str]:
    """Yield each key or type of ours that none of the examples has at that place."""
    kinds = {kind(one) for one in theirs}
    if kind(ours) not in kinds and None not in theirs and ours is not None:
        yield f"{place}: {kind(ours)}, there {sorted(kinds)}"
    if isinstance(ours, dict):
        for key, value in ours.items():
            there = [one[key] for one in theirs if isinstance(one, dict) and key in one]
            if there:
                yield from strange_keys(value, there, f"{place}.{key}")
            elif any(isinstance(one, dict) for one in theirs):
                yield f"{place}.{key}: no example has it"


def kind(value: Any) -> str:
    return {bool: "boolean", int: "number", float: "number", type(None): "null"}.get(
        type(value), type(value).__name__
    )
