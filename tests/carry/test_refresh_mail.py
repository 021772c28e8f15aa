"""Patch mails that are made, read and made again, beside what `git am` makes of them."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import git
from bot.carry.refreshing import mail, message
from bot.carry.refreshing.message import Author, Mail, Message
from bot.catalog import mailpatch
from bot.errors import BotError

LINES = "".join(f"line {number}\n" for number in range(1, 21)).encode()
ADA = Author(name="Ada", email="ada@example.org", date="Mon, 30 Nov 2026 19:07:33 +0000")
TRAILERS = (
    "Signed-off-by: Ada <ada@example.org>\n"
    "Co-authored-by: Bob <bob@example.org>\n"
    "Patch-Version: till/v1"
)  # fmt: skip
#: Each ends in a blank, or is gone, in the message that `git am` makes of a mail that holds it as it is.
CUTTING = {
    "rule": "---",
    "rule-with-blank": "---  ",
    "file-header": "--- a/shop/till.py",
    "diff": "diff --git a/x b/x",
    "old-diff": "diff -ruN a b",
    "cvs": "Index: till.py",
    "next-mail": "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001",
}
HEADERS = (
    "From: Eve <eve@example.org>",
    "subject: another",
    "Date: yesterday",
    "[PATCH] more",
    ">From there",
)


def edited(data: bytes) -> bytes:
    return data.replace(b"line 10", b"changed 10")


@pytest.fixture
def repo(tmp_path: Path) -> git.Repo:
    return mail.repository(tmp_path / "scratch.git", git.SHA1_DIGITS)


def texts(before: bytes = LINES, after: bytes | None = None, mode: str = "100644") -> dict[str, mail.Text]:
    return {
        "src/a.txt": mail.Text(mode=mode, before=before, after=edited(before) if after is None else after)
    }


class Receiver:
    """A clone of people's own at the state before the change, into which the mail goes by `git am`."""

    def __init__(self, root: Path, sources: dict[str, mail.Text]) -> None:
        self.root = root
        self.git("init", "--quiet", "--initial-branch", "main")
        for path, text in sources.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.before)
            (root / path).chmod(0o755 if text.mode == "100755" else 0o644)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "base")

    def git(self, *args: str, data: bytes = b"") -> str:
        who = ("-c", "user.name=Bob", "-c", "user.email=bob@example.org")
        own = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        argv = ("git", *who, "-C", str(self.root), *args)
        done = subprocess.run(argv, input=data, capture_output=True, check=True, env=own)
        return done.stdout.decode()

    def am(self, data: bytes, *options: str) -> Mail:
        self.git("am", "--quiet", *options, data=data)
        name, email, date, text = self.git("log", "-1", "--format=%an%x00%ae%x00%aD%x00%B").split("\0")
        subject, _, body = text.strip("\n").partition("\n\n")
        return Mail(
            author=Author(name=name, email=email, date=date), message=Message(subject=subject, body=body)
        )


def receive(tmp_path: Path, data: bytes, sources: dict[str, mail.Text], *options: str) -> Mail:
    """What `git am` makes of the mail; the files must be as the change has them."""
    place = tmp_path / "receiver"
    place.mkdir()
    receiver = Receiver(place, sources)
    made = receiver.am(data, *options)
    assert {path: (place / path).read_bytes() for path in sources} == {
        path: text.after for path, text in sources.items()
    }
    return made


def export(repo: git.Repo, told: Mail, sources: dict[str, mail.Text]) -> bytes:
    """The mail, which read, applied and made again is the same."""
    data = mail.export(repo, mail.commit(repo, sources, told))
    assert mail.origin(repo, data) == told
    assert mail.export(repo, mail.commit(repo, sources, mail.origin(repo, data))) == data
    assert [change.path for change in mailpatch.parse(data)] == sorted(sources)
    return data


