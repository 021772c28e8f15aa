"""What `patch.yml` may hold: every refusal names file, line and key."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.catalog import manifest
from bot.errors import BotError, Exit
from bot.model import Manifest

BASE = f"""\
schema: 1
id: a-fix
title: A fix
upstream:
  repo: https://example.invalid/r.git
  paths: [src/a.py]
versions:
  - id: v1
    base:
      commit: {"1" * 40}
    files:
      - path: v1/0001-a.patch
        sha256: {"2" * 64}
anchors:
  - file: src/a.py
    symbol: f
branches:
  - name: main
    expect: affected
probes:
  - id: fails
    test: proofs/test_a.py::test_f
    world: 2
    before:
      - ranks: 0
        exception: NameError
      - ranks: 1
        exception: ValueError
keep:
  - id: stays
    test: proofs/test_a.py::test_g
hazards:
  - id: beside
    test: proofs/test_a.py::test_h
    before: [{{ranks: all, exception: TypeError}}]
    after: [{{ranks: all, outcome: pass}}]
proposal:
  pull_request: 7
"""
Place = Callable[[str], Path]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    def write(text: str) -> Path:
        path = tmp_path / "a-fix" / "patch.yml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def changed(old: str, new: str) -> str:
    assert BASE.count(old) == 1
    return BASE.replace(old, new)


def refused(path: Path) -> BotError:
    with pytest.raises(BotError) as caught:
        manifest.read(path)
    assert caught.value.code == Exit.USAGE
    return caught.value


def test_a_whole_manifest_is_read(place: Place) -> None:
    read = manifest.read(place(BASE))
    assert read.probes[0].before[1].ranks == "1"
    assert read.probes[0].world == 2
    assert read.proposal.pull_request == 7


def test_the_five_required_keys_are_enough(place: Place) -> None:
    assert manifest.read(place(BASE[: BASE.index("anchors:")])).probes == ()


@pytest.mark.parametrize("written", ["6.0", "1_000", "0x10", "no", "2026-11-30", "1e3"])
def test_b15_a_value_stays_the_string_that_was_written(place: Place, written: str) -> None:
    read = manifest.read(place(changed("name: main", f"name: {written}")))
    assert read.branches[0].name == written


@pytest.mark.parametrize("nothing", ["", " null", " ~"])
def test_an_optional_number_may_be_left_empty(place: Place, nothing: str) -> None:
    read = manifest.read(place(changed("pull_request: 7", f"pull_request:{nothing}")))
    assert read.proposal.pull_request is None


def test_a_text_may_be_empty_only_in_quotes(place: Place) -> None:
    assert manifest.read(place(changed("title: A fix", 'title: A fix\ndescription: ""'))).description == ""
    error = refused(place(changed("title: A fix", "title: A fix\ndescription:")))
    assert error.message.endswith("line 4: description: Expected `str`, got `null`")
    assert error.hint == "quote the value to make it text"


KEYS = [
    ("anchors:\n", "anchorz:\n", 14, "unknown key 'anchorz'", "known: anchors"),
    (
        "    symbol: f",
        "    symbol: f\n    symbl: g",
        17,
        "unknown key 'symbl' in anchors[0]",
        "known: symbol",
    ),
    ("    world: 2", "    world: 2\n    world: 2", 24, "repeated key 'world' in probes[0]", "line 23"),
    ("title: A fix\n", "", 1, "missing key 'title'", "add title"),
    ("    symbol: f\n", "", 15, "missing key 'symbol' in anchors[0]", "add symbol"),
    (
        "expect: affected",
        "expect: afected",
        19,
        "branches[0].expect: 'afected' is not known",
        "known: affected",
    ),
    ("    world: 2", "    world: two", 23, "probes[0].world: Expected `int`, got `str`", ""),
    ("    world: 2", "    world: 0", 23, "probes[0].world: Expected `int` >= 1", ""),
    ("    world: 2", "    timeout: soon", 23, "probes[0].timeout: Expected `float`, got `str`", ""),
    ("schema: 1", "schema: 2", 1, "schema: Expected `int` <= 1", ""),
    ("[src/a.py]", "src/a.py", 6, "upstream.paths: Expected `array`, got `str`", ""),
    (
        "      commit: " + "1" * 40,
        "      commit: abc",
        10,
        "versions[0].base.commit: Expected `str` matching",
        "",
    ),
]


@pytest.mark.parametrize(("change", "line", "why", "hint"), [((old, new), *told) for old, new, *told in KEYS])
def test_a_wrong_key_or_type_names_its_line(
    place: Place, change: tuple[str, str], line: int, why: str, hint: str
) -> None:
    path = place(changed(*change))
    error = refused(path)
    assert error.message.startswith(f"{path} line {line}: {why}")
    assert hint in error.hint


RULES = [
    ("id: a-fix", "id: another", 2, "id: 'another' lies in the folder 'a-fix'"),
    ("id: stays", "id: fails", 30, "keep[0].id: fails is the id of probes[0] too"),
    ("- ranks: 1", "- ranks: 0", 24, "probes[0].before: rank 0 is covered 2 times"),
    ("- ranks: 1", "- ranks: 2", 27, "probes[0].before[1].ranks: rank 2 is outside a world of 2"),
    ("- ranks: 1", "- ranks: one", 27, "probes[0].before[1].ranks: 'one' is no rank"),
    ("    world: 2", "    world: 3", 24, "probes[0].before: rank 2 is not covered"),
    ("    world: 2", "    world: 2000", 23, "probes[0].world: 2000 ranks are more than 1024"),
    ("    world: 2", "    world: 2\n    timeout: inf", 24, "probes[0].timeout: a deadline must come"),
    ("    after: [{ranks: all, outcome: pass}]\n", "", 33, "hazards[0].after: rank 0 is not covered"),
    ("outcome: pass", "outcome: pas", 36, "hazards[0].after[0].outcome: 'pas' is no outcome"),
    ("exception: TypeError", "match: '('", 35, "hazards[0].before[0].match: no regular expression"),
    ("exception: NameError", "outcome: pass", 26, "probes[0].before[0].outcome: a probe must not pass"),
    ("exception: NameError", "outcome: fail", 25, "probes[0].before[0]: any failure would do"),
    ("test_a.py::test_g", "test_a.py::test_g[x]", 31, "keep[0].test: 'proofs/test_a.py::test_g[x]' is"),
    ("proofs/test_a.py::test_g", "../t.py::test_g", 31, "keep[0].test: '../t.py::test_g' is no test"),
    ("test_a.py::test_g", "test_a.py::test_g\n    after: [{}]", 32, "keep[0].after: this must be a pass"),
    ("- file: src/a.py", "- file: src/b.py", 15, "anchors[0].file: src/b.py is not in upstream.paths"),
    ("- file: src/a.py", "- file: ../a.py", 15, "anchors[0].file: it leaves its folder"),
    ("[src/a.py]", "[/src/a.py]", 6, "upstream.paths[0]: it begins with '/'"),
    ("path: v1/0001", "path: ../0001", 12, "versions[0].files[0].path: it leaves its folder"),
    ("expect: affected", "variant: 0001-b", 19, "branches[0].variant: no variant '0001-b'"),
    ("expect: affected", "expect: affected\n  - name: main", 20, "branches[1].name: main is there twice"),
    ("proposal:", "environment: {python: three}\nproposal:", 37, "environment.python: 'three' is no version"),
    ("proposal:", "environment: {checkout: [..]}\nproposal:", 37, "environment.checkout[0]: it leaves"),
    ("    base:\n", f"    base:\n      blobs: {{/a: {'1' * 40}}}\n", 10, "versions[0].base.blobs./a"),
    ("0001-a.patch", "0001-a.patch\n        branches: [main]", 11, "versions[0].files: not one file is"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "why"), RULES)
def test_a_broken_rule_names_its_line_and_key(place: Place, old: str, new: str, line: int, why: str) -> None:
    path = place(changed(old, new))
    assert refused(path).message.startswith(f"{path} line {line}: {why}")


def test_versions_must_be_unique_and_in_order(place: Place) -> None:
    start, end = BASE.index("  - id: v1\n"), BASE.index("anchors:")
    one = BASE[start:end]
    for ids in (("v1", "v1"), ("v2", "v1")):
        both = "".join(one.replace("v1\n", f"{name}\n") for name in ids)
        error = refused(place(BASE[:start] + both + BASE[end:]))
        assert f"line 14: versions[1].id: {ids[1]} stands after {ids[0]}" in error.message


def test_a_variant_is_known_by_its_path_and_its_stem(place: Place) -> None:
    for name in ("v1/0001-a.patch", "0001-a"):
        read = manifest.read(place(changed("expect: affected", f"variant: {name}")))
        assert read.branches[0].variant == name


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("title: A fix", "title: &t A fix", 3, "anchors and aliases are not taken"),
        ("title: A fix", "title: *t", 3, "anchors and aliases are not taken"),
        (
            "title: A fix",
            "title: !!python/name:os.system",
            3,
            "the tag tag:yaml.org,2002:python/name:os.system",
        ),
        ("title: A fix", "title: " + "[" * 30 + "]" * 30, 3, "this is nested more than 16 levels deep"),
        ("title: A fix", "title: [A", 4, "this is no YAML"),
        ("title: A fix", "title: A fix\n? [a]\n: b", 4, "a key must be a plain word"),
        ("title: A fix", "title: A fix\n---\nid: b", 4, "this is no YAML"),
    ],
)
def test_clever_or_broken_yaml_is_refused(place: Place, old: str, new: str, line: int, why: str) -> None:
    path = place(changed(old, new))
    assert refused(path).message.startswith(f"{path} line {line}: {why}")


def test_bytes_that_are_no_text_are_refused(place: Place) -> None:
    path = place("")
    path.write_bytes(BASE.encode() + b"# \xff\n")
    assert refused(path).message == f"{path} line 39: this is not UTF-8"
    path.write_text(BASE + "\0")
    assert "this is no YAML" in refused(path).message


def test_a_manifest_that_is_too_large_missing_or_no_mapping_is_refused(place: Place) -> None:
    path = place("#" * (256 * 1024 + 1))
    assert "larger than 256 KiB" in refused(path).message
    assert "a manifest is a mapping" in refused(place("- a\n")).message
    assert "a manifest is a mapping" in refused(place("")).message
    path.unlink()
    assert "cannot be read" in refused(path).message


def test_the_schema_for_editors_knows_every_key_and_the_required_five() -> None:
    schema = manifest.schema()
    top = schema["$defs"]["Manifest"]
    assert set(top["properties"]) == set(Manifest.__struct_fields__)
    assert sorted(top["required"]) == ["id", "schema", "title", "upstream", "versions"]
    assert top["additionalProperties"] is False
