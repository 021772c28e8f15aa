"""Static tools on both sides of real commits: what is new, what is gone, and what must not run."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

import msgspec
import pytest

from bot import git
from bot.errors import BotError
from bot.model import Check, CheckRow, Row, State, Subject
from bot.proof import checks
from bot.proof.checks import CheckOrder, rcfile
from bot.proof.environments import Environment

FILE = "shop/till.py"
TOOLS = ("black", "isort", "pylint", "ruff")
CLEAN = '"""A till."""\n\nimport os\n\n\ndef name(code):\n    """Name it."""\n    return os.fspath(code)\n'
NAMES = Check(id="names", tool="ruff", args=("check", "--isolated", "--select", "F821"))
ARG = msgspec.structs.replace(NAMES, before=("F821 in name: .*`arg`",))
PYLINT = Check(id="pylint", tool="pylint", needs=(".pylintrc",))
PYLINTRC = "[MAIN]\ndisable=all\nenable=C0116,C0301,W0611\nmax-line-length=60\n"
Files = Mapping[str, str]


def defect(text: str) -> str:
    return text.replace("os.fspath(code)", "os.fspath(arg)")


class Yard:
    """A repository of our own, and the order for checks on its commits."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "scratch").mkdir()
        self.store = git.Repo(path=root / "store.git")
        subprocess.run(["git", "init", "--quiet", "--bare", str(self.store.path)], check=True)

    def tree(self, files: Files) -> tuple[str, dict[str, str]]:
        """Write a tree of whole files; return its id and each file's blob."""
        index = {"GIT_INDEX_FILE": str(self.root / "index")}
        (self.root / "index").unlink(missing_ok=True)
        blobs = {path: git.write_blob(self.store, text.encode()) for path, text in files.items()}
        for path, blob in blobs.items():
            git.must(self.store, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}", env=index)
        return git.must(self.store, "write-tree", env=index).text, blobs

    def subject(
        self, before: Files, after: Files, settings: Files | None = None, name: str = "main"
    ) -> Subject:
        rest = settings or {}
        (one, old), (two, new) = self.tree({**rest, **before}), self.tree({**rest, **after})
        row = Row(ref=f"refs/heads/{name}", name=name, head=None, state=State.APPLIES_EXACT)
        return Subject(
            kind="branch",
            name=name,
            head=None,
            base_commit=None,
            row=row,
            before_tree=one,
            after_tree=two,
            before_blobs={path: old[path] for path in before},
            after_blobs={path: new[path] for path in after},
        )

    def order(self, subjects: tuple[Subject, ...], *asked: Check, **changes: object) -> CheckOrder:
        order = CheckOrder(
            checks=asked,
            environment=environment(Path(sys.executable)),
            store=self.store,
            subjects=subjects,
            cache=self.root / "cache",
            scratch=self.root / "scratch",
        )
        return msgspec.structs.replace(order, **changes)

    def check(self, check: Check, before: str, after: str, settings: Files | None = None) -> CheckRow:
        """Run one check on one file; its row."""
        subject = self.subject({FILE: before}, {FILE: after}, settings)
        (row,) = checks.run(self.order((subject,), check))["main"]
        return row


def environment(python: Path) -> Environment:
    packages = {name: metadata.version(name) for name in TOOLS}
    return Environment(python=python, facts={"packages": packages}, sha256="0" * 64)


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def script(place: Path, body: str) -> Path:
    """Write a program that stands in for an interpreter."""
    place.write_text(f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)
    return place


SETTINGS = {
    "pyproject.toml": (
        '[project]\nrequires-python = ">=3.11"\n[tool.black]\nline-length = 60\n'
        '[tool.isort]\nprofile = "black"\n[tool.ruff.lint]\nselect = ["E711"]\n'
    ),
    ".pylintrc": PYLINTRC,
}
LONG = CLEAN + f"    # {'long ' * 12}\n"
WORSE = {
    "black": (CLEAN + "x = [1,2]\n", "would change: - x = [1,2] | + | + | + x = [1, 2]"),
    "isort": (CLEAN.replace("import os", "import sys\nimport os"), "would change: + import os"),
    "pylint": (LONG, "C0301 line-too-long: Line too long (65/60): # long long"),
    "ruff": (CLEAN + "    x == None\n", "E711 in name: Comparison to `None`"),
}
ARGS = {"ruff": ("check",)}


@pytest.mark.parametrize("tool", TOOLS)
def test_under_upstreams_settings_a_clean_file_has_no_finding_and_a_worse_one_a_new_finding(
    yard: Yard, tool: str
) -> None:
    worse, told = WORSE[tool]
    row = yard.check(Check(id=tool, tool=tool, args=ARGS.get(tool, ())), CLEAN, worse, SETTINGS)
    assert not row.reason
    assert row.before == ()
    assert checks.new(row) == row.after
    assert row.after[0].startswith(f"{FILE}: {told}")


