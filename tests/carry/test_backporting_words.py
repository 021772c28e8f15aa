"""What a backport's commit says, beside what `git am` makes of the same patch."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from bot.carry.backporting import Result
from bot.carry.backporting.words import ended
from tests.carry.backports import BOT, CURED, FILE, Yard
from tests.conftest import Workshop

SIGNED = f"Signed-off-by: {BOT.name} <{BOT.email}>"
BODIES = {
    "one line": "keep it",
    "sign-off": "keep it\n\nBecause.\n\nSigned-off-by: Ada <ada@example.org>",
    "B26 several": "keep it\n\nWhy  not?\n\n  indented\n* list\n\nCo-authored-by: Ö <o@example.org>\n"
    "Co-authored-by: P <p@example.org>\nSigned-off-by: Ada <ada@example.org>",
    "not quite trailers": "keep it\n\nNote: this one\nis prose",
    "letters": "h\u00e5ll \u2014 \u00fcber\n\n\u65e5\u672c\u8a9e",
    "a mention": "keep it\n\n@someone, see #12\n\nFixes: #3",
}


def patched(workshop: Workshop, message: str) -> bytes:
    """The workshop's patch with that message; its bytes."""
    workshop.patch()
    base = workshop.git("rev-parse", "main")
    workshop.git("switch", "--quiet", "cure")
    name = "--author=Åsa Ö. <asa@example.org>"
    date = "--date=2024-02-29T12:34:56+0530"
    workshop.git("commit", "--quiet", "--amend", name, date, "--file=-", data=message)
    form = ("-1", "--stdout", "--full-index", "--zero-commit", "--no-signature")
    data = (workshop.git("format-patch", *form, "cure") + "\n").encode()
    workshop.git("switch", "--quiet", "main")
    place = workshop.patches / "till" / "v1" / "0001-till.patch"
    place.write_bytes(data)
    workshop.manifest(base)
    assert sha256(data).hexdigest() in (workshop.patches / "till" / "patch.yml").read_text()
    return data


def received(workshop: Workshop, data: bytes) -> str:
    """What `git am` makes of it: author, date, tree and message."""
    place = workshop.root / "clone"
    own = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    clone = ("git", "clone", "--quiet", "--branch", "main", str(workshop.upstream), str(place))
    subprocess.run(clone, env=own, check=True, timeout=60)
    who = ("-c", "user.name=Bob", "-c", "user.email=bob@example.org")
    am = ("git", *who, "-C", str(place), "am", "--quiet")
    subprocess.run(am, input=data, env=own, check=True, timeout=60)
    return shown(place, "HEAD")


def shown(place: Path, commit: str) -> str:
    argv = ("git", "-C", str(place), "log", "-1", "--format=%an%n%ae%n%ad%n%T%n%B", "--date=raw", commit)
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.parametrize("message", BODIES.values(), ids=BODIES)
def test_b26_author_date_tree_and_message_are_those_of_git_am_and_our_trailers_end_it(
    workshop: Workshop, message: str
) -> None:
    data = patched(workshop, message)
    yard = Yard(workshop=workshop)
    yard.make_fork()
    row = yard.carry("main")["main"]
    assert row.result is Result.PUSHED, row.reason
    own = shown(yard.fork, row.commit or "").rstrip("\n")
    assert own.endswith(f"\nPatch-Version: till/v1\n{SIGNED}")
    assert own.removesuffix(f"\nPatch-Version: till/v1\n{SIGNED}").rstrip("\n") == received(
        workshop, data
    ).rstrip("\n")
    trailers = subprocess.run(
        ("git", "interpret-trailers", "--parse"),
        input=own.encode(),
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert trailers.stdout.decode().splitlines()[-2:] == ["Patch-Version: till/v1", SIGNED]


def test_b24_the_committers_sign_off_is_added_once(workshop: Workshop) -> None:
    patched(workshop, f"keep it\n\nBecause.\n\n{SIGNED}")
    yard = Yard(workshop=workshop)
    yard.make_fork()
    row = yard.carry("main")["main"]
    message = yard.git("log", "-1", "--format=%B", row.commit or "")
    assert message.count(SIGNED) == 1
    assert message.rstrip("\n").endswith(f"{SIGNED}\nPatch-Version: till/v1")


def test_trailers_that_are_there_are_not_said_again() -> None:
    once = ended("subject\n", ("A-b: c", "D: e"))
    assert once == "subject\n\nA-b: c\nD: e\n"
    assert ended(once, ("A-b: c", "D: e")) == once
    assert ended("subject\n\nprose: of\na kind\n", ("D: e",)) == "subject\n\nprose: of\na kind\n\nD: e\n"


def test_the_cured_file_is_the_one_that_was_proven(workshop: Workshop) -> None:
    patched(workshop, "keep it")
    yard = Yard(workshop=workshop)
    yard.make_fork()
    row = yard.carry("main")["main"]
    assert yard.git("show", f"{row.commit}:{FILE}") == CURED.rstrip("\n")
    assert yard.git("diff", "--name-only", f"{row.commit}^", row.commit or "") == FILE
