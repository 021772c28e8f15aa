"""A version put into a folder: whole or not at all, by one writer at a time."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import structs

from bot import catalog
from bot.carry.refreshing.publishing import HALF, publish
from bot.carry.refreshing.successor import Successor
from bot.errors import BotError
from bot.model import Patch
from tests.conftest import Workshop

#: Publish in a process of its own that is killed at the n-th step that changes a name in the folder.
KILLED = """
import os, signal, sys
from pathlib import Path
from bot import catalog
from bot.carry.refreshing.publishing import publish
from tests.carry.test_refresh_publishing import next_of

steps = int(sys.argv[2])


def count(event, args):
    global steps
    if event in ("os.rename", "os.mkdir", "os.remove", "open") and sys.argv[1] in str(args[0]):
        if event == "open" and args[1] not in ("xb",):
            return
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)


patch = catalog.load(Path(sys.argv[1]), "till")
made = next_of(patch)
sys.addaudithook(count)
publish(patch, made, patch.folder)
"""


def next_of(patch: Patch) -> Successor:
    """A next version whose files are those of the one there is."""
    number = f"v{int(patch.version.id[1:]) + 1}"
    (file,) = patch.version.files
    path = f"{number}/0001-till.patch"
    version = structs.replace(patch.version, id=number, files=(structs.replace(file, path=path),))
    return Successor(version=version, contents={path: (patch.folder / file.path).read_bytes()})


@pytest.fixture
def patch(workshop: Workshop) -> Patch:
    workshop.patch()
    return catalog.load(workshop.patches, "till")


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_published_version_is_loaded_and_the_old_one_is_as_it_was(patch: Patch) -> None:
    before = contents(patch.folder)
    mode = (patch.folder / "patch.yml").stat().st_mode
    publish(patch, next_of(patch), patch.folder)
    after = contents(patch.folder)
    assert set(after) - set(before) == {"v2/0001-till.patch"}
    assert [path for path in before if after[path] != before[path]] == ["patch.yml"]
    assert (patch.folder / "patch.yml").stat().st_mode == mode
    loaded = catalog.load(patch.folder.parent, "till")
    assert loaded.manifest.versions == (*patch.manifest.versions, next_of(patch).version)


def test_a_kill_at_any_step_leaves_the_old_state_or_the_new_one_and_the_next_run_ends_it(
    workshop: Workshop, patch: Patch
) -> None:
    before = contents(patch.folder)
    codes = list(killed_at_each_step(workshop, patch, before))
    assert codes.count(-signal.SIGKILL) >= 4
    assert codes[-1] == 0


def killed_at_each_step(workshop: Workshop, patch: Patch, before: dict[str, str]) -> Iterator[int]:
    for step in range(20):
        argv = [sys.executable, "-c", KILLED, str(workshop.patches), str(step)]
        environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(argv, env=environ, capture_output=True, text=True, check=False, timeout=60)
        yield done.returncode
        loaded = catalog.load(workshop.patches, "till")
        assert loaded.version.id in {"v1", "v2"}, done.stderr
        kept = {path: text for path, text in contents(patch.folder).items() if path in before}
        assert kept == before or loaded.version.id == "v2"
        if loaded.version.id == "v1":
            publish(loaded, next_of(loaded), patch.folder)
        assert catalog.load(workshop.patches, "till").version.id == "v2"
        assert not list(patch.folder.glob(f"{HALF}*"))
        workshop.manifest(patch.version.base.commit)
        (patch.folder / "v2" / "0001-till.patch").unlink()
        (patch.folder / "v2").rmdir()
        if done.returncode == 0:
            return


def test_files_of_that_name_that_are_not_ours_are_never_touched(patch: Patch) -> None:
    (patch.folder / "v2").mkdir()
    (patch.folder / "v2" / "notes").write_text("mine")
    before = contents(patch.folder)
    with pytest.raises(BotError, match=r"v2 is there, and patch.yml does not name it"):
        publish(patch, next_of(patch), patch.folder)
    assert contents(patch.folder) == before


def test_a_patch_that_changed_meanwhile_is_not_written_to(workshop: Workshop, patch: Patch) -> None:
    workshop.manifest(patch.version.base.commit, title="another")
    before = contents(patch.folder)
    with pytest.raises(BotError, match="changed by somebody else"):
        publish(patch, next_of(patch), patch.folder)
    assert contents(patch.folder) == before


def test_a_second_writer_is_told_to_wait(patch: Patch) -> None:
    handle = os.open(patch.folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(BotError, match="another run writes a version of this patch"):
            publish(patch, next_of(patch), patch.folder)
    finally:
        os.close(handle)
    publish(patch, next_of(patch), patch.folder)


def test_two_versions_made_of_the_same_one_are_not_both_published(patch: Patch) -> None:
    publish(patch, next_of(patch), patch.folder)
    after = contents(patch.folder)
    with pytest.raises(BotError, match="changed by somebody else"):
        publish(patch, next_of(patch), patch.folder)
    assert contents(patch.folder) == after


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_keeps_its_old_state(patch: Patch) -> None:
    before = contents(patch.folder)
    patch.folder.chmod(0o500)
    try:
        with pytest.raises(BotError, match="v2 cannot be written"):
            publish(patch, next_of(patch), patch.folder)
    finally:
        patch.folder.chmod(0o700)
    assert contents(patch.folder) == before