@pytest.mark.parametrize("tool", TOOLS)
def test_what_was_there_before_is_not_new_when_its_lines_move(yard: Yard, tool: str) -> None:
    worse, _ = WORSE[tool]
    moved = worse.replace('"""A till."""\n', '"""A till.\n\nIt has\nmore lines.\n"""\n')
    row = yard.check(Check(id=tool, tool=tool, args=ARGS.get(tool, ())), worse, moved, SETTINGS)
    assert row.before
    assert row.before == row.after


def test_a_named_finding_that_is_there_before_and_gone_after_is_in_order(yard: Yard) -> None:
    row = yard.check(ARG, defect(CLEAN), CLEAN)
    assert row == CheckRow(id="names", before=(f"{FILE}: F821 in name: Undefined name `arg`",), after=())
    assert (checks.unseen(ARG, row), checks.staying(ARG, row), checks.idle(ARG, row)) == ((), (), None)


def test_a_named_finding_that_was_never_there_or_stays_is_named(yard: Yard) -> None:
    never = yard.check(ARG, CLEAN, CLEAN)
    assert (checks.unseen(ARG, never), checks.staying(ARG, never)) == (ARG.before, ())
    stays = yard.check(ARG, defect(CLEAN), defect(CLEAN) + "\n")
    assert (checks.unseen(ARG, stays), checks.staying(ARG, stays)) == ((), ARG.before)


def test_one_more_of_the_same_finding_is_new(yard: Yard) -> None:
    twice = defect(CLEAN) + "    return arg\n"
    row = yard.check(NAMES, defect(CLEAN), twice)
    assert checks.new(row) == (f"{FILE}: F821 in name: Undefined name `arg` (2)",)


def test_a_file_that_no_longer_parses_is_a_new_finding_of_each_tool(yard: Yard) -> None:
    subject = yard.subject({FILE: CLEAN}, {FILE: CLEAN + "def (:\n"}, SETTINGS)
    asked = [Check(id=tool, tool=tool, args=ARGS.get(tool, ())) for tool in ("black", "ruff")]
    asked.append(Check(id="pylint", tool="pylint", args=("--enable=syntax-error",)))
    for row in checks.run(yard.order((subject,), *asked))["main"]:
        assert checks.new(row), row
        assert str(yard.root) not in "".join(row.after)


def test_settings_of_the_tree_before_count_for_both_sides(yard: Yard) -> None:
    muted = {".pylintrc": PYLINTRC.replace("C0301,", "")}
    subject = yard.subject({FILE: CLEAN, **SETTINGS}, {FILE: LONG, **SETTINGS, **muted})
    (row,) = checks.run(yard.order((subject,), PYLINT))["main"]
    assert "C0301" in row.after[0]


def test_without_the_settings_that_it_needs_a_check_does_not_apply(yard: Yard) -> None:
    row = yard.check(PYLINT, CLEAN, LONG)
    assert (row.before, row.after, row.reason) == ((), (), "not applicable: this tree has no .pylintrc")
    assert checks.idle(PYLINT, row) is None


def test_a_check_without_a_file_of_its_kind_does_not_apply(yard: Yard) -> None:
    subject = yard.subject({"a.txt": "1"}, {"a.txt": "2"})
    (row,) = checks.run(yard.order((subject,), NAMES))["main"]
    assert row.reason == "not applicable: the patch touches no file for ruff"


def test_a_subject_without_an_after_tree_is_not_checked(yard: Yard) -> None:
    subject = msgspec.structs.replace(yard.subject({FILE: CLEAN}, {FILE: CLEAN}), after_tree=None)
    assert checks.run(yard.order((subject,), NAMES)) == {}


def test_a_row_that_ran_has_the_contracts_names_only(yard: Yard) -> None:
    assert set(msgspec.to_builtins(yard.check(NAMES, CLEAN, CLEAN))) == {"id", "before", "after"}


@pytest.mark.parametrize(
    ("check", "why"),
    [
        (Check(id="x", tool="flake9"), "no tool 'flake9' is known; there are black, isort, pylint, ruff"),
        (Check(id="x", tool="ruff", args=("check", "--wrong")), "before: ruff broke off with exit code 2"),
        (Check(id="x", tool="pylint", args=("--wrong",)), "before: pylint broke off with exit code 32"),
        (Check(id="x", tool="black", args=("--wrong",)), "before: black broke off with exit code 2"),
        (Check(id="x", tool="isort", args=("--wrong",)), "before: isort broke off with exit code 2"),
    ],
)
def test_a_check_that_cannot_run_says_why(yard: Yard, check: Check, why: str) -> None:
    row = yard.check(check, CLEAN, CLEAN)
    assert (row.before, row.after, row.reason) == ((), (), why)
    assert checks.idle(check, row) == f"x: {why}"


