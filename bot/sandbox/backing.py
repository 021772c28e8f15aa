"""The git side: a bare repository for each repository, written and read by git itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot import git

LOG = "--format=%x01%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B"
STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}


@dataclass(frozen=True, kw_only=True)
class Person:
    name: str
    email: str
    date: str = ""


@dataclass(frozen=True, kw_only=True)
class Logged:
    """A commit as `git log` tells it."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str


@dataclass(frozen=True, kw_only=True)
class Changed:
    path: str
    previous: str
    status: str
    blob: str
    additions: int
    deletions: int


def create(path: Path) -> git.Repo:
    path.parent.mkdir(parents=True, exist_ok=True)
    repo = git.Repo(path=path)
    git.must(repo, "init", "--quiet", "--bare", "--template=", "--initial-branch", "main")
    git.must(repo, "config", "gc.auto", "0")
    return repo


def fetch(repo: git.Repo, source: git.Repo, *specs: str) -> None:
    git.must(repo, "fetch", "--quiet", "--no-tags", "--end-of-options", str(source.path), *specs)


def refs(repo: git.Repo) -> dict[str, str]:
    """All refs, by name without `refs/`."""
    lines = git.must(repo, "for-each-ref", "--format=%(objectname) %(refname:lstrip=1)").text.splitlines()
    return {name: oid for oid, _, name in (line.partition(" ") for line in lines)}


def set_ref(repo: git.Repo, name: str, commit: str) -> None:
    git.must(repo, "update-ref", f"refs/{name}", commit)


def commit_files(
    repo: git.Repo, parent: str | None, files: Mapping[str, str | None], message: str, who: Person
) -> str:
    """Commit on top of `parent`, where a text of None removes the file; return the commit."""
    with TemporaryDirectory(prefix="upstream-bot-index-") as scratch:
        env = {"GIT_INDEX_FILE": f"{scratch}/index"}
        if parent:
            git.must(repo, "read-tree", "--end-of-options", parent, env=env)
        git.must(repo, "update-index", "-z", "--index-info", data=index_lines(repo, files), env=env)
        tree = git.must(repo, "write-tree", env=env).text
    return commit_tree(repo, tree, [parent] if parent else [], message, who)


def index_lines(repo: git.Repo, files: Mapping[str, str | None]) -> bytes:
    lines = []
    for path, text in files.items():
        blob = "0" * 40 if text is None else git.write_blob(repo, text.encode())
        lines.append(f"{'0' if text is None else '100644'} {blob}\t{path}\0")
    return "".join(lines).encode()


def commit_tree(repo: git.Repo, tree: str, parents: list[str], message: str, who: Person) -> str:
    env = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", who.name), ("EMAIL", who.email), ("DATE", who.date))
        if value
    }
    options = [word for parent in parents for word in ("-p", parent)]
    return git.must(repo, "commit-tree", *options, "-F", "-", tree, data=message.encode(), env=env).text


def log(repo: git.Repo, *revisions: str, limit: int = 1000) -> list[Logged]:
    """Commits, oldest first."""
    options = ("--reverse", "--topo-order", f"--max-count={limit}", LOG, "--end-of-options")
    out = git.must(repo, "log", *options, *revisions, "--").out.decode("utf-8", "replace")
    return [parse(record) for record in out.split("\x01")[1:]]


def parse(record: str) -> Logged:
    oid, tree, parents, *people, message = record.rstrip("\n").split("\0", 9)
    author, committer = (
        Person(name=name, email=email, date=date) for name, email, date in (people[:3], people[3:])
    )
    return Logged(
        id=oid, tree=tree, parents=tuple(parents.split()), author=author, committer=committer, message=message
    )


def changes(repo: git.Repo, old: str, new: str) -> list[Changed]:
    """Files that differ from the best common ancestor of both to `new`."""
    base = next(iter(git.merge_bases(repo, old, new)), old)
    options = ("-r", "-z", "--raw", "--numstat", "-M", "--end-of-options")
    fields = git.must(repo, "diff-tree", *options, base, new).out.decode("utf-8", "replace").split("\0")
    statuses, counts = read_raw(fields)
    return [
        Changed(path=path, previous=old_path, status=STATUS.get(letter, "changed"), blob=blob,
                additions=counts[path][0], deletions=counts[path][1])
        for path, old_path, letter, blob in statuses
    ]  # fmt: skip


def read_raw(fields: list[str]) -> tuple[list[tuple[str, str, str, str]], dict[str, tuple[int, int]]]:
    """(path, previous path, letter, blob) of each file, and its (additions, deletions)."""
    statuses, counts, at = [], {}, 0
    while at < len(fields) and fields[at]:
        if fields[at].startswith(":"):
            _, _, gone, blob, letter = fields[at].split(" ")
            pair = letter[0] in "RC"
            old = fields[at + 1] if pair else ""
            statuses.append((fields[at + 1 + pair], old, letter[0], gone if letter == "D" else blob))
            at += 2 + pair
        else:
            added, removed, path = fields[at].split("\t")
            at += 1 if path else 3
            numbers = tuple(int(count) if count.isdigit() else 0 for count in (added, removed))
            counts[path or fields[at - 1]] = (numbers[0], numbers[1])
    return statuses, counts


def resolve(repo: git.Repo, name: str) -> str | None:
    """The commit of a branch, tag or id; None where there is none."""
    for spec in (f"refs/heads/{name}", f"refs/tags/{name}", name):
        entry = git.look_up(repo, [f"{spec}^{{commit}}"])[f"{spec}^{{commit}}"] if "\n" not in spec else None
        if entry:
            return entry.id
    return None
