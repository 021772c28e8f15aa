"""Fixtures for whole situations: an upstream with branches, a patch folder, and the real command line."""

import fcntl
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

#: The guard that keeps tests on this machine.
pytest_plugins = ["tests.network"]

FILE = "shop/till.py"
#: The synthetic defect: the handler names what does not exist, and binds nothing (as the first patch's does).
BROKEN = '''
"""A till of our own, for tests."""

RATES = {"eur": 2}


def lookup(code):
    return RATES[code]


def convert(amount, code, rank=0):
    """Convert an amount, or keep it when there is no rate."""
    try:
        rate = lookup(code)
    except KeyError:
        if rank == 0:
            print(f"no rate for {currency}")

    return amount * rate


def total(amounts):
    return sum(amounts)
'''
CURED = BROKEN.replace("{currency}", "{code}").replace('{code}")\n', '{code}")\n        rate = 1\n')
PROOFS = """
import pytest
from shop import till


def test_the_amount_is_kept(fault, rank, capsys):
    fault.raises(till, "lookup", KeyError("xxx"))
    assert till.convert(5, "xxx", rank=rank) == 5
    assert capsys.readouterr().out.strip() == ("no rate for xxx" if rank == 0 else "")


def test_a_known_rate_is_used():
    assert till.convert(5, "eur") == 10


def test_other_errors_escape(fault):
    fault.raises(till, "lookup", ValueError("no"))
    with pytest.raises(ValueError):
        till.convert(5, "eur")


def test_a_wrong_total_is_not_noticed():
    assert till.total([1, "2"]) == 3
"""
BEFORE = [
    {"ranks": "0", "exception": "NameError", "match": "currency", "function": "convert"},
    {"ranks": "1", "exception": "UnboundLocalError", "match": "rate", "function": "convert"},
]
PROBE: dict[str, Any] = {
    "id": "amount-is-kept",
    "test": "proofs/test_till.py::test_the_amount_is_kept",
    "world": 2,
    "timeout": 20,
    "before": BEFORE,
}
KEEP: list[dict[str, Any]] = [
    {"id": "known-rate", "test": "proofs/test_till.py::test_a_known_rate_is_used", "timeout": 20},
    {"id": "others-escape", "test": "proofs/test_till.py::test_other_errors_escape", "timeout": 20},
]
TYPE_ERROR = [{"ranks": "all", "exception": "TypeError", "function": "total"}]
HAZARD: dict[str, Any] = {
    "id": "wrong-total",
    "test": "proofs/test_till.py::test_a_wrong_total_is_not_noticed",
    "timeout": 20,
    "before": TYPE_ERROR,
    "after": TYPE_ERROR,
}


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a finished command left: exit code and both streams as text."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(kw_only=True)
class Workshop:
    """An upstream repository and a patches folder below `root`, with the real command line to use on them."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def upstream(self) -> Path:
        return self.root / "upstream"

    @property
    def patches(self) -> Path:
        return self.root / "patches"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    def git(self, *args: str, data: str | None = None) -> str:
        """Run git in the upstream repository; a failure fails the test."""
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        argv = ["git", "--no-optional-locks", *who, "-C", str(self.upstream), *args]
        done = subprocess.run(argv, input=data, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    def commit(self, branch: str, files: dict[str, str], message: str = "change") -> str:
        """Commit `files` on top of `branch` (made if it is not there) and return the commit."""
        if not self.upstream.exists():
            self.upstream.mkdir(parents=True)
            self.git("init", "--quiet", "--initial-branch", branch)
        elif not self.git("branch", "--list", branch):
            self.git("switch", "--quiet", "--create", branch)
        else:
            self.git("switch", "--quiet", branch)
        for path, text in files.items():
            (self.upstream / path).parent.mkdir(parents=True, exist_ok=True)
            (self.upstream / path).write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def patch(self, before: str = BROKEN, after: str = CURED, **changes: Any) -> Path:
        """Write the patch folder `till`: its diff made by git, its manifest changed by `changes`."""
        folder = self.patches / "till"
        base = self.commit("main", {FILE: before}, "start")
        self.commit("cure", {FILE: after}, "keep the amount when there is no rate")
        diff = self.git(
            "format-patch", "-1", "--stdout", "--full-index", "--zero-commit", "--no-signature", "cure"
        )
        self.git("switch", "--quiet", "main")
        (folder / "v1").mkdir(parents=True, exist_ok=True)
        (folder / "v1" / "0001-till.patch").write_text(diff + "\n", encoding="utf-8")
        self.proofs("test_till.py", PROOFS)
        lock = "".join(f"{name}=={metadata.version(name)}\n" for name in ("pytest", "pluggy"))
        (folder / "requirements.txt").write_text(lock, encoding="utf-8")
        self.manifest(base, **changes)
        return folder

    def proofs(self, name: str, text: str) -> None:
        place = self.patches / "till" / "proofs" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(textwrap.dedent(text), encoding="utf-8")

    def manifest(self, base: str, **changes: Any) -> None:
        """Write patch.yml with the file's true digests, then `changes`; a value of None leaves a key out."""
        folder = self.patches / "till"
        digest = sha256((folder / "v1" / "0001-till.patch").read_bytes()).hexdigest()
        blob = self.git("rev-parse", f"{base}:{FILE}")
        whole: dict[str, Any] = {
            "schema": 1,
            "id": "till",
            "title": "keep the amount when there is no rate",
            "upstream": {"repo": "https://example.org/shop.git", "paths": ["shop"]},
            "versions": [
                {
                    "id": "v1",
                    "base": {"commit": base, "blobs": {FILE: blob}},
                    "files": [{"path": "v1/0001-till.patch", "sha256": digest}],
                }
            ],
            "anchors": [{"file": FILE, "symbol": "convert"}],
            "defect": {"summary": "no rate, no amount", "introduced_by": [base]},
            "branches": [{"name": "main", "expect": "affected"}],
            "probes": [PROBE],
            "keep": KEEP,
            "hazards": [HAZARD],
            "environment": {"checkout": ["shop"], "imports": ["shop.till"]},
        } | changes
        kept = {key: value for key, value in whole.items() if value is not None}
        (folder / "patch.yml").write_text(
            yaml.safe_dump(json.loads(json.dumps(kept)), sort_keys=False), encoding="utf-8"
        )

    def start(self, *args: str, **env: str) -> "subprocess.Popen[str]":
        """Start the command line in `root`, in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "bot", *args],
            cwd=self.root,
            env=os.environ | {"UPSTREAM_BOT_CACHE": str(self.cache)} | self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *args: str, **env: str) -> Done:
        """Run the command line to its end."""
        process = self.start(*args, **env)
        out, err = process.communicate(timeout=180)
        return Done(code=process.returncode, out=out, err=err)

    def prove(self, *args: str, **env: str) -> Done:
        """Prove the patch `till` on the upstream, as JSON and without controls."""
        return self.run(
            "prove", "till", "--upstream", str(self.upstream), "--no-controls", "--json", *args, **env
        )


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    """Yield an empty workshop with its own scratch directories; no file there, process or lock may stay."""
    monkeypatch.delenv("UPSTREAM_BOT_UPSTREAM", raising=False)
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    shop = Workshop(root=tmp_path, env={"TMPDIR": str(scratch)})
    yield shop
    assert not list(scratch.iterdir()), "a scratch directory was left behind"
    assert not strays(scratch), "a process was left behind"
    assert not held_locks(tmp_path), "a lock was left behind"


def strays(scratch: Path) -> list[str]:
    """List the processes whose command line or environment names this test's scratch directory."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "cmdline").read_bytes() + (place / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(scratch) in told and int(place.name) != os.getpid():
            found.append(place.name)
    return found


def held_locks(root: Path) -> list[str]:
    """List the lock files that somebody holds, and those of git, which are there only while it writes."""
    found = [str(path) for path in root.glob("**/.git/**/*.lock")]
    for path in (*root.glob("**/lock"), *root.glob("cache/**/*.lock")):
        with path.open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(str(path))
    return found