SUBJECTS = {
    "plain": "fix: a thing",
    "not-ascii": "fix: schönes Ding für Łódź und 東京",
    "long": "fix: " + "a very long subject that is folded " * 6 + "at last",
    "long-not-ascii": "fix: " + "ein sehr langer Betreff mit ü und ß " * 6 + "am Ende",
    "colon": "Revert: not a header: really",
    "inner-brackets": "fix the [x] of y",
}


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_any_subject_comes_back_from_the_mail_and_from_git_am(
    repo: git.Repo, tmp_path: Path, subject: str
) -> None:
    told = Mail(author=ADA, message=Message(subject=subject, body=f"Why.\n\n{TRAILERS}"))
    data = export(repo, told, texts())
    mail.refuse_lossy(repo, data, told.message)
    assert receive(tmp_path, data, texts()) == told


AUTHORS = {
    "not-ascii": ("Änne Łukasz 東", "a@example.org"),
    "comma": ("Doe, Jane Q.R", "jane@example.org"),
    "bot": ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"),
    "quotes": ('Jane "J" Doe', "jane@example.org"),
    "middling": ("Jane " + "Middle " * 6 + "Doe", "jane.with.a.very.long.address@subdomain.example.org"),
}


@pytest.mark.parametrize(("name", "email"), AUTHORS.values(), ids=AUTHORS)
def test_any_author_comes_back_from_the_mail_and_from_git_am(
    repo: git.Repo, tmp_path: Path, name: str, email: str
) -> None:
    author = Author(name=name, email=email, date="Tue, 1 Dec 2026 01:02:03 +0530")
    told = Mail(author=author, message=Message(subject="fix", body=TRAILERS))
    data = export(repo, told, texts())
    assert receive(tmp_path, data, texts()) == told


@pytest.mark.parametrize("name", ["Bo", "Jane " + "Middle " * 12 + "Doe", "Zoë " * 20 + "Ü"])
def test_an_author_whose_name_git_am_replaces_keeps_it_in_the_mail(repo: git.Repo, name: str) -> None:
    author = Author(name=name, email="bo@example.org", date=ADA.date)
    export(repo, Mail(author=author, message=Message(subject="fix", body=TRAILERS)), texts())


@pytest.mark.parametrize("line", CUTTING.values(), ids=CUTTING)
def test_a_line_at_which_git_am_would_cut_gets_a_blank_and_the_trailers_stay(
    repo: git.Repo, tmp_path: Path, line: str
) -> None:
    body = message.tidy(f"Why.\n\n{line}\n\nMore.\n\n{TRAILERS}")
    kept, indented = message.keep_whole(Message(subject="fix", body=body))
    assert indented == (line.rstrip(),)
    assert kept.body == f"Why.\n\n {line.rstrip()}\n\nMore.\n\n{TRAILERS}"
    data = export(repo, Mail(author=ADA, message=kept), texts())
    mail.refuse_lossy(repo, data, kept)
    assert receive(tmp_path, data, texts()).message == kept
    assert message.keep_whole(kept) == (kept, ())


@pytest.mark.parametrize("line", CUTTING.values(), ids=CUTTING)
def test_without_the_blank_git_would_lose_the_trailers_and_that_is_refused(repo: git.Repo, line: str) -> None:
    told = Message(subject="fix", body=message.tidy(f"Why.\n\n{line}\n\n{TRAILERS}"))
    data = mail.export(repo, mail.commit(repo, texts(), Mail(author=ADA, message=told)))
    with pytest.raises(BotError, match=r"git am would cut the message|2 mails"):
        mail.refuse_lossy(repo, data, told)


@pytest.mark.parametrize("line", HEADERS)
def test_a_first_line_that_git_takes_for_a_header_of_the_mail_gets_a_blank(
    repo: git.Repo, tmp_path: Path, line: str
) -> None:
    kept, indented = message.keep_whole(Message(subject="fix", body=f"{line}\n\nWhy.\n\n{TRAILERS}"))
    assert indented == (line,)
    data = export(repo, Mail(author=ADA, message=kept), texts())
    assert receive(tmp_path, data, texts()) == Mail(author=ADA, message=kept)


