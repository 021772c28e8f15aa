"""The nouns of a patch folder: its manifest (DESIGN 6) as frozen values."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

NonEmpty = Annotated[str, Meta(min_length=1)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
ObjectId = Annotated[str, Meta(pattern="^[0-9a-f]{40}([0-9a-f]{24})?$")]
Count = Annotated[int, Meta(ge=1)]


class Value(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every value that is read from or written to a file."""


class Expect(StrEnum):
    AFFECTED = "affected"
    NOT_AFFECTED = "not_affected"
    UNKNOWN = "unknown"


class Launcher(StrEnum):
    FAKE = "fake"
    GLOO = "gloo"
    TORCHRUN = "torchrun"


class Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


class Origin(Value, frozen=True, kw_only=True):
    kind: str
    url: str = ""


class UpstreamPlace(Value, frozen=True, kw_only=True):
    """Where the patch belongs: `repo` a git URL, `pypi` a distribution, `paths` what the patch may touch."""

    repo: str = ""
    pypi: str = ""
    paths: tuple[str, ...] = ()


class Base(Value, frozen=True, kw_only=True):
    """The commit a version was made on, and the full blob id of each file it touches there."""

    commit: ObjectId
    blobs: dict[str, ObjectId] = {}


class PatchFile(Value, frozen=True, kw_only=True):
    """One variant: a mail patch below the patch's folder. `branches` are globs; empty means every branch."""

    path: NonEmpty
    sha256: Sha256
    branches: tuple[str, ...] = ()


class Version(Value, frozen=True, kw_only=True):
    id: Annotated[str, Meta(pattern="^v[1-9][0-9]*$")]
    base: Base
    files: Annotated[tuple[PatchFile, ...], Meta(min_length=1)]


class Anchor(Value, frozen=True, kw_only=True):
    """The function or class a hunk must land in; `symbol` is dotted for nested definitions."""

    file: NonEmpty
    symbol: NonEmpty


class Defect(Value, frozen=True, kw_only=True):
    summary: str = ""
    introduced_by: tuple[str, ...] = ()
    fixed_by: tuple[str, ...] = ()


class BranchExpectation(Value, frozen=True, kw_only=True):
    name: NonEmpty
    expect: Expect = Expect.UNKNOWN
    variant: str = ""


class Expected(Value, frozen=True, kw_only=True):
    """The declared outcome on some ranks: `ranks` is `all`, a rank, a list of ranks or a span such as `1-3`.

    An `outcome` of `fail` carries the signature: exception type, message pattern (a regular expression that
    is searched for), and the function it was raised in.
    """

    ranks: str | tuple[str, ...] = "all"
    outcome: str = "fail"
    exception: str = ""
    match: str = ""
    function: str = ""


class Test(Value, frozen=True, kw_only=True):
    """A probe, keep-test or hazard. `test` is a pytest node id below the patch's folder, without parameters.

    `timeout` is in seconds, for one run on one rank. A probe's `after` and both sides of a keep-test are
    `pass`.
    """

    id: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*$")]
    test: NonEmpty
    world: Count = 1
    launcher: Launcher = Launcher.FAKE
    device: Device = Device.CPU
    required: bool = True
    timeout: Annotated[float, Meta(gt=0)] = 60.0
    before: tuple[Expected, ...] = ()
    after: tuple[Expected, ...] = ()


class Check(Value, frozen=True, kw_only=True):
    """A static tool on the touched files of both sides, with upstream's settings: no new finding after.

    `before`: patterns of findings that must be there before and gone after. `needs`: settings files at the
    root of the tree without which the check does not apply (releases have none).
    """

    id: NonEmpty
    tool: NonEmpty
    args: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


class Controls(Value, frozen=True, kw_only=True):
    sham: bool = True
    ablation: bool = True
    mutants: bool = True


class Environment(Value, frozen=True, kw_only=True):
    """What the locked environment is used for.

    `python`: a version specifier; `preload`: modules the warm parent imports; `checkout`: the paths of the
    upstream tree that are laid out; `imports`: the upstream modules under test, imported once per tree;
    `stubs`: modules that must look absent.
    """

    python: str = ">=3.11"
    preload: tuple[str, ...] = ()
    checkout: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    stubs: tuple[str, ...] = ()


class Rival(Value, frozen=True, kw_only=True):
    pull_request: int
    note: str = ""


class Proposal(Value, frozen=True, kw_only=True):
    status: str = "local_only"
    pull_request: int | None = None
    rivals: tuple[Rival, ...] = ()


class Vetting(Value, frozen=True, kw_only=True):
    ask: str = ""
    after_business_days: int = 2
    mirror_ref: str = "pull-request/{number}"


class Manifest(Value, frozen=True, kw_only=True):
    """`patches/<id>/patch.yml`, schema 1."""

    schema: Annotated[int, Meta(ge=1, le=1)]
    id: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*$")]
    title: NonEmpty
    upstream: UpstreamPlace
    versions: Annotated[tuple[Version, ...], Meta(min_length=1)]
    description: str = ""
    justification: str = ""
    authors: tuple[str, ...] = ()
    origin: Origin | None = None
    license: str = ""
    anchors: tuple[Anchor, ...] = ()
    defect: Defect = Defect()
    branches: tuple[BranchExpectation, ...] = ()
    never_carry: tuple[str, ...] = ()
    probes: tuple[Test, ...] = ()
    keep: tuple[Test, ...] = ()
    hazards: tuple[Test, ...] = ()
    checks: tuple[Check, ...] = ()
    controls: Controls = Controls()
    environment: Environment = Environment()
    proposal: Proposal = Proposal()
    vetting: Vetting = Vetting()
    removal_condition: str = ""


class Hunk(Value, frozen=True, kw_only=True):
    """One hunk: 1-based starts and counts of both sides; `lines` keep their first column and line end."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[bytes, ...]


class FileChange(Value, frozen=True, kw_only=True):
    """What a patch does to one file, between two full blob ids."""

    path: str
    old_blob: str
    new_blob: str
    hunks: tuple[Hunk, ...]


class Patch(Value, frozen=True, kw_only=True):
    """A patch folder that was read, checked and pinned: the newest version is the one that is used."""

    manifest: Manifest
    folder: Path
    version: Version
    variants: dict[str, tuple[FileChange, ...]]
    patch_sha256: str
    probes_sha256: str

    @property
    def id(self) -> str:
        return self.manifest.id
