"""Git's own mail of a change, made in a repository of ours from nothing but the texts and the message."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from bot import git
from bot.carry.refreshing.message import Author, Mail, Message, body_of, name_of
from bot.errors import BotError
from bot.model import Value

#: Nobody's settings, attributes (they choose hunk headers) or clock may change what git makes here.
ALONE = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.attributesFile",
    "GIT_CONFIG_VALUE_0": os.devnull,
}
#: The mail names no committer, and the commits are thrown away.
COMMITTER = {
    "GIT_COMMITTER_NAME": "-",
    "GIT_COMMITTER_EMAIL": "-",
    "GIT_COMMITTER_DATE": "1000000000 +0000",
}
FORM = ("-1", "--stdout", "--full-index", "--zero-commit", "--no-signature")


class Text(Value, frozen=True, kw_only=True):
    """One file before and after the change; `mode` as git writes it."""

    mode: str
    before: bytes
    after: bytes


Texts = Mapping[str, Text]


def repository(place: Path, digits: int) -> git.Repo:
    """An empty repository for ids of that many digits."""
    place.mkdir()
    repo = git.Repo(path=place)
    object_format = "sha1" if digits == git.SHA1_DIGITS else "sha256"
    git.must(repo, "init", "--bare", "--quiet", "--template=", f"--object-format={object_format}", env=ALONE)
    return repo


def commit(repo: git.Repo, texts: Texts, told: Mail) -> str:
    """The commit that changes the texts and nothing else, on one that holds their old state."""
    who = {
        "GIT_AUTHOR_NAME": told.author.name,
        "GIT_AUTHOR_EMAIL": told.author.email,
        "GIT_AUTHOR_DATE": told.author.date,
    }
    env = {**ALONE, **COMMITTER, **who}
    old, new = (tree(repo, texts, side) for side in ("before", "after"))
    base = git.must(repo, "commit-tree", old, env=env, data=b"base\n").text
    return git.must(repo, "commit-tree", "-p", base, new, env=env, data=told.message.text.encode()).text


def tree(repo: git.Repo, texts: Texts, side: str) -> str:
    blobs = [git.write_blob(repo, getattr(text, side)) for text in texts.values()]
    index = {**ALONE, "GIT_INDEX_FILE": str(repo.path / f"index-{side}")}
    entries = [
        f"{text.mode} {blob}\t{path}\0" for (path, text), blob in zip(texts.items(), blobs, strict=True)
    ]
    (repo.path / f"index-{side}").unlink(missing_ok=True)
    git.must(repo, "update-index", "-z", "--index-info", env=index, data="".join(entries).encode())
    return git.must(repo, "write-tree", env=index).text


def export(repo: git.Repo, made: str) -> bytes:
    """The mail of a commit."""
    return git.must(repo, "format-patch", *FORM, "--end-of-options", made, env=ALONE).out


def compare(repo: git.Repo, old: str, new: str) -> str:
    """Git's range-diff of two commits, which are always taken for two forms of one."""
    # It knows no --end-of-options; both ids are ours.
    options = ("--no-color", "--creation-factor=999")
    done = git.must(repo, "range-diff", *options, f"{old}^!", f"{new}^!", env=ALONE)
    return done.out.decode("utf-8", "replace")


def origin(repo: git.Repo, data: bytes) -> Mail:
    """Author and message of a patch file, the message whole though `git am` would cut it.

    Raises BotError when author, subject or date is missing.
    """
    header = data.partition(b"\n\n")[0]
    # Only the markers of a patch mail are no part of the subject; `git am` takes other brackets off as well.
    read = open_mail(repo, header + b"\n\n---\n", "-b")
    author = structs.replace(read.author, name=name_of(data, read.author))
    return Mail(author=author, message=Message(subject=read.message.subject, body=body_of(data)))


def split(repo: git.Repo, data: bytes) -> bytes:
    """The mail as `git am` gets it. Raises BotError when git takes it for more than one."""
    folder = repo.path / "mail"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    done = git.must(repo, "mailsplit", "--keep-cr", "-b", f"-o{folder}", "--", env=ALONE, data=data)
    if done.text != "1":
        raise BotError(
            f"git takes the mail for {done.text} mails", "look for a line that begins with `From `"
        )
    return (folder / "0001").read_bytes()


def open_mail(repo: git.Repo, data: bytes, *options: str) -> Mail:
    """What `git mailinfo`, and so `git am`, reads in one mail."""
    body, rest = repo.path / "message", repo.path / "rest"
    files = (str(body), str(rest))
    done = git.must(repo, "mailinfo", *options, "--encoding=UTF-8", *files, env=ALONE, data=data)
    lines = done.out.decode("utf-8", "replace").split("\n")
    said = dict(line.split(": ", 1) for line in lines if ": " in line)
    for name in ("Author", "Email", "Subject", "Date"):
        if not said.get(name):
            raise BotError(f"the patch's mail has no {name.lower()}", "make it with git format-patch")
    text = body.read_bytes().decode("utf-8", "replace").strip("\n")
    author = Author(name=said["Author"], email=said["Email"], date=said["Date"])
    return Mail(author=author, message=Message(subject=said["Subject"], body=text))


def refuse_lossy(repo: git.Repo, data: bytes, message: Message) -> None:
    """Raise BotError unless `git am` gives this very message back, with and without its `--scissors`."""
    one, hint = split(repo, data), "give the message in words that git keeps with --message FILE"
    for options, what in (((), "git am"), (("--scissors",), "git am --scissors")):
        seen = open_mail(repo, one, *options).message
        if seen.subject != message.subject:
            raise BotError(f"{what} would make the subject {seen.subject!r} of {message.subject!r}", hint)
        if seen.body != message.body:
            raise BotError(f"{what} would cut the message at the line {lost(seen, message)!r}", hint)


def lost(seen: Message, message: Message) -> str:
    """The line that cuts: the last one before what is left, else the first one that is missing."""
    had, has = message.body.split("\n"), seen.body.split("\n")
    if seen.body and had[-len(has) :] == has:
        return next((line for line in had[-len(has) - 1 :: -1] if line), had[0])
    same = (line == other for line, other in zip(had, has, strict=False))
    return next(
        (line for line, kept in zip(had, same, strict=False) if not kept), had[min(len(has), len(had) - 1)]
    )
