"""Real repositories and a real package index on loopback, for the tests of this room."""

import hashlib
import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot import config
from bot.upstream import Upstream, open_upstream

AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "commit.gpgSign=false")
Git = Callable[..., str]
Open = Callable[..., Upstream]


@pytest.fixture(scope="session", autouse=True)
def pip_settings() -> dict[str, str]:
    """What this machine says about its package index, before a test's own home hides it."""
    names = ("HOME", "XDG_CONFIG_HOME", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT")
    return {"PIP_CONFIG_FILE": os.environ.get("PIP_CONFIG_FILE", "")} | {
        name: os.environ[name] for name in names if name in os.environ
    }


@pytest.fixture(scope="session", autouse=True)
def user_cache() -> Path:
    """Released wheels are kept between runs of the tests."""
    return config.cache_directory(os.environ)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without anybody's git or pip configuration."""
    directory = tmp_path / "home"
    directory.mkdir()
    monkeypatch.setenv("HOME", str(directory))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("XDG_CONFIG_HOME", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    return directory


@pytest.fixture
def run_git() -> Git:
    def run(where: Path, *args: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(where), *AUTHOR, *args], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return run


@pytest.fixture
def origin(tmp_path: Path, run_git: Git) -> Path:
    """Branches main and dev differ in file.py; a tag is called like a branch, another is annotated."""
    place = tmp_path / "origin"
    place.mkdir()
    run_git(place, "init", "-q", "-b", "main")
    for name, branch in (("one", "main"), ("two", "dev"), ("three", "release/1.0")):
        if branch != "main":
            run_git(place, "checkout", "-q", "-b", branch)
        (place / "pkg").mkdir(exist_ok=True)
        (place / "pkg" / "file.py").write_text(f"{name} = 1\n")
        (place / "pkg" / f"{name}.txt").write_text(name * 100)
        run_git(place, "add", ".")
        run_git(place, "commit", "-q", "-m", name)
    run_git(place, "checkout", "-q", "main")
    run_git(place, "tag", "main", "dev")
    run_git(place, "tag", "-a", "-m", "first", "v1", "main~0")
    return place


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def opened(cache: Path, notices: list[str]) -> Open:
    def opens(spec: Path | str) -> Upstream:
        return open_upstream(str(spec), cache=cache, notice=notices.append)

    return opens


FETCHING = """
import sys
from pathlib import Path
from bot.upstream import open_upstream
upstream = open_upstream(sys.argv[1], cache=Path(sys.argv[2]), notice=lambda sentence: None)
for ref in upstream.fetch(upstream.find(["*"], [])):
    print(ref.name, ref.head, ref.problem)
"""


@pytest.fixture
def another_run(cache: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start a process of its own that fetches all branches of an upstream into the same cache."""
    started: list[subprocess.Popen[str]] = []

    def start(spec: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", FETCHING, spec, str(cache)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def wheel(files: dict[str, str], mode: int = 0o100644) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, text)
    return buffer.getvalue()


@dataclass
class PackageIndex:
    """What the server offers, and what it was asked."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    yanked: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def add(self, name: str, files: dict[str, str] | None = None, mode: int = 0o100644) -> None:
        self.files[name] = wheel(files or {"demo/__init__.py": f"# {name}\n"}, mode)

    def page(self) -> bytes:
        entries = [
            {
                "filename": name,
                "url": f"/files/{name}",
                "hashes": {"sha256": self.digests.get(name, hashlib.sha256(data).hexdigest())},
                "yanked": self.yanked.get(name, False),
            }
            for name, data in self.files.items()
        ]
        return json.dumps({"meta": {"api-version": "1.1"}, "name": "demo", "files": entries}).encode()

    def answer(self, path: str) -> tuple[bytes, str] | None:
        self.asked.append(path)
        if path == "/simple/demo/":
            return self.page(), "application/vnd.pypi.simple.v1+json"
        found = self.files.get(path.removeprefix("/files/"))
        return (found, "application/octet-stream") if found else None


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[PackageIndex]:
    """The configured package index: a Simple API on loopback with a distribution `demo`."""
    offered = PackageIndex()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802 (the library asks for this name)
            answer = offered.answer(self.path)
            body, kind = answer or (b"", "text/plain")
            self.send_response(200 if answer else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    offered.url = f"http://127.0.0.1:{server.server_port}/simple"
    monkeypatch.setenv("PIP_INDEX_URL", offered.url)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield offered
    server.shutdown()
    thread.join()
    server.server_close()
