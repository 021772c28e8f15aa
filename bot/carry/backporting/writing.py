"""The commit object of a backport, made in the object store: the same inputs give the same commit."""

import re
from dataclasses import dataclass

from bot import git
from bot.carry.backporting.order import Person
from bot.carry.backporting.words import Words
from bot.carry.refreshing.mail import ALONE
from bot.errors import BotError

#: `committer Name <address> seconds zone`
IDENT = re.compile(r"(?P<name>.*) <(?P<email>[^<>]*)> (?P<when>[0-9]+) [+-][0-9]{4}")


@dataclass(frozen=True, kw_only=True)
class Made:
    """A commit that was written, and its tree and parent."""

    commit: str
    tree: str
    parent: str


def write(store: git.Repo, words: Words, committer: Person, tree: str, parent: str) -> Made:
    """Write the commit of `tree` on `parent`. Raises BotError for a name that git does not take.

    Its time is the later of author's and parent's: with a clock's, each run would make another commit.
    """
    author = ident(store, "AUTHOR", words.author.name, words.author.email, words.author.date)
    times = [when(author), when(headers(store, parent)["committer"])]
    by = ident(store, "COMMITTER", committer.name, committer.email, f"@{max(times)} +0000")
    data = raw(words, tree, parent, author, by)
    (commit,) = git.write_objects(store, "commit", [data], len(tree))
    return Made(commit=commit, tree=tree, parent=parent)


def again(store: git.Repo, words: Words, tree: str, parent: str, by: str) -> str:
    """The id of the commit that a bot run by `by` makes of this; it is not written."""
    author = ident(store, "AUTHOR", words.author.name, words.author.email, words.author.date)
    return git.object_id("commit", raw(words, tree, parent, author, by), len(tree))


def raw(words: Words, tree: str, parent: str, author: str, by: str) -> bytes:
    match = IDENT.fullmatch(by)
    committer = Person(name=match["name"], email=match["email"]) if match else Person(name="", email="")
    head = f"tree {tree}\nparent {parent}\nauthor {author}\ncommitter {by}\n\n"
    return (head + words.signed(committer)).encode("utf-8", "surrogateescape")


def ident(store: git.Repo, role: str, name: str, email: str, date: str) -> str:
    """`Name <address> seconds zone` as git itself writes it."""
    env = {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": email, f"GIT_{role}_DATE": date}
    done = git.call(store, "var", f"GIT_{role}_IDENT", env={**ALONE, **env})
    made = done.out.decode("utf-8", "surrogateescape").removesuffix("\n")
    if done.code or not IDENT.fullmatch(made):
        raise BotError(f"git takes no {role.lower()} {name!r} <{email}>: {done.complaint}", "name another")
    return made


def when(told: str) -> int:
    match = IDENT.fullmatch(told)
    return int(match["when"]) if match else 0


def headers(store: git.Repo, commit: str) -> dict[str, str]:
    """The header lines of a commit; of several parents, `parent` holds them all."""
    data = git.contents(store, [commit])[commit].partition(b"\n\n")[0].decode("utf-8", "surrogateescape")
    found: dict[str, str] = {}
    for line in data.split("\n"):
        key, _, value = line.partition(" ")
        found[key] = f"{found[key]} {value}" if key in found else value
    return found
