"""10,000 spoilt patches through the linter: it ends, says where, and git agrees with the rest."""

import contextlib
import difflib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import git, proc
from bot.catalog import files, mailpatch, paths
from bot.catalog.diff import PatchProblem
from bot.model import FileChange, Manifest, PatchFile, UpstreamPlace, Version
from bot.model.patch import Base
from bot.survey.apply import apply

COUNT, SAMPLE = 10_000, 300
#: Seconds: the bar is far above what a patch takes, and far below a hang.
SLOWEST = 2.0
FILE = PatchFile(path="v1/x.patch", sha256="0" * 64)
WORDS = [
    b"../x",
    b"/etc/x",
    b".git/config",
    b".GIT",
    b"GIT~1",
    b".g\xe2\x80\x8cit",
    b"C:/x",
    b"/dev/null",
    b"src/../src/a.py",
    b"a/",
    b"b/",
    b"\r\n",
    b"\n",
    b"\0",
    b"\xff\xfe",
    b"\t",
    b'"',
    b"\\",
    b"---\n",
    b"-- \n",
    b"--- a/",
    b"+++ b/",
    b"diff --git a/x b/x\n",
    b"diff --git ",
    b"@@ -1,3 +1,4 @@\n",
    b"@@ -0,0 +1 @@\n",
    b"@@ -1,999999999 +1 @@\n",
    b"index ",
    b"0" * 40,
    b" 100644",
    b" 120000",
    b" 160000",
    b"old mode 100644\n",
    b"new file mode 100644\n",
    b"GIT binary patch\n",
    b"rename from x\n",
    b"\\ No newline at end of file\n",
    b"From: ",
    b"=?utf-8?q?=ff?=",
    b"((((",
    b"Content-Type: text/x; charset=none\n",
    b"+",
    b"-",
    b" ",
    b"1",
    b"99",
    b" 1 file changed\n",
]
BASES = {
    "src/a.py": "".join(f"line {number % 9}\n" for number in range(40)),
    "src/two words.txt": "one\ntwo\nthree",
    "VERSION": "1\n",
}
AFTERS = {
    "src/a.py": BASES["src/a.py"].replace("line 4\nline 5\n", "line 4\nnew\nline 5\n", 2),
    "src/two words.txt": "one\n2\nthree",
    "VERSION": "2\n",
}


def seeds() -> list[bytes]:
    """Mails of one file each, and one of all."""
    diffs = [diff(path) for path in BASES]
    return [mail(part) for part in (*diffs, b"".join(diffs))]


def mail(diffs: bytes) -> bytes:
    head = "From " + "0" * 40 + " Mon Sep 17 00:00:00 2001\nFrom: =?utf-8?q?=C3=84nne?= <a@example.org>\n"
    head += "Date: Mon, 30 Nov 2026 19:07:33 +0000\nSubject: [PATCH] a\n b\n\nBecause.\n\n---\n\n"
    return head.encode() + b"---\n a | 2 +-\n 1 file changed\n\n" + diffs + b"-- \n2.39.5\n\n"


def diff(path: str) -> bytes:
    before, after = BASES[path].splitlines(keepends=True), AFTERS[path].splitlines(keepends=True)
    ids = [git.object_id("blob", text.encode(), 40) for text in (BASES[path], AFTERS[path])]
    tab = "\t" if " " in path else ""
    head = (
        f"diff --git a/{path} b/{path}\nindex {'..'.join(ids)} 100644\n--- a/{path}{tab}\n+++ b/{path}{tab}\n"
    )
    body = list(difflib.unified_diff(before, after))[2:]
    ended = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in body)
    return (head + "".join(ended)).encode()


def mutants(count: int) -> Iterator[bytes]:
    source = random.Random(4)
    known = seeds()
    for _ in range(count):
        data = source.choice(known)
        for _ in range(source.choice([1, 1, 1, 2, 3, 8])):
            data = mutated(source, data)
        yield data


