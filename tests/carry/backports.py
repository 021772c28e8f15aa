"""A workshop with a fork to push to, and backports made in this process without controls."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot import catalog
from bot.carry import backporting, proving
from bot.carry.backporting import Order, Person, Row
from tests.conftest import BROKEN, CURED, FILE, Workshop

BOT = Person(name="Carla Bot", email="carla@example.org")
MOVED = f'"""Moved down."""\nMORE = 1\n{BROKEN}'
CONFLICT = BROKEN.replace("no rate for {currency}", "there is no rate for {currency}")
#: Right, in other words.
OTHER = CURED.replace('print(f"no rate for {code}")', 'print("no rate for", code)')
WRONG = CURED.replace("rate = 1", "rate = 2")
PREFIX = "upstream-bot/till/v1/"


@dataclass(frozen=True, kw_only=True)
class Yard:
    """`fork` is a bare repository that had the upstream's branches when it was made."""

    workshop: Workshop

    @property
    def fork(self) -> Path:
        return self.workshop.root / "fork.git"

    def make_fork(self) -> Path:
        upstream = str(self.workshop.upstream)
        run("git", "clone", "--quiet", "--bare", "--no-hardlinks", upstream, str(self.fork))
        return self.fork

    def order(self, *targets: str, push: bool = True, upstream: str = "", **changes: Any) -> Order:
        proof = proving.Order(
            patch=catalog.load(self.workshop.patches, "till"),
            spec=upstream or str(self.workshop.upstream),
            cache=self.workshop.cache,
            runs=1,
            controls=False,
        )
        to = backporting.place(str(self.fork)) if push else None
        fields: dict[str, Any] = {"proof": proof, "committer": BOT, "targets": targets, "push_to": to}
        return Order(**(fields | changes))

    def carry(self, *targets: str, push: bool = True, upstream: str = "", **changes: Any) -> dict[str, Row]:
        order = self.order(*targets, push=push, upstream=upstream, **changes)
        return {row.target: row for row in backporting.backport(order, lambda *_told: None)}

    def stands(self) -> dict[str, str]:
        """What the fork holds of ours, by target."""
        told = self.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/")
        pairs = (line.split(" ") for line in told.splitlines())
        return {
            full.removeprefix("refs/heads/").removeprefix(PREFIX): oid
            for full, oid in pairs
            if "/upstream-bot/" in full
        }

    def git(self, *args: str) -> str:
        return git_in(self.fork, *args)

    def person_commits(self, branch: str, files: dict[str, str], message: str) -> str:
        """Somebody else's commit on a branch of the fork."""
        place = self.workshop.root / "person"
        run("git", "clone", "--quiet", "--branch", branch, str(self.fork), str(place))
        for path, text in files.items():
            (place / path).write_text(text, encoding="utf-8")
        git_in(place, "commit", "--quiet", "--all", "--message", message)
        git_in(place, "push", "--quiet", "origin", f"HEAD:{branch}")
        return git_in(place, "rev-parse", "HEAD")

    def pull(self, number: int, files: dict[str, str], *, base: str = "main", message: str = "Fix") -> str:
        """Open a pull request on the upstream: its ref, and nothing else."""
        shop = self.workshop
        shop.git("switch", "--quiet", base)
        shop.git("branch", "--quiet", "--force", "work", base)
        head = shop.commit("work", files, message)
        shop.git("update-ref", f"refs/pull/{number}/head", head)
        shop.git("switch", "--quiet", base)
        shop.git("branch", "--quiet", "-D", "work")
        return head

    def follow(self, commands: tuple[str, ...], place: Path) -> list[int]:
        """Run recovery commands as people would, in a shell; the exit code of each."""
        program = f"{sys.executable} -m bot"
        env = os.environ | self.workshop.env | {"UPSTREAM_BOT_CACHE": str(self.workshop.cache)}
        env |= {
            f"GIT_{role}_{key}": BOT.name for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
        }
        codes = []
        for line in commands:
            command = re.sub(r"^upstream-bot ", f"{program} ", line)
            argv = ("/bin/sh", "-c", command)
            done = subprocess.run(argv, cwd=place, env=env, capture_output=True, timeout=100, check=False)
            codes.append(done.returncode)
        return codes


def run(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


def git_in(place: Path, *args: str) -> str:
    return run("git", "-c", "user.name=Per", "-c", "user.email=per@example.org", "-C", str(place), *args)


__all__ = [
    "BOT",
    "BROKEN",
    "CONFLICT",
    "CURED",
    "FILE",
    "MOVED",
    "OTHER",
    "PREFIX",
    "WRONG",
    "Yard",
    "git_in",
]
