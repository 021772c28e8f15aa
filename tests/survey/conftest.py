"""A small upstream of our own, its patch, and branches on which it is something else each time."""

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot import git, proc, survey
from bot.model import (
    Anchor,
    Defect,
    FileChange,
    Hunk,
    Manifest,
    Patch,
    PatchFile,
    Ref,
    Row,
    UpstreamPlace,
    Version,
)
from bot.model.patch import Base

PATH = "lib/valve.py"
BASE = '''"""Valves of a plant."""

import logging

log = logging.getLogger(__name__)


def other(pipe):
    """Leave the pipe as it is."""
    return pipe


def shut(pipe, hard=False):
    """Shut a pipe and return its valve."""
    try:
        valve = pipe.close(hard)
    except RuntimeError:
        if pipe.loud:
            log.warning(
                f"cannot shut {arg.name}; "
                f"leaving it open"
            )

    return valve


def later(pipe):
    """Shut a pipe later."""
    return [pipe, shut]
'''
FIRST = ("{arg.name}", "{pipe.name}")
SECOND = ("            )\n\n    return valve", "            )\n        valve = pipe\n\n    return valve")
FIXED = BASE.replace(*FIRST).replace(*SECOND)


def hunk(head: bytes, body: bytes) -> Hunk:
    sides = [[int(number) for number in side[1:].split(b",")] for side in head.split(b" ")]
    (old_start, old_count), (new_start, new_count) = [(side[0], (*side[1:], 1)[0]) for side in sides]
    return Hunk(
        old_start=old_start,
        old_count=old_count,
        new_start=new_start,
        new_count=new_count,
        lines=tuple(line + b"\n" for line in body.split(b"\n")[:-1]),
    )


class Plant:
    """A bare store with commits made of whole texts: no working tree anywhere."""

    path = PATH
    base = BASE
    fixed = FIXED
    half = BASE.replace(*FIRST)

    def __init__(self, path: Path) -> None:
        self.store = git.Repo(path=path)
        proc.run(["git", "init", "-q", "--bare", str(path)])

    @staticmethod
    def branch(head: str | None, name: str = "main", problem: str = "") -> Ref:
        """A ref as an upstream brings it."""
        return Ref(full=f"refs/heads/{name}", name=name, head=head, problem=problem)

    @staticmethod
    def hunks(diff: bytes) -> list[Hunk]:
        """The hunks of a diff of one file, read naively: no line of these texts begins with `@@`."""
        _, *parts = re.split(rb"^@@ (.*?) @@.*\n", diff, flags=re.MULTILINE)
        return [hunk(head, body) for head, body in zip(parts[::2], parts[1::2], strict=True)]

    def row(self, text: str | bytes, **patch: Any) -> Row:
        """The row of one branch whose file reads `text`."""
        made = self.patch(self.change(BASE, FIXED), **patch)
        return survey.survey(self.store, made, [self.branch(self.commit({PATH: text}))], has_history=True)[0]

    def commit(self, files: Mapping[str, str | bytes], *parents: str) -> str:
        texts = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        blobs = {path: git.write_blob(self.store, text) for path, text in texts.items()}
        lines = "".join(f"100644 {blob}\t{path}\0" for path, blob in blobs.items())
        index = {"GIT_INDEX_FILE": str(self.store.path / f"index-{secrets.token_hex(4)}")}
        git.must(self.store, "update-index", "-z", "--index-info", data=lines.encode(), env=index)
        return self.commit_tree(git.must(self.store, "write-tree", env=index).text, *parents)

    def commit_tree(self, tree: str, *parents: str) -> str:
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in {"NAME": "A", "EMAIL": "a@example.org", "DATE": "2026-01-01T00:00:00Z"}.items()
        }
        above = [word for parent in parents for word in ("-p", parent)]
        return git.must(self.store, "commit-tree", *above, tree, data=b"x\n", env=who).text

    def change(self, before: str | bytes, after: str | bytes, path: str = PATH) -> FileChange:
        """What turns one text into the other, as git's own diff says it."""
        ids = [
            git.write_blob(self.store, text.encode() if isinstance(text, str) else text)
            for text in (before, after)
        ]
        diff = git.must(self.store, "diff", "--full-index", "--end-of-options", *ids).out
        return FileChange(path=path, old_blob=ids[0], new_blob=ids[1], hunks=tuple(self.hunks(diff)))

    def patch(
        self, *changes: FileChange, anchors: Mapping[str, str] | None = None, causes: tuple[str, ...] = ()
    ) -> Patch:
        """`anchors` maps symbols to files."""
        wanted = {"shut": PATH} if anchors is None else anchors
        version = Version(
            id="v1", base=Base(commit="0" * 40), files=(PatchFile(path="v1/a.patch", sha256="0" * 64),)
        )
        return Patch(
            manifest=Manifest(
                schema=1,
                id="valve",
                title="Keep the valve",
                upstream=UpstreamPlace(pypi="plant"),
                versions=(version,),
                anchors=tuple(Anchor(file=file, symbol=symbol) for symbol, file in wanted.items()),
                defect=Defect(introduced_by=causes),
            ),
            folder=self.store.path,
            version=version,
            variants={"v1/a.patch": changes},
            patch_sha256="0" * 64,
            probes_sha256="0" * 64,
        )


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    return Plant(tmp_path / "store")


@pytest.fixture
def megatron(tmp_path: Path) -> tuple[git.Repo, list[Ref]]:
    """A scratch store that reads the local clone named by the environment, and all its branches."""
    place = os.environ.get("UPSTREAM_BOT_UPSTREAM", "")
    if not place or not Path(place, "objects").is_dir():
        pytest.skip("UPSTREAM_BOT_UPSTREAM names no bare clone of NVIDIA/Megatron-LM")
    plant = Plant(tmp_path / "scratch")
    (plant.store.path / "objects/info/alternates").write_text(f"{Path(place).absolute()}/objects\n")
    listed = git.must(
        git.Repo(path=Path(place)), "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads"
    )
    pairs = [line.split(" ", 1) for line in listed.text.splitlines()]
    refs = [plant.branch(head, full.removeprefix("refs/heads/")) for head, full in pairs]
    return plant.store, refs
