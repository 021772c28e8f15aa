"""The command line as programs and people meet it: what it prints where, and what it loads for that."""

import json
import os
import pty
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from bot import cli
from tests.conftest import Done, Workshop

#: Packages that cost a second, or belong to the code under test: `--help` must never wait for them.
HEAVY = {"yaml", "rich", "pypi_simple", "requests", "numpy", "torch", "triton", "github", "pytest"}
#: Packages of the code under test and of other commands: the process of the bot never needs them to prove.
FOREIGN = {"torch", "numpy", "triton", "transformer_engine", "pytest", "github", "requests", "pypi_simple"}
LOADED = """
import sys
from bot import __main__
sys.argv = ["upstream-bot", *sys.argv[1:]]
try:
    code = __main__.main()
except SystemExit as stop:
    code = stop.code
print(code, *sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
"""
ESCAPE = "\x1b["


def loaded(workshop: Workshop, *args: str) -> set[str]:
    """Run the command line in its own process, which must end well; return what it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *args],
        cwd=workshop.root,
        env=os.environ | {"UPSTREAM_BOT_CACHE": str(workshop.cache)} | workshop.env,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    code, *names = done.stderr.split()
    assert code in ("0", "None"), done.stderr
    return set(names)


def on_terminal(workshop: Workshop, stream: str, *args: str, **env: str) -> tuple[str, Done]:
    """Run with `stream` ("stdout" or "stderr") on a pseudo-terminal; return what it showed, and the rest."""
    ours, theirs = pty.openpty()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {stream: theirs}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *args],
        cwd=workshop.root,
        env=os.environ
        | {"UPSTREAM_BOT_CACHE": str(workshop.cache), "TERM": "xterm", "COLUMNS": "100"}
        | workshop.env
        | env,
        stdin=subprocess.DEVNULL,
        stdout=streams["stdout"],
        stderr=streams["stderr"],
        text=True,
    )
    os.close(theirs)
    shown = read_terminal(ours)
    out, err = process.communicate(timeout=60)
    return shown, Done(code=process.returncode, out=out or "", err=err or "")


def read_terminal(descriptor: int) -> str:
    """Read to the end, which Linux reports as an error once the other side is closed."""
    shown = b""
    with os.fdopen(descriptor, "rb", buffering=0) as terminal:
        while True:
            try:
                piece = terminal.read(65_536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    return shown.decode()


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's wishes about colours, as continuous integration likes to have them."""
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def test_the_version_is_the_distributions(workshop: Workshop) -> None:
    done = workshop.run("--version")
    assert (done.code, done.out) == (0, f"upstream-bot {metadata.version('upstream-bot')}\n")


@pytest.mark.parametrize("args", [("--help",), ("--version",), ("proove",), ()])
def test_the_installed_command_and_the_module_are_one(workshop: Workshop, args: tuple[str, ...]) -> None:
    script = Path(sys.executable).parent / "upstream-bot"
    if not script.exists():
        pytest.skip("upstream-bot is not installed beside this interpreter")
    done = subprocess.run([script, *args], cwd=workshop.root, capture_output=True, text=True, check=False)
    module = workshop.run(*args)
    assert (done.returncode, done.stdout, done.stderr) == (module.code, module.out, module.err)


@pytest.mark.parametrize("command", ["", *(command.name for command in cli.COMMANDS)])
def test_help_loads_nothing_heavy(workshop: Workshop, command: str) -> None:
    names = loaded(workshop, *filter(None, [command]), "--help")
    assert "argparse" in names
    assert names.isdisjoint(HEAVY)


def test_proving_what_is_cached_loads_nothing_of_the_code_under_test(workshop: Workshop) -> None:
    workshop.patch()
    assert workshop.prove("--branch", "main").code == 0
    again = ("prove", "till", f"--upstream={workshop.upstream}", "--branch=main", "--no-controls", "--json")
    assert loaded(workshop, *again).isdisjoint(FOREIGN | {"rich"})


def test_an_option_is_never_guessed_from_its_beginning(workshop: Workshop) -> None:
    done = workshop.run("prove", "till", "--bran", "main")
    assert (done.code, done.out) == (2, "")
    assert "--bran" in done.err


def test_json_is_one_document_the_one_in_the_file_and_nothing_else_is_said(workshop: Workshop) -> None:
    workshop.patch()
    done = workshop.prove("--branch", "main", "--out", "evidence.json")
    _, end = json.JSONDecoder().raw_decode(done.out)
    assert done.out[end:].strip() == ""
    assert done.err == ""
    assert json.loads((workshop.root / "evidence.json").read_bytes()) == done.json
    replayed = workshop.run("replay", "evidence.json", f"--upstream={workshop.upstream}", "--json")
    assert replayed.json["id"] == done.json["id"]
    assert replayed.err == "every verdict holds\n"


def test_progress_is_drawn_on_a_terminal_and_leaves_stdout_alone(workshop: Workshop) -> None:
    workshop.patch()
    prove = ("prove", "till", f"--upstream={workshop.upstream}", "--branch=main", "--no-controls", "--json")
    shown, done = on_terminal(workshop, "stderr", *prove)
    assert ESCAPE in shown
    assert "/" in shown, "how much of how much is done"
    assert done.json["targets"][0]["verdict"] == "cured_uncontrolled"
    assert ESCAPE not in done.out


def test_a_report_has_colours_on_a_terminal_only_and_says_the_same_everywhere(workshop: Workshop) -> None:
    workshop.patch()
    proved = workshop.run(
        "prove", "till", f"--upstream={workshop.upstream}", "--branch=main", "--no-controls", "--out=e.json"
    )
    assert proved.code == 0, proved.err
    assert ESCAPE not in proved.out
    assert workshop.run("report", "e.json").out == proved.out, "made from the evidence alone"
    assert "till v1: 1 cured_uncontrolled" in proved.out
    shown, done = on_terminal(workshop, "stdout", "report", "e.json")
    assert (done.code, done.err) == (0, "")
    assert ESCAPE in shown
    bare, _ = on_terminal(workshop, "stdout", "report", "e.json", TERM="dumb")
    assert ESCAPE not in bare
    markdown, _ = on_terminal(workshop, "stdout", "report", "e.json", "--format=markdown")
    assert ESCAPE not in markdown
    assert "### What was not run" in markdown


def test_a_reader_that_has_seen_enough_is_no_bug(workshop: Workshop) -> None:
    workshop.patch()
    assert workshop.prove("--branch", "main", "--out", "e.json").code == 0
    process = workshop.start("report", "e.json", "--format", "markdown")
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=20), complaint) == (1, "")


def test_patches_are_listed_from_the_working_directory_or_wherever_they_are_said_to_be(
    workshop: Workshop,
) -> None:
    workshop.patch()
    line = "till  v1  keep the amount when there is no rate\n"
    assert workshop.run("patches").out == line
    workshop.patches.rename(workshop.root / "elsewhere")
    assert workshop.run("patches", "--patches", "elsewhere").out == line
    assert workshop.run("patches", UPSTREAM_BOT_PATCHES="elsewhere").out == line
    assert workshop.run("patches", "--patches", "elsewhere", UPSTREAM_BOT_PATCHES="nowhere").out == line


def test_an_environment_that_is_there_is_described(workshop: Workshop) -> None:
    workshop.patch()
    for args in (["env", "till", "--check"], ["env", "till"]):
        done = workshop.run(*args)
        assert done.code == 0
        assert f"pytest {metadata.version('pytest')}" in done.out
