"""Which patch a pull request is about: by its number, else by the files it touches, else the only one."""

from collections.abc import Sequence

from bot.model import Manifest


def by_number(manifests: Sequence[Manifest], repo: str, number: int) -> Manifest | None:
    """The patch whose manifest names this pull request of its upstream."""
    named = [
        one
        for one in manifests
        if one.proposal.pull_request == number and full_name(one.upstream.repo) == repo.lower()
    ]
    return named[0] if len(named) == 1 else None


def by_files(manifests: Sequence[Manifest], paths: Sequence[str]) -> Manifest | None:
    """The one patch whose files the pull request touches; None when there are several or none."""
    touched = [one for one in manifests if not files(one).isdisjoint(paths)]
    if len(touched) == 1:
        return touched[0]
    return manifests[0] if len(manifests) == 1 else None


def files(manifest: Manifest) -> frozenset[str]:
    """The files that the newest version changes, and those that hold its anchors."""
    newest = manifest.versions[-1]
    return frozenset(newest.base.blobs) | {anchor.file for anchor in manifest.anchors}


def full_name(url: str) -> str:
    """`owner/name` in small letters: the last two parts of a repository's address or path."""
    parts = url.lower().removesuffix("/").removesuffix(".git").replace(":", "/").split("/")
    return "/".join(parts[-2:])
