"""`apply --installed` on a package of our own in a real virtual environment, with the real pip beside it."""

import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from tests.carry.sources import DEFECT, PLACE, contents, text
from tests.conftest import BROKEN, CURED, FILE, Workshop


@pytest.fixture
def environment(workshop: Workshop) -> Path:
    """Make a virtual environment that has the broken shop 1.0 installed, as pip leaves it."""
    workshop.patch(upstream=PLACE, defect=DEFECT)
    place = workshop.root / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    install(place, "1.0", BROKEN)
    return place


def site(environment: Path) -> Path:
    (found,) = environment.glob("lib/python*/site-packages")
    return found


def install(environment: Path, version: str, till: str) -> None:
    packages = site(environment)
    for old in packages.glob("shop-*/*"):
        old.unlink()
    for old in packages.glob("shop-*"):
        old.rmdir()
    info = f"shop-{version}.dist-info"
    files = {
        FILE: till,
        "shop/__init__.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: shop\nVersion: {version}\n",
        f"{info}/INSTALLER": "pip\n",
    }
    for name, data in files.items():
        (packages / name).parent.mkdir(exist_ok=True)
        (packages / name).write_text(data, encoding="utf-8")
    hashes = {
        name: urlsafe_b64encode(sha256(data.encode()).digest()).rstrip(b"=") for name, data in files.items()
    }
    lines = [f"{name},sha256={hashes[name].decode()},{len(files[name])}\n" for name in files]
    (packages / info / "RECORD").write_text("".join([*lines, f"{info}/RECORD,,\n"]), encoding="utf-8")


def converted(environment: Path) -> str:
    """What the installed shop makes of an amount without a rate."""
    code = """
from shop import till
try:
    print(till.convert(5, "xxx"))
except NameError as error:
    print(error)
"""
    done = subprocess.run(
        [environment / "bin" / "python", "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def pip(environment: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    argv = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python"]
    python = str(environment / "bin" / "python")
    return subprocess.run([*argv, python, *args], capture_output=True, text=True, check=False)


def test_an_installed_package_is_cured_checked_by_pip_and_given_back(
    workshop: Workshop, environment: Path
) -> None:
    python = str(environment / "bin" / "python")
    args = ("apply", "till", "--installed", "--python", python)
    cached = workshop.root / "as-the-cache-links-it"
    cached.hardlink_to(site(environment) / FILE)
    assert converted(environment) == "name 'currency' is not defined"
    before = without_bytecode(environment)
    done = workshop.run(*args)
    assert (done.code, done.err, converted(environment)) == (0, "", "5")
    assert f"till v1 is applied to shop 1.0 in {site(environment)}" in done.out
    assert "pip's RECORD still has the hash of before" in done.out
    assert cached.read_text(encoding="utf-8") == BROKEN
    assert pip(environment, "check").returncode == 0
    assert workshop.run(*args).out.startswith("till v1 is already applied")
    assert workshop.run(*args, "--reverse").code == 0
    assert without_bytecode(environment) == before
    assert converted(environment) == "name 'currency' is not defined"


def without_bytecode(environment: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(environment).items() if not name.endswith(".pyc")}


def test_pip_uninstalls_what_was_patched_whole(workshop: Workshop, environment: Path) -> None:
    assert workshop.run("apply", "till", "--installed", "--python", str(environment)).code == 0
    done = pip(environment, "uninstall", "--yes", "shop")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (site(environment) / "shop").exists()
    assert pip(environment, "list").stderr == ""
    gone = workshop.run("apply", "till", "--installed", "--python", str(environment))
    assert (gone.code, gone.out) == (2, "")
    assert "shop is not installed for" in gone.err


def test_after_a_lost_record_pips_own_record_vouches_for_the_bytes_of_before(
    workshop: Workshop, environment: Path
) -> None:
    other = BROKEN.replace("eur", "usd")
    install(environment, "1.0", other)
    args = ("apply", "till", "--installed", "--python", str(environment))
    assert workshop.run(*args).code == 0
    for record in (site(environment) / ".upstream-bot" / "till").iterdir():
        record.unlink()
    done = workshop.run(*args, "--reverse")
    assert (done.code, text(site(environment))) == (0, other)
    assert "pip's RECORD has the digest of the bytes of before" in done.out


def test_an_upgrade_undoes_the_patch_and_the_old_record_is_in_nobodys_way(
    workshop: Workshop, environment: Path
) -> None:
    args = ("apply", "till", "--installed", "--python", str(environment))
    assert workshop.run(*args).code == 0
    install(environment, "1.1", BROKEN + "\n# newer\n")
    back = workshop.run(*args, "--reverse")
    assert (back.code, "it was applied to pypi/1.0, and this is pypi/1.1" in back.out) == (1, True)
    assert workshop.run(*args).code == 0
    assert text(site(environment)) == CURED + "\n# newer\n"
    assert workshop.run(*args, "--reverse").code == 0
    assert text(site(environment)) == BROKEN + "\n# newer\n"


def test_a_release_before_the_cause_is_refused_by_its_age(workshop: Workshop, environment: Path) -> None:
    install(environment, "0.9", BROKEN.replace("def convert", "def change"))
    done = workshop.run("apply", "till", "--installed", "--python", str(environment))
    assert done.code == 1
    assert (
        "not_affected_yet: convert is not in shop/till.py, and this release is older than shop 1.0"
        in done.out
    )
    unpacked = workshop.run("apply", "till", "--to", str(site(environment)))
    assert (unpacked.code, "this release is older than shop 1.0" in unpacked.out) == (1, True)


def test_the_active_environment_is_meant_unless_another_is_named(
    workshop: Workshop, environment: Path
) -> None:
    done = workshop.run("apply", "till", "--installed", "--check", VIRTUAL_ENV=str(environment))
    assert (done.code, str(site(environment)) in done.out) == (0, True)
    own = workshop.run("apply", "till", "--installed", "--check", VIRTUAL_ENV="")
    assert (own.code, own.out) == (2, "")
    assert "hint: name the interpreter that runs it with --python" in own.err


def test_files_of_the_working_directory_are_not_run_when_the_package_is_looked_for(
    workshop: Workshop, environment: Path
) -> None:
    trap = f"open({str(workshop.root / 'ran')!r}, 'w')\n"
    for place in (
        workshop.root / "json.py",
        workshop.root / "site.py",
        site(environment) / "shop/__init__.py",
    ):
        place.write_text(trap)
    argv = [sys.executable, "-P", "-m", "bot", "apply", "till", "--installed", "--python", str(environment)]
    done = subprocess.run(argv, cwd=workshop.root, capture_output=True, text=True, check=False)
    assert (done.returncode, text(site(environment))) == (0, CURED), done.stderr
    assert not (workshop.root / "ran").exists()


def test_an_editable_install_names_the_tree_to_patch(workshop: Workshop, environment: Path) -> None:
    packages = site(environment)
    (packages / "shop-1.0.dist-info" / "direct_url.json").write_text(
        f'{{"url": "{workshop.upstream.as_uri()}", "dir_info": {{"editable": true}}}}'
    )
    done = workshop.run("apply", "till", "--installed", "--python", str(environment))
    assert (done.code, done.out) == (2, "")
    assert f"--to {workshop.upstream}" in done.err
