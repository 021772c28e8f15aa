"""`apply --installed` on the real released package, in an environment of the Python that it is for."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import Done, Workshop

PATCHES = str(Path(__file__).parents[1] / "patches")
FILE = "megatron/core/transformer/cuda_graphs.py"
NEEDED = (3, 12)
CURE = ("weak ref for tensor with dtype {ten.dtype}; ", "            )\n        wr = ten\n\n    return wr\n")


@dataclass(frozen=True, kw_only=True)
class Environment:
    """A virtual environment with one release and nothing that it needs; `version` is its Python's."""

    place: Path
    version: str

    @property
    def packages(self) -> Path:
        (found,) = self.place.glob("lib/python*/site-packages")
        return found

    def contents(self) -> dict[str, bytes]:
        files = (path for path in self.packages.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files if path.suffix != ".pyc"}


def pythons() -> Iterator[str]:
    """Yield what may be there, ours last; a version manager's name on PATH need not lead anywhere."""
    yield from filter(None, map(shutil.which, ("python3.12", "python3.13", "python3.14")))
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    yield from map(str, sorted(managed.glob("3.1[2-9].*/bin/python")))
    yield sys.executable


def python_version(python: str) -> tuple[int, ...]:
    code = "import sys; print(*sys.version_info[:2])"
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=False)
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()


def build(place: Path, release: str) -> Environment:
    """Install a release for the Python it asks for; without one here, its wheel's files for our own."""
    python = next((one for one in pythons() if python_version(one) >= NEEDED), sys.executable)
    version = ".".join(map(str, python_version(python)))
    subprocess.run([python, "-m", "venv", "--without-pip", str(place)], check=True)
    made = Environment(place=place, version=version)
    # pip asks the environment's Python what it is; a wheel's Python source is the same for all.
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", "install"]
    where = ["--no-deps", "--only-binary=:all:", "--python-version=3.12", f"--target={made.packages}"]
    done = subprocess.run(
        [*pip, *where, f"megatron-core=={release}"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"megatron-core {release} cannot be had: {done.stderr.strip().splitlines()[-1]}")
    return made


@pytest.fixture(scope="module")
def affected(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return build(tmp_path_factory.mktemp("affected") / "env", "0.19.2")


@pytest.fixture
def patched(workshop: Workshop, affected: Environment) -> Iterator[Environment]:
    """Yield the affected environment with the patch in it, and see that taking it back leaves nothing."""
    before = affected.contents()
    done = apply(workshop, affected)
    assert (done.code, done.err) == (0, ""), f"under Python {affected.version}"
    yield affected
    back = apply(workshop, affected, "--reverse")
    assert (back.code, affected.contents()) == (0, before)


def apply(workshop: Workshop, environment: Environment, *more: str) -> Done:
    where = ("--installed", "--python", str(environment.place))
    return workshop.run("apply", "make-weakref", "--patches", PATCHES, *where, *more)


@pytest.mark.pypi
def test_the_affected_release_is_patched_once_and_given_back_byte_for_byte(
    workshop: Workshop, patched: Environment
) -> None:
    source = (patched.packages / FILE).read_text(encoding="utf-8")
    assert all(line in source for line in CURE)
    again = apply(workshop, patched)
    assert (again.code, "is already applied to megatron-core 0.19.2" in again.out) == (0, True)
    checked = apply(workshop, patched, "--check", "--reverse")
    assert (checked.code, "3 lines changed (2 added, 1 removed)" in checked.out) == (0, True)
    assert (patched.packages / FILE).read_text(encoding="utf-8") == source


@pytest.mark.pypi
@pytest.mark.proof
def test_the_probes_pass_on_the_patched_package(workshop: Workshop, patched: Environment) -> None:
    upstream = workshop.upstream
    shutil.copytree(patched.packages / "megatron", upstream / "megatron")
    workshop.git("init", "--quiet", "--initial-branch=installed")
    workshop.git("add", "--all", "--force")
    workshop.git("commit", "--quiet", "--message", "what is installed")
    done = workshop.run(
        "prove",
        "make-weakref",
        f"--patches={PATCHES}",
        f"--upstream={upstream}",
        "--branch=installed",
        "--force",
        "--runs=1",
        "--no-controls",
        "--device=cpu",
        "--json",
    )
    (target,) = done.json["targets"]
    required = [row for row in target["probes"] if row["required"]]
    assert target["state"] == "upstream_identical"
    assert {row["id"] for row in required} == {
        "handler-keeps-tensor",
        "engine-refuses-dtype",
        "real-ranks-keep-tensor",
    }
    outcomes = {(row["id"], row["rank"]): [one["outcome"] for one in row["before"]] for row in required}
    assert set(map(tuple, outcomes.values())) == {("pass",)}, outcomes


@pytest.mark.pypi
def test_a_release_before_the_defect_is_refused_with_the_reason(workshop: Workshop, tmp_path: Path) -> None:
    environment = build(tmp_path / "env", "0.18.2")
    before = environment.contents()
    done = apply(workshop, environment)
    assert (done.code, done.err, environment.contents()) == (1, "", before)
    assert "is refused for megatron-core 0.18.2" in done.out
    why = f"make_weakref is not in {FILE}, and this release is older than megatron-core 0.19.0"
    assert f"not_affected_yet: {why}" in done.out
