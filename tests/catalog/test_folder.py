"""The patches directory: what loads, what is refused, and the digests that pin it."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from bot import catalog, git
from bot.catalog import mailpatch
from bot.errors import BotError, Exit
from bot.model import BranchExpectation, Expect, PatchFile

REAL = Path(__file__).parents[2] / "patches"
FILE = "megatron/core/transformer/cuda_graphs.py"
MAIL = "v1/0001-keep-a-strong-reference-when-make_weak_ref-fails.patch"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the real patch that may be spoilt."""
    shutil.copytree(REAL / "make-weakref", tmp_path / "make-weakref")
    return tmp_path / "make-weakref"


def refused(folder: Path, name: str = "make-weakref") -> BotError:
    with pytest.raises(BotError) as caught:
        catalog.load(folder, name)
    assert caught.value.code == Exit.USAGE
    return caught.value


def rewrite(copy: Path, old: bytes, new: bytes) -> None:
    """Change the mail patch and pin the change, so that only its content can be refused."""
    data = (copy / MAIL).read_bytes()
    assert old in data
    (copy / MAIL).write_bytes(data.replace(old, new))
    repin(copy, hashlib.sha256(data).hexdigest())


def repin(copy: Path, before: str) -> None:
    after = hashlib.sha256((copy / MAIL).read_bytes()).hexdigest()
    path = copy / "patch.yml"
    path.write_text(path.read_text().replace(before, after))


def test_the_real_patch_loads() -> None:
    patch = catalog.load(REAL, "make-weakref")
    ((change,),) = patch.variants.values()
    assert (change.path, change.old_blob) == (FILE, "a487543b7d7c9eb8a4f5ea8445b1ee3d94aeb76e")
    added = [line for hunk in change.hunks for line in hunk.lines if line[:1] == b"+"]
    removed = [line for hunk in change.hunks for line in hunk.lines if line[:1] == b"-"]
    assert (len(added), len(removed)) == (2, 1)
    assert added[1] == b"+        wr = ten\n"


def test_the_real_patch_expects_what_the_facts_say() -> None:
    expected = {branch.name: branch.expect for branch in catalog.load(REAL, "make-weakref").manifest.branches}
    affected = {name for name, expect in expected.items() if expect is Expect.AFFECTED}
    assert affected == {"main", "dev", "core_r0.19.0", "pypi/0.19.0", "pypi/0.19.1", "pypi/0.19.2"}
    assert {"core_r0.18.0", "core_r0.17.0", "core_r0.16.0"} <= set(expected) - affected


def test_the_real_patch_is_signed_off_by_its_author() -> None:
    header = mailpatch.header((REAL / "make-weakref" / MAIL).read_bytes())
    assert header.body.endswith(f"Signed-off-by: {header.author}")
    assert header.author in catalog.load(REAL, "make-weakref").manifest.authors


def test_the_real_patch_names_blobs_of_its_base() -> None:
    upstream = os.environ.get("UPSTREAM_BOT_UPSTREAM", "")
    if not Path(upstream).is_dir() or not upstream:
        pytest.skip("UPSTREAM_BOT_UPSTREAM is no local clone of Megatron-LM")
    patch = catalog.load(REAL, "make-weakref")
    spec = f"{patch.version.base.commit}:{FILE}"
    inner = Path(upstream) / ".git"
    entry = git.look_up(git.Repo(path=inner if inner.is_dir() else Path(upstream)), [spec])[spec]
    assert entry is not None
    assert entry.id == patch.version.base.blobs[FILE]


def test_names_are_the_folders_with_a_manifest(copy: Path) -> None:
    (copy.parent / "empty").mkdir()
    (copy.parent / "README.md").write_text("no patch")
    assert catalog.names(copy.parent) == ["make-weakref"]


def test_an_unknown_patch_shows_the_nearest_names() -> None:
    error = refused(REAL, "make-weekref")
    assert (error.message, error.hint) == ("unknown patch 'make-weekref'", "known: make-weakref")


@pytest.mark.parametrize("name", ["../make-weakref", "./make-weakref", "make-weakref/", "", "/etc", "."])
def test_a_name_that_leads_elsewhere_is_no_patch(copy: Path, name: str) -> None:
    (copy / "inner").mkdir()
    assert refused(copy.parent, name).message == f"unknown patch {name!r}"
    assert refused(copy / "inner", "../make-weakref").message.startswith("unknown patch")


def test_a_folder_that_is_not_there_says_how_to_name_another(tmp_path: Path) -> None:
    error = refused(tmp_path / "gone")
    assert "No such file or directory" in error.message
    assert "--patches or UPSTREAM_BOT_PATCHES" in error.hint


