"""A directory that people name: a git checkout, or sources that were only unpacked."""

from importlib import metadata
from pathlib import Path

from bot import git
from bot.carry.applying.place import Place
from bot.errors import BotError
from bot.model import Patch
from bot.upstream import local

#: In a tree without git our record lies in the tree: it goes where the tree goes.
MEMORY = ".upstream-bot"


def open_tree(patch: Patch, folder: Path, branch: str) -> Place:
    """The tree in `folder`; `branch` says which branch or release it is of, where people know better.

    Raises BotError for what is no such tree.
    """
    if not folder.is_dir():
        raise BotError(
            f"there is no directory {str(folder)!r}", "give the top of a checkout or of unpacked sources"
        )
    root = folder.resolve()
    if (root / "HEAD").is_file() and (root / "objects").is_dir():
        raise BotError(f"{str(folder)!r} is a bare repository: it has no files", "give a checkout of it")
    if (root / ".git").exists():
        return open_checkout(patch, root, branch)
    name = branch or release(patch, root)
    of = f", {name}" if name else ""
    return Place(root=root, name=name, title=f"{root}{of}", keeper=root, memory=MEMORY)


def open_checkout(patch: Patch, root: Path, branch: str) -> Place:
    source = git.Repo(path=root / ".git")
    asked = git.call(source, *local.CALM, "rev-parse", "--absolute-git-dir", env=local.OFFLINE)
    if asked.code:
        raise BotError(f"{str(root)!r} is no checkout: {asked.complaint}", "look at its .git")
    directory, head = Path(asked.text).resolve(), ask(source, "rev-parse", "--verify", "HEAD^{commit}")
    name = branch or upstream_branch(source)
    return Place(
        root=root,
        name=name,
        title=f"{root}, {name}",
        keeper=directory,
        memory="upstream-bot",
        checkout=directory,
        head=head,
        origin=committed(source, head, patch) if head else {},
        voucher="the checked-out commit",
        removed_by="git restore",
    )


def ask(source: git.Repo, *command: str) -> str:
    """What git answers; empty when it has no answer."""
    done = git.call(source, *local.CALM, *command, env=local.OFFLINE)
    return "" if done.code else done.text


def upstream_branch(source: git.Repo) -> str:
    """The name that the checked-out branch has upstream; its own where it follows none."""
    name = ask(source, "symbolic-ref", "--quiet", "--short", "HEAD")
    followed = ask(source, "config", "--get", f"branch.{name}.merge") if name else ""
    return followed.removeprefix("refs/heads/") or name or "HEAD"


def committed(source: git.Repo, head: str, patch: Patch) -> dict[str, str]:
    """The blob that the commit has of each file that some variant touches."""
    paths = sorted({change.path for changes in patch.variants.values() for change in changes})
    try:
        files = git.list_files(source, head, paths)
    except BotError:  # a partial clone need not have the trees
        return {}
    return {file.path: file.id for file in files if file.kind == "blob"}


def release(patch: Patch, root: Path) -> str:
    """The release that unpacked sources say they are, as `pypi/<version>`; empty when they don't."""
    name = patch.manifest.upstream.pypi
    found = metadata.distributions(name=name, path=[str(root)]) if name else ()
    version = next((one.metadata["Version"] for one in found), None)
    return f"pypi/{version}" if version else ""
