"""The evidence file: sealed by content, whole or absent, refused when forged; and messages made clean."""

import errno
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot import model
from bot.errors import BotError, Exit
from bot.model import EVIDENCE_SCHEMA, Evidence, Kind, Outcome, State, TargetEvidence, Verdict
from bot.proof import evidence as file


def an_evidence(**changed: Any) -> Evidence:
    runs = (Outcome(outcome=Kind.PASS, seconds=0.25), Outcome(outcome=Kind.PASS, seconds=0.5))
    row = model.TestRow(id="probe", rank=0, world=1, launcher="fake", required=True, before=runs, after=runs)
    target = TargetEvidence(
        kind="branch",
        name="maïn",
        head="a" * 40,
        base_commit=None,
        before_tree=None,
        after_tree=None,
        state=State.APPLIES_EXACT,
        verdict=Verdict.DEFECT_NOT_REPRODUCED,
        reason="probe rank 0 before: pass",
        cached=False,
        probes=(row,),
    )
    plain: dict[str, Any] = {
        "schema": EVIDENCE_SCHEMA,
        "id": "",
        "bot": "upstream-bot 0.1.0",
        "patch": "fix",
        "version": "v1",
        "patch_sha256": "1" * 64,
        "probes_sha256": "2" * 64,
        "environment_sha256": "3" * 64,
        "upstream": "pypi:thing",
        "runs": 2,
        "isolation": "none",
        "seconds": 1.5,
        "environment": {"python": "3.11.2", "seconds": 3},
        "targets": (target,),
    }
    return file.seal(Evidence(**plain | changed))


def replaced(old: bytes, new: bytes) -> bytes:
    data = file.encode(an_evidence())
    assert old in data
    return data.replace(old, new)


def test_the_id_is_the_digest_of_the_canonical_json_without_fleeting_fields() -> None:
    made = json.loads(file.encode(an_evidence()))
    told = made.pop("id")
    del made["seconds"], made["environment"]["seconds"], made["targets"][0]["cached"]
    for run in (*made["targets"][0]["probes"][0]["before"], *made["targets"][0]["probes"][0]["after"]):
        del run["seconds"]
    canonical = json.dumps(made, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert told == hashlib.sha256(canonical).hexdigest()


def test_time_and_the_cache_do_not_change_the_id_but_an_outcome_does() -> None:
    first = an_evidence()
    target = msgspec.structs.replace(first.targets[0], cached=True)
    assert an_evidence(seconds=9.0, targets=(target,)).id == first.id
    assert file.seal(first) == first
    assert an_evidence(targets=(msgspec.structs.replace(target, name="main"),)).id != first.id
    renamed = msgspec.structs.replace(target, probes=(msgspec.structs.replace(target.probes[0], id="other"),))
    assert an_evidence(targets=(renamed,)).id != first.id


def test_the_file_has_the_contract_s_keys_in_its_order_and_reads_back_the_same() -> None:
    data = file.encode(an_evidence())
    made = json.loads(data)
    assert list(made) == [
        "schema", "id", "bot", "patch", "version", "patch_sha256", "probes_sha256", "environment_sha256",
        "upstream", "runs", "isolation", "seconds", "environment", "targets",
    ]  # fmt: skip
    assert list(made["targets"][0]) == [
        "kind", "name", "head", "base_commit", "before_tree", "after_tree", "state", "verdict", "reason",
        "cached", "probes", "keep", "hazards", "checks", "controls",
    ]  # fmt: skip
    assert list(made["targets"][0]["probes"][0]["before"][0]) == [
        "outcome", "reason", "exception", "message", "function", "signal", "fault_hits", "seconds",
    ]  # fmt: skip
    assert data.startswith(b'{\n  "schema"')
    assert data.endswith(b"}\n")
    assert "maïn" in data.decode()
    assert file.decode(data) == an_evidence()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (lambda: b"", "no evidence file"),
        (lambda: b"\xff", "no evidence file"),
        (lambda: b"[1]", "no evidence file"),
        (lambda: file.encode(an_evidence())[:-40], "truncated"),
        (lambda: replaced(b"evidence/1", b"evidence/2"), "the schema 'upstream-bot/evidence/2'"),
        (lambda: replaced(b'"runs": 2', b'"runs": "2"'), "Expected `int`"),
        (lambda: replaced(b'"runs": 2', b'"runs": 2, "more": 1'), "unknown field `more`"),
        (lambda: replaced(b'"outcome": "pass"', b'"outcome": "fine"'), "Invalid enum value"),
        (lambda: replaced(b'"3.11.2"', b"1" + b"0" * 5_000), "out of range"),
        (lambda: replaced(b'"3.11.2"', b"[" * 100_000), "recursion"),
        (lambda: replaced(b'"3.11.2"', b"[" * 930 + b"]" * 930), ""),
        (lambda: replaced(b'"3.11.2"', b'"\\ud800"'), "no evidence file"),
        (lambda: replaced(b'"runs": 2', b'"runs": 3'), "changed after it was sealed"),
        (lambda: b" " * (file.LARGEST + 1), "larger than 16 MiB"),
    ],
    ids=["empty", "not UTF-8", "list", "cut", "other schema", "type", "unknown key", "enum", "huge number",
         "nested", "nearly too deep", "surrogate", "forged", "too large"],
)  # fmt: skip
def test_a_bad_file_is_refused_with_a_hint(data: Callable[[], bytes], told: str) -> None:
    with pytest.raises(BotError) as caught:
        file.decode(data())
    assert told in caught.value.message
    assert caught.value.hint
    assert caught.value.code is Exit.USAGE