def test_p2_a_patch_file_checked_out_with_crlf_says_so(copy: Path) -> None:
    data = (copy / MAIL).read_bytes()
    crlf = data.replace(b"\n", b"\r\n")
    (copy / MAIL).write_bytes(crlf)
    error = refused(copy.parent)
    assert hashlib.sha256(data).hexdigest() in error.message
    assert hashlib.sha256(crlf).hexdigest() in error.message
    assert "checked out with changed line ends (CRLF)" in error.hint


def test_p2_git_is_told_to_leave_patch_files_alone() -> None:
    assert "*.patch -text" in (REAL.parent / ".gitattributes").read_text().splitlines()


def test_a_patch_file_with_other_bytes_is_refused(copy: Path) -> None:
    data = (copy / MAIL).read_bytes()
    (copy / MAIL).write_bytes(data.replace(b"wr = ten", b"wr = net"))
    assert "a published version never changes" in refused(copy.parent).hint
    (copy / MAIL).write_bytes(data.replace(b"wr = ten\n", b"wr = net\r\n"))
    assert "CRLF line ends and other changes" in refused(copy.parent).hint


def test_a_patch_file_that_is_gone_or_lies_elsewhere_is_refused(copy: Path, tmp_path: Path) -> None:
    (copy / MAIL).rename(tmp_path / "elsewhere")
    assert "cannot be read" in refused(copy.parent).message
    (copy / MAIL).symlink_to(tmp_path / "elsewhere")
    assert "leads out of the patch's folder" in refused(copy.parent).message


def test_a_patch_of_files_outside_the_manifests_paths_is_refused(copy: Path) -> None:
    rewrite(copy, b"transformer/cuda_graphs.py ", b"transformer/cuda_graph2.py ")
    rewrite(copy, b"transformer/cuda_graphs.py\n", b"transformer/cuda_graph2.py\n")
    assert "is not in upstream.paths" in refused(copy.parent).message


def test_c54_a_pinned_patch_of_a_workflow_is_refused_with_its_line(copy: Path) -> None:
    rewrite(copy, FILE.encode(), b".github/workflows/x.yml")
    error = refused(copy.parent)
    assert ".patch line 28: .github/workflows/x.yml is not carried" in error.message


def test_a_patch_made_on_another_base_is_refused(copy: Path) -> None:
    rewrite(copy, b"a487543b7d7c9eb8a4f5ea8445b1ee3d94aeb76e", b"b" * 40)
    assert "starts from blob bbbb" in refused(copy.parent).message


def test_the_patch_digest_is_that_of_its_sums(copy: Path) -> None:
    (file,) = catalog.load(copy.parent, "make-weakref").version.files
    sums = f"{file.sha256}  {file.path}\n".encode()
    assert catalog.load(copy.parent, "make-weakref").patch_sha256 == hashlib.sha256(sums).hexdigest()


def test_the_probes_digest_follows_every_byte_and_name_but_not_caches(copy: Path) -> None:
    shutil.rmtree(copy / "proofs", ignore_errors=True)
    (copy / "proofs" / "__pycache__").mkdir(parents=True)

    def digest() -> str:
        return catalog.load(copy.parent, "make-weakref").probes_sha256

    empty = digest()
    (copy / "proofs" / "__pycache__" / "x.txt").write_text("x")
    (copy / "proofs" / "x.pyc").write_text("x")
    assert digest() == empty == hashlib.sha256().hexdigest()
    (copy / "proofs" / "a.py").write_text("x")
    one = digest()
    assert one == hashlib.sha256(b"a.py\0x").hexdigest()
    (copy / "proofs" / "a.py").rename(copy / "proofs" / "b.py")
    assert digest() not in {one, empty}


def test_a_branchs_variant_is_named_or_globbed_or_the_default() -> None:
    patch = catalog.load(REAL, "make-weakref")
    (default,) = patch.version.files
    old = PatchFile(path="v1/old.patch", sha256="0" * 64, branches=("core_r0.1*", "pypi/*"))
    named = BranchExpectation(name="core_r0.19.0", variant=default.path)
    stem = BranchExpectation(name="main", variant="old")
    patch = structs.replace(
        patch,
        version=structs.replace(patch.version, files=(default, old)),
        manifest=structs.replace(patch.manifest, branches=(named, stem)),
    )
    chosen = {
        name: catalog.variant_for(patch, name) for name in ("core_r0.19.0", "main", "core_r0.18.0", "dev")
    }
    assert chosen == {"core_r0.19.0": default, "main": old, "core_r0.18.0": old, "dev": default}
