"""A version more in the text of `patch.yml`, and nothing else."""

from pathlib import Path

import pytest
import yaml

from bot import catalog
from bot.carry.refreshing import listing
from bot.catalog import manifest
from bot.errors import BotError
from bot.model import Manifest, PatchFile, Version
from bot.model.patch import Base

OLD = Version(
    id="v1",
    base=Base(commit="a" * 40, blobs={"shop/till.py": "b" * 40}),
    files=(PatchFile(path="v1/a.patch", sha256="c" * 64),),
)
NEW = Version(
    id="v2",
    base=Base(commit="1" * 40, blobs={"shop/till.py": "2e2" + "3" * 37, "a b/no #.py": "b" * 40}),
    files=(
        PatchFile(path="v2/a.patch", sha256="4" * 64),
        PatchFile(path="v2/old one.patch", sha256="d" * 64, branches=("core_r0.1*", 'q"ü\U0001f600')),
    ),
)
HEAD = "# ours\nschema: 1\nid: till\ntitle: 'keep: it'   # with a mark\nupstream: {repo: x}\n"
TAIL = "anchors:   # where\n- {file: shop/till.py, symbol: convert}\n"
ITEM = f"""
- id: v1   # the first
  base:
    commit: {"a" * 40}
    blobs:
      shop/till.py: {"b" * 40}
  files:
  - path: v1/a.patch
    sha256: {"c" * 64}  # pinned
"""
INDENTED = ITEM.replace("\n", "\n    ").rstrip(" ")
BASE = f"{{commit: {'a' * 40}, blobs: {{shop/till.py: {'b' * 40}}}}}"
FILE = f"{{path: v1/a.patch, sha256: {'c' * 64}}}"
TEXTS = {
    "at-the-margin": f"{HEAD}versions:{ITEM}{TAIL}",
    "indented": f"{HEAD}versions:{INDENTED}{TAIL}",
    "comment-of-the-item": f"{HEAD}versions:{ITEM}  # of v1\n\n# of the anchors\n{TAIL}",
    "blank-lines": f"{HEAD}\nversions:\n{ITEM}\n\n{TAIL}",
    "last": f"{HEAD}{TAIL}versions:{ITEM}",
    "last-without-line-end": f"{HEAD}{TAIL}versions:{ITEM}".rstrip("\n"),
    "flow-item": f"{HEAD}versions:\n  - {{id: v1, base: {BASE},\n     files: [{FILE}]}}  # one\n{TAIL}",
    "wide-dash": f"{HEAD}versions:\n-   id: v1\n    files:\n    - {FILE}\n    base: {BASE}\n{TAIL}",
    "umlauts-before": f"# ü\u2003é 東\n{HEAD}versions:{ITEM}{TAIL}",
    "crlf": f"{HEAD}versions:{ITEM}# ours\n{TAIL}".replace("\n", "\r\n"),
}


def read(tmp_path: Path, text: str) -> Manifest:
    place = tmp_path / "till"
    place.mkdir(exist_ok=True)
    (place / "patch.yml").write_bytes(text.encode())
    return manifest.read(place / "patch.yml")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_version_is_added_and_every_other_line_stays(tmp_path: Path, text: str) -> None:
    before = read(tmp_path, text)
    made = listing.insert(text, [OLD], NEW)
    after = read(tmp_path, made)
    assert after.versions == (OLD, NEW)
    assert {name: getattr(before, name) for name in before.__struct_fields__ if name != "versions"} == {
        name: getattr(after, name) for name in after.__struct_fields__ if name != "versions"
    }
    added = made.splitlines(keepends=True)
    start = next(at for at, line in enumerate(added) if "id: v2" in line)
    count = len(added) - len(text.splitlines())
    del added[start : start + count]
    assert "".join(added).rstrip("\r\n") == text.rstrip("\r\n")
    assert ("\r\n" in text) == (made.count("\r\n") == made.count("\n"))


def test_comments_stay_with_what_they_speak_of() -> None:
    lines = listing.insert(TEXTS["comment-of-the-item"], [OLD], NEW).splitlines()
    at = lines.index("- id: v2")
    assert lines[at - 1] == "  # of v1"
    assert lines[lines.index("# of the anchors") + 1].startswith("anchors:")


def test_a_third_version_follows_the_second(tmp_path: Path) -> None:
    third = Version(id="v3", base=NEW.base, files=NEW.files)
    made = listing.insert(listing.insert(TEXTS["indented"], [OLD], NEW), [OLD, NEW], third)
    assert [one.id for one in read(tmp_path, made).versions] == ["v1", "v2", "v3"]


REFUSED = {
    "flow-list": f"versions: [{{id: v1, files: [{{path: v1/a.patch, sha256: {'c' * 64}}}]}}]\n",
    "dash-alone": f"versions:\n-\n  id: v1\n  files: [{{path: v1/a.patch, sha256: {'c' * 64}}}]\n",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_text_that_cannot_be_added_to_is_refused_with_what_to_paste(text: str) -> None:
    with pytest.raises(BotError) as caught:
        listing.insert(HEAD + text, [OLD], NEW)
    assert "patch.yml" in caught.value.message
    told, _, paste = caught.value.hint.partition(":\n")
    assert told == "write them like this and run again"
    again = HEAD + paste + "\n"
    assert [one["id"] for one in yaml.safe_load(listing.insert(again, [OLD], NEW))["versions"]] == [
        "v1",
        "v2",
    ]


def test_ids_that_other_readers_of_yaml_would_take_for_numbers_are_quoted() -> None:
    made = yaml.safe_load(listing.insert(TEXTS["indented"], [OLD], NEW))["versions"][1]
    assert made["base"] == {"commit": NEW.base.commit, "blobs": NEW.base.blobs}
    assert made["files"][1]["branches"] == list(NEW.files[1].branches)


def test_the_first_patchs_own_manifest_can_be_added_to(tmp_path: Path) -> None:
    place = Path(__file__).parents[2] / "patches"
    patch = catalog.load(place, "make-weakref")
    text = (place / "make-weakref" / "patch.yml").read_text(encoding="utf-8")
    number = f"v{int(patch.version.id[1:]) + 1}"
    new = Version(id=number, base=patch.version.base, files=patch.version.files)
    made = listing.insert(text, patch.manifest.versions, new)
    (tmp_path / "make-weakref").mkdir()
    (tmp_path / "make-weakref" / "patch.yml").write_text(made, encoding="utf-8")
    assert manifest.read(tmp_path / "make-weakref" / "patch.yml").versions[-1] == new
    assert len(made.splitlines()) - len(text.splitlines()) == 8