def test_a_foreign_schema_name_cannot_colour_the_terminal() -> None:
    with pytest.raises(BotError) as caught:
        file.decode(b'{"schema": "\\u001b[31mred"}')
    assert "\x1b" not in caught.value.message


def test_writing_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "evidence.json"
    place.write_text("old")
    file.write(place, an_evidence())
    assert file.decode(place.read_bytes()) == an_evidence()
    assert list(tmp_path.iterdir()) == [place]


def test_a_place_that_cannot_be_written_is_named_and_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place, told in (("folder", "Is a directory"), ("absent/e.json", "No such file or directory")):
        with pytest.raises(BotError, match=told) as caught:
            file.write(tmp_path / place, an_evidence())
        assert "--out" in caught.value.hint
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this platform")
def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "evidence.json"
    place.write_text("old")
    # The draft's name is drawn; with a known draw its place can be one that is always full.
    monkeypatch.setattr("secrets.token_hex", lambda _: "0000")
    (tmp_path / ".evidence.json.0000").symlink_to("/dev/full")
    with pytest.raises(BotError, match=os.strerror(errno.ENOSPC)):
        file.write(place, an_evidence())
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_name_that_is_not_utf8_can_still_be_written() -> None:
    target = msgspec.structs.replace(an_evidence().targets[0], name="br\udce4nch")
    data = file.encode(an_evidence(targets=(target,)))
    assert file.decode(data).targets[0].name == "br?nch"


TREE = "/tmp/upstream-bot-x1/tree"  # noqa: S108 (a text, never opened)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'File "{TREE}/megatron/a.py", line 3', 'File "megatron/a.py", line 3'),
        (f"{TREE}x/other/file.py and {TREE}", "…/file.py and "),
        ("/somewhere/lib/python3.11/site-packages/torch/x.py:1", "…/x.py:1"),
        ("https://example.org/a/b and a/b/c.py and 3 / 4", "https://example.org/a/b and a/b/c.py and 3 / 4"),
        ("<Tensor at 0x7f00AA11bb22> 0x10", "<Tensor at 0x…> 0x10"),
        ("\x1b[1;31mred\x1b[0m \x1b]8;;http://evil\x1b\\link\x1b]8;;\x07 \x9b2Jx", "red link x"),
        ("\x1b]never closed", "never closed"),
        ("a\u202eb\u2066c\u200bd\x00e\x7ff\ud800g", "abcdefg"),
        ("one\r\ntwo\rthree\u2028four\tfive", "one\ntwo\nthree\nfour five"),
        ("make_weakref(ten): größer ≤ 5", "make_weakref(ten): größer ≤ 5"),
    ],
)
def test_v29_a_message_keeps_its_words_and_loses_this_machine(text: str, told: str) -> None:
    assert file.clean(text, TREE) == told


def test_the_home_directory_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert file.clean("/home/somebody/x.py /home/somebody", TREE) == "~/x.py ~/"


def test_a_long_message_is_cut_and_a_hostile_one_takes_no_time() -> None:
    assert len(file.clean("x" * 10_000, TREE)) == file.LONGEST
    for piece in ("\x1b]", "\x9d", "/a", "\x1b[0", "/-"):
        assert len(file.clean(piece * 1_000_000, TREE)) <= file.LONGEST