def test_the_same_lines_further_down_are_left_alone() -> None:
    body = "Why.\n\n" + "\n".join([*HEADERS, "From now on it is right.", "----", "--", "differs - a lot"])
    assert message.keep_whole(Message(subject="fix", body=body)) == (Message(subject="fix", body=body), ())


@pytest.mark.parametrize("line", ["-- >8 --", "------ 8< ------ cut here", " -- >8 --"])
def test_scissors_are_refused_by_name_for_no_blank_helps(repo: git.Repo, line: str) -> None:
    kept, indented = message.keep_whole(Message(subject="fix", body=f"Why.\n\n{line}\n\nMore.\n\n{TRAILERS}"))
    assert not indented
    data = mail.export(repo, mail.commit(repo, texts(), Mail(author=ADA, message=kept)))
    with pytest.raises(BotError) as caught:
        mail.refuse_lossy(repo, data, kept)
    assert caught.value.message == f"git am --scissors would cut the message at the line {line!r}"
    assert "--message FILE" in caught.value.hint


@pytest.mark.parametrize("subject", ["[TE] fix", "Re: fix"])
def test_a_subject_that_git_am_would_shorten_is_refused_with_what_would_be_left(
    repo: git.Repo, subject: str
) -> None:
    told = Message(subject=subject)
    data = mail.export(repo, mail.commit(repo, texts(), Mail(author=ADA, message=told)))
    with pytest.raises(BotError, match=r"git am would make the subject 'fix' of"):
        mail.refuse_lossy(repo, data, told)


PIECES = st.sampled_from(
    [
        *CUTTING.values(),
        *HEADERS,
        "",
        " ",
        "-- >8 --",
        "words",
        "  indented",
        "ü",
        ">>From x 1:00:00 2001",
        "-- ",
    ]
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(PIECES, max_size=6))
def test_every_message_comes_back_whole_or_is_refused(repo: git.Repo, lines: list[str]) -> None:
    kept, _ = message.keep_whole(Message(subject="fix", body=message.tidy("\n".join([*lines, TRAILERS]))))
    data = mail.export(repo, mail.commit(repo, texts(), Mail(author=ADA, message=kept)))
    if "-- >8 --" in lines:
        with pytest.raises(BotError, match="scissors"):
            mail.refuse_lossy(repo, data, kept)
    else:
        mail.refuse_lossy(repo, data, kept)
        assert export(repo, Mail(author=ADA, message=kept), texts()) == data


CONTENT = {
    "no-final-newline": (LINES[:-1], edited(LINES[:-1])),
    "final-newline-added": (b"a\nb", b"a\nb\n"),
    "final-newline-lost": (b"a\nb\n", b"a\nb"),
    "not-utf-8": (LINES.replace(b"line 9", b"caf\xe9"), edited(LINES.replace(b"line 9", b"caf\xe9"))),
    "form-feed": (LINES.replace(b"line 9", b"\x0c"), edited(LINES.replace(b"line 9", b"\x0c"))),
    "looks-like-a-mail": (b"--- a\n-- \nFrom x\n", b"-- \nFrom x\n+++ b\n"),
}


@pytest.mark.parametrize(("before", "after"), CONTENT.values(), ids=CONTENT)
def test_any_text_comes_back_from_the_mail_and_from_git_am(
    repo: git.Repo, tmp_path: Path, before: bytes, after: bytes
) -> None:
    told = Mail(author=ADA, message=Message(subject="fix"))
    sources = texts(before, after)
    assert receive(tmp_path, export(repo, told, sources), sources) == told


def test_a_file_with_crlf_lines_comes_back_with_keep_cr(repo: git.Repo, tmp_path: Path) -> None:
    sources = texts(LINES.replace(b"\n", b"\r\n"))
    told = Mail(author=ADA, message=Message(subject="fix", body="Why."))
    assert receive(tmp_path, export(repo, told, sources), sources, "--keep-cr") == told