def test_a_tool_that_is_not_in_the_lock_or_not_installed_is_said_to_be_missing(yard: Yard) -> None:
    subject = yard.subject({FILE: CLEAN}, {FILE: CLEAN})
    bare = Environment(python=Path(sys.executable), facts={"packages": {}}, sha256="0" * 64)
    (row,) = checks.run(yard.order((subject,), NAMES, environment=bare))["main"]
    assert row.reason == "ruff is not in the patch's lock"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(yard.root / "venv")], check=True)
    lean = environment(yard.root / "venv" / "bin" / "python")
    (row,) = checks.run(yard.order((subject,), NAMES, environment=lean))["main"]
    assert row.reason == "before: ruff is not installed in the patch's environment"


def test_a_tool_that_hangs_is_ended_at_the_deadline_and_said_so(yard: Yard) -> None:
    hanging = environment(script(yard.root / "python", f"echo $$ >> {yard.root}/pids\nsleep 60"))
    subject = yard.subject({FILE: CLEAN}, {FILE: CLEAN})
    (row,) = checks.run(yard.order((subject,), NAMES, environment=hanging, deadline=0.5))["main"]
    assert row.reason == "before: ruff did not end within 0.5 s"
    assert checks.idle(NAMES, row)
    for pid in (yard.root / "pids").read_text().split():
        assert not Path("/proc", pid).exists()


def test_an_interrupt_ends_the_tools_and_leaves_nothing_in_the_cache(yard: Yard) -> None:
    hanging = environment(script(yard.root / "python", f"echo $$ >> {yard.root}/pids\nsleep 60"))
    subject = yard.subject({FILE: CLEAN}, {FILE: CLEAN})
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        checks.run(yard.order((subject,), NAMES, environment=hanging))
    assert time.monotonic() - began < 30
    for pid in (yard.root / "pids").read_text().split():
        assert not Path("/proc", pid).exists()
    assert not (yard.root / "cache").exists()


def test_settings_that_break_a_tool_on_one_target_leave_the_others_alone(yard: Yard) -> None:
    broken = {"pyproject.toml": '[tool.black]\nrequired-version = "1"\n[tool.ruff]\nwrong = 1\n'}
    good = yard.subject({FILE: CLEAN}, {FILE: CLEAN + "x = [1,2]\n"}, SETTINGS)
    bad = yard.subject({FILE: CLEAN}, {FILE: CLEAN}, broken, name="odd")
    asked = [Check(id=tool, tool=tool, args=ARGS.get(tool, ())) for tool in ("black", "ruff")]
    found = checks.run(yard.order((good, bad), *asked))
    assert [row.reason for row in found["odd"]] == [
        "before: black broke off with exit code 1",
        "before: ruff broke off with exit code 2",
    ]
    assert [bool(row.reason) for row in found["main"]] == [False, False]
    assert checks.new(found["main"][0])


HOOK = "open({marker!r}, 'w')"
HOSTILE = """[MAIN]
init-hook={hook}
load-plugins=pylint.extensions.bad_builtin,evil
output-format=evil.Reporter
evaluation={hook}
source-roots=shop
max-args=--init-hook={hook}
disable=all
enable=C0301
max-line-length=60
"""


@pytest.mark.parametrize("name", [".pylintrc", "setup.cfg", "pyproject.toml"])
def test_hostile_settings_of_pylint_run_nothing_and_the_row_says_what_was_left_out(
    yard: Yard, name: str
) -> None:
    marker = str(yard.root / "ran")
    text = HOSTILE.format(hook=HOOK.format(marker=marker))
    if name == "pyproject.toml":
        lines = (line.partition("=") for line in text.splitlines()[1:])
        text = "[tool.pylint.main]\n" + "".join(f'{key} = "{value}"\n' for key, _, value in lines)
    hostile = {name: text.replace("[MAIN]", "[pylint.MAIN]")}
    evil = f"open({marker!r}, 'w')\n"
    subject = yard.subject({FILE: CLEAN, "shop/evil.py": evil}, {FILE: LONG, "shop/evil.py": evil}, hostile)
    (row,) = checks.run(yard.order((subject,), Check(id="pylint", tool="pylint")))["main"]
    assert not row.reason
    assert not Path(marker).exists()
    assert row.before[-1].endswith(
        ": evaluation, init-hook, max-args, output-format, source-roots, load-plugins=evil"
    )
    assert [one for one in checks.new(row) if "C0301" in one]


