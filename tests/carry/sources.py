"""Sources with the workshop's defect, for tests that apply its patch to files that people have."""

from hashlib import sha256
from pathlib import Path

from tests.conftest import FILE, Workshop

#: Raised before this test's release, so that releases too can be told apart by their age.
DEFECT = {"summary": "no rate, no amount", "introduced_by": ["shop==1.0"]}
PLACE = {"repo": "https://example.org/shop.git", "pypi": "shop", "paths": ["shop"]}


def unpack(workshop: Workshop, files: dict[str, str]) -> Path:
    top = workshop.root / "sources"
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")
    return top


def origin(workshop: Workshop, base: str, *paths: str) -> dict[str, object]:
    return {"commit": base, "blobs": {path: workshop.git("rev-parse", f"{base}:{path}") for path in paths}}


def pinned(patch: Path, *branches: str) -> dict[str, object]:
    digest = sha256(patch.read_bytes()).hexdigest()
    return {"path": f"{patch.parent.name}/{patch.name}", "sha256": digest, "branches": branches}


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def text(place: Path) -> str:
    return (place / FILE).read_text(encoding="utf-8")