def test_several_files_blanks_in_names_and_the_executable_bit_come_back(
    repo: git.Repo, tmp_path: Path
) -> None:
    one, other = texts()["src/a.txt"], texts(mode="100755")["src/a.txt"]
    sources = {"a/two words.txt": one, "a/z.txt": one, "run.sh": other}
    told = Mail(author=ADA, message=Message(subject="fix", body="Why."))
    data = export(repo, told, sources)
    assert b" 100755\n" in data
    assert receive(tmp_path, data, sources) == told


def test_a_repository_with_long_ids_gives_a_patch_with_long_ids(tmp_path: Path) -> None:
    long = mail.repository(tmp_path / "long.git", 64)
    data = export(long, Mail(author=ADA, message=Message(subject="fix", body=TRAILERS)), texts())
    (change,) = mailpatch.parse(data)
    assert (len(change.old_blob), len(change.new_blob)) == (64, 64)


def test_nobodys_settings_change_the_bytes(
    repo: git.Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = Mail(author=ADA, message=Message(subject="fix", body="Why."))
    data = export(repo, told, texts())
    (tmp_path / ".gitconfig").write_text(
        "[diff]\n\tnoprefix = true\n\tcontext = 1\n\talgorithm = patience\n[format]\n\tsignOff = true\n"
        f"\tsubjectPrefix = X\n\tthread = true\n[core]\n\tattributesFile = {tmp_path / 'attributes'}\n"
    )
    (tmp_path / "attributes").write_text("*.txt -diff\n")
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "attributes").write_text("*.txt -diff\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Eve")
    assert export(repo, told, texts()) == data


def other_forms(data: bytes) -> Iterator[bytes]:
    """The same mail as others write it: with a signature, another base, in quoted-printable."""
    yield data + b"-- \n2.39.5\n\n"
    yield data.replace(b"0" * 40, b"1" * 40, 1)
    yield data.replace("für".encode(), b"f=C3=BCr").replace(b"Encoding: 8bit", b"Encoding: quoted-printable")
    yield data.replace("für".encode(), "für".encode("latin-1")).replace(b"charset=UTF-8", b"charset=latin1")


def test_mails_in_other_forms_are_read_as_the_same(repo: git.Repo) -> None:
    told = Mail(author=ADA, message=Message(subject="fix", body=f"Ein Grund für alles.\n\n{TRAILERS}"))
    data = export(repo, told, texts())
    for form in other_forms(data):
        assert form != data
        assert mail.origin(repo, form) == told


def test_a_mail_that_holds_a_rule_and_a_diff_in_its_message_is_read_whole(repo: git.Repo) -> None:
    body = f"Why.\n\n---\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n\n{TRAILERS}"
    told = Mail(author=ADA, message=Message(subject="fix", body=body))
    assert export(repo, told, texts())


@pytest.mark.parametrize("name", ["From", "Subject", "Date"])
def test_a_mail_without_author_subject_or_date_is_refused(repo: git.Repo, name: str) -> None:
    data = mail.export(repo, mail.commit(repo, texts(), Mail(author=ADA, message=Message(subject="fix"))))
    with pytest.raises(BotError, match="the patch's mail has no"):
        mail.origin(repo, data.replace(f"\n{name}: ".encode(), b"\nX-Other: ", 1))


def test_a_message_from_a_file_has_its_first_paragraph_as_subject() -> None:
    made = message.from_file("\n fix: a\nthing  \n\n\n\nWhy. \r\n\nMore.\n\n")
    assert made == Message(subject="fix: a thing", body="Why.\n\nMore.")
    with pytest.raises(BotError, match="the message is empty"):
        message.from_file(" \n\n")


def test_a_range_diff_pairs_the_two_forms_of_one_change(repo: git.Repo) -> None:
    old = mail.commit(repo, texts(), Mail(author=ADA, message=Message(subject="fix", body="Why.")))
    moved = mail.commit(
        repo, texts(b"new\n" * 9 + LINES), Mail(author=ADA, message=Message(subject="fix", body="Why."))
    )
    other = mail.commit(repo, texts(b"x\n", b"y\n"), Mail(author=ADA, message=Message(subject="else")))
    assert mail.compare(repo, old, moved).split()[2] == "="
    assert mail.compare(repo, old, other).split()[2] == "!"