def test_tools_see_no_variable_of_ours(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GH_TOKEN", "secret")
    spy = environment(script(yard.root / "python", f"env > {yard.root}/env; echo '[]'"))
    subject = yard.subject({FILE: CLEAN}, {FILE: CLEAN})
    checks.run(yard.order((subject,), NAMES, environment=spy))
    assert "secret" not in (yard.root / "env").read_text()


def gone(yard: Yard) -> Environment:
    return environment(yard.root / "no-such-python")


def test_unchanged_files_under_unchanged_settings_start_no_process_again(yard: Yard) -> None:
    subject = yard.subject({FILE: defect(CLEAN)}, {FILE: CLEAN}, SETTINGS)
    first = checks.run(yard.order((subject,), ARG, PYLINT))
    again = yard.order((subject,), ARG, PYLINT, environment=gone(yard))
    assert checks.run(again) == first
    with pytest.raises(BotError, match="not installed"):
        checks.run(msgspec.structs.replace(again, fresh=True))


@pytest.mark.parametrize(
    "change",
    [
        lambda yard: yard.subject({FILE: defect(CLEAN)}, {FILE: LONG}, SETTINGS),
        lambda yard: yard.subject(
            {FILE: defect(CLEAN)}, {FILE: CLEAN}, {".pylintrc": PYLINTRC + "max-args=3\n"}
        ),
    ],
    ids=["another file", "other settings"],
)
def test_what_changed_is_run_again(yard: Yard, change: Callable[[Yard], Subject]) -> None:
    subject = yard.subject({FILE: defect(CLEAN)}, {FILE: CLEAN}, SETTINGS)
    checks.run(yard.order((subject,), PYLINT))
    with pytest.raises(BotError, match="not installed"):
        checks.run(yard.order((change(yard),), PYLINT, environment=gone(yard)))


def test_a_damaged_file_in_the_cache_counts_as_nothing(yard: Yard) -> None:
    subject = yard.subject({FILE: defect(CLEAN)}, {FILE: CLEAN})
    first = checks.run(yard.order((subject,), ARG))
    for stored in (yard.root / "cache").rglob("*.json"):
        stored.write_text("{")
    assert checks.run(yard.order((subject,), ARG)) == first


def test_pylint_sees_no_package_of_the_environment_but_its_own(yard: Yard) -> None:
    seen = f"from msgspec import nothing\nfrom tomlkit import nothing\n{CLEAN}"
    check = Check(
        id="pylint", tool="pylint", args=("--disable=all", "--enable=import-error,no-name-in-module")
    )
    row = yard.check(check, CLEAN, seen)
    assert [one.partition(": ")[2] for one in row.after] == [
        "E0401 import-error: Unable to import 'msgspec'",
        "E0611 no-name-in-module: No name 'nothing' in module 'tomlkit'",
    ]


@pytest.mark.parametrize(
    ("settings", "text", "left_out"),
    [
        ({}, "", ()),
        ({"setup.cfg": "[flake8]\nmax-line-length = 3\n"}, "", ()),
        ({"pyproject.toml": "", "setup.cfg": "[pylint.x]\nmax-args = 3\n"}, '"max-args" = "3"', ()),
        ({".pylintrc": "[A]\ndisable =\n  C0114,  # why\n  C0115\n"}, '"disable" = "\\nC0114,\\nC0115"', ()),
        ({"pylintrc": "[A]\nmax-args=1\n", ".pylintrc": "[A]\nmax-args=2\n"}, '"max-args" = "1"', ()),
        ({".pylintrc": "[A]\nignore-paths=tests,a/b\n"}, '"ignore-paths" = "ROOT/tests,ROOT/a/b"', ()),
        ({".pylintrc": "[A]\njobs=9\n"}, "", ("jobs",)),
        ({"pyproject.toml": '[tool.pylint]\nmax-args = 3\nenable = ["a", "b"]\n'},
         '"max-args" = "3"\n"enable" = "a,b"', ()),
    ],
)  # fmt: skip
def test_the_first_settings_that_speak_of_pylint_are_rewritten_as_data(
    settings: Files, text: str, left_out: tuple[str, ...]
) -> None:
    written = rcfile.rewrite({name: body.encode() for name, body in settings.items()}, "ROOT/")
    assert written.text == "[tool.pylint.main]\n" + (f"{text}\n" if text else "")
    assert (written.left_out, written.problem) == (left_out, "")


def test_settings_of_pylint_that_cannot_be_read_are_a_reason(yard: Yard) -> None:
    row = yard.check(PYLINT, CLEAN, CLEAN, {".pylintrc": "max-args=3\n"})
    assert row.reason == "upstream's settings of pylint cannot be read"
