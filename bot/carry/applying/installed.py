"""The distribution that an environment has installed, found without importing anything of it."""

import json
import sys
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from bot import proc
from bot.carry.applying.place import Place
from bot.carry.applying.trees import MEMORY
from bot.errors import BotError
from bot.model import Patch

#: Run isolated, so that no file of the working directory is imported; that leaves out the user's own
#: site-packages, which an interpreter outside virtual environments has first.
WHERE = """
import json, site, sys
users = [site.getusersitepackages()] if sys.prefix == sys.base_prefix else []
print(json.dumps(users + [path for path in sys.path if path]))
"""
#: Seconds that an interpreter may take to start.
PATIENCE = 60.0
OTHER = "name the interpreter that runs it with --python, as in --python .venv/bin/python"


def open_installed(patch: Patch, python: Path) -> Place:
    """What the interpreter `python` would import. Raises BotError when it is not installed there."""
    name = patch.manifest.upstream.pypi
    if not name:
        raise BotError(f"{patch.id} names no distribution (upstream.pypi)", "give a directory with --to")
    found = next(iter(metadata.distributions(name=name, path=search_path(python))), None)
    version = found.metadata["Version"] if found else None
    if found is None or not version:
        raise BotError(f"{name} is not installed for {python}", OTHER)
    if source := editable(found):
        raise BotError(
            f"{name} is installed for {python} as a link to {source}", f"patch that tree: --to {source}"
        )
    root = Path(str(found.locate_file(""))).resolve()
    return Place(
        root=root,
        name=f"pypi/{version}",
        title=f"{name} {version} in {root}",
        keeper=root,
        memory=MEMORY,
        origin=recorded(found),
        voucher="pip's RECORD",
        removed_by=f"pip install --force-reinstall --no-deps {name}=={version}",
    )


def default_python(environ: Mapping[str, str]) -> Path:
    """The interpreter of the activated virtual environment, else the one that runs us."""
    active = environ.get("VIRTUAL_ENV", "")
    return Path(active) if active else Path(sys.executable)


def interpreter(python: Path) -> Path:
    """The interpreter itself where an environment's directory is named."""
    return python / "bin" / "python" if python.is_dir() else python


def search_path(python: Path) -> list[str]:
    done = proc.run([python, "-I", "-c", WHERE], timeout=PATIENCE)
    try:
        return msgspec.json.decode(done.out, type=list[str])
    except msgspec.DecodeError:
        raise BotError(f"{python} does not answer as Python does: {done.complaint}", OTHER) from None


def editable(found: metadata.Distribution) -> str:
    """The source tree of an editable install; empty for every other."""
    try:
        told = json.loads(found.read_text("direct_url.json") or "{}")
    except ValueError:
        return ""
    if not told.get("dir_info", {}).get("editable"):
        return ""
    return unquote(urlsplit(told.get("url", "")).path)


def recorded(found: metadata.Distribution) -> dict[str, str]:
    """The SHA-256 of each file as it was installed, in hexadecimal digits."""
    hashes = {str(file): file.hash for file in found.files or ()}
    return {path: digits(one.value) for path, one in hashes.items() if one and one.mode == "sha256"}


def digits(value: str) -> str:
    """RECORD has URL-safe base64 without its padding."""
    try:
        return urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex()
    except ValueError:
        return ""