def mutated(source: random.Random, data: bytes) -> bytes:
    """One change: of a byte, a word, a line, or of the order of lines."""
    at, lines = source.randint(0, len(data)), data.split(b"\n")
    one, other = source.randrange(len(lines)), source.randrange(len(lines))
    swapped = list(lines)
    swapped[one], swapped[other] = lines[other], lines[one]
    ways = (
        data[:at] + bytes([source.randrange(256)]) + data[at + 1 :],
        data[:at] + source.choice(WORDS) + data[at + source.choice([0, 0, 1, 9]) :],
        b"\n".join([*lines[:one], source.choice(WORDS) + lines[one], *lines[one + 1 :]]),
        b"\n".join(lines[:one] + lines[one + 1 :]),
        b"\n".join(lines[:one] + lines[other:]),
        b"\n".join(swapped),
        data.replace(source.choice([b"src/a.py", b"1", b"a", b"\n", b"100644"]), source.choice(WORDS), 2),
        data[:at],
    )
    return source.choice(ways)


def accepted(count: int) -> dict[bytes, tuple[FileChange, ...]]:
    """The spoilt patches that nothing is wrong with, and what they change; each is timed."""
    taken = {}
    for data in mutants(count):
        start = time.monotonic()
        content = mailpatch.examine(data)
        looks = [mailpatch.cut] if content.problems else [mailpatch.cut, mailpatch.header]
        for look in looks:
            with contextlib.suppress(PatchProblem):
                look(data)
        assert time.monotonic() - start < SLOWEST
        if not content.problems:
            taken[data] = tuple(content.changes.values())
    return taken


def version() -> Version:
    return Version(id="v1", base=Base(commit="0" * 40), files=(FILE,))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "outer" / "x" / "v1").mkdir(parents=True)
    return tmp_path / "outer" / "x"


def test_ten_thousand_spoilt_patches_end_in_problems_and_what_is_taken_git_takes_alike(
    tmp_path: Path,
) -> None:
    taken = accepted(COUNT)
    assert COUNT / 100 < len(taken) < COUNT / 2, "both outcomes must be common"
    assert all(not paths.objection(one.path) for changes in taken.values() for one in changes)
    store = indexed(tmp_path)
    for data in random.Random(4).sample(sorted(taken), SAMPLE):
        ours = all(fits(change) for change in taken[data])
        assert git_takes(store, data) == ours, data.decode(errors="replace")


def test_a_linted_folder_is_left_as_it_was_and_every_flaw_has_its_line_and_hint(
    place: Path, tmp_path: Path
) -> None:
    upstream = UpstreamPlace(pypi="x")
    read = Manifest(schema=1, id="x", title="x", upstream=upstream, versions=(version(),))
    for data in mutants(COUNT // 20):
        (place / FILE.path).write_bytes(data)
        found = files.examine(place, read, version(), FILE)
        assert (place / FILE.path).read_bytes() == data == found.data
        assert "SHA-256" in found.flaws[0].why
        assert all(1 <= flaw.line <= data.count(b"\n") + 2 and flaw.why and flaw.hint for flaw in found.flaws)
    assert {path.name for path in (tmp_path / "outer").rglob("*")} == {"x", "v1", "x.patch"}


def indexed(root: Path) -> git.Repo:
    """Make a repository with the base texts in its index."""
    store = git.Repo(path=root / "store")
    proc.run(["git", "init", "-q", "--bare", str(store.path)])
    for path, text in BASES.items():
        entry = f"100644 {git.write_blob(store, text.encode())}\t{path}\n".encode()
        git.must(store, "update-index", "--index-info", data=entry)
    return store


def fits(change: FileChange) -> bool:
    text = BASES.get(change.path)
    return text is not None and apply(text.encode(), change.hunks).data is not None


def git_takes(store: git.Repo, data: bytes) -> bool:
    """Ask git for what lies below the message: it would read diffs in the message too."""
    lines = data.split(b"\n")
    below = b"\n".join(lines[mailpatch.separator(lines[:-1]) :])
    return git.call(store, "apply", "--check", "--cached", "-", data=below).code == 0
