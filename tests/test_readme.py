"""README.md says what the product says: help, tables, commands and the example manifest are compared."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot import cli, config, report
from bot.catalog import manifest
from bot.errors import Exit
from bot.model import PROVABLE, State, Verdict
from bot.report import sentences

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = ("", *(command.name for command in cli.COMMANDS))


def section(title: str) -> str:
    """Return the text below the heading `title`, up to the next one."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert found, f"README.md has no section {title!r}"
    return found[1]


def rows(title: str) -> list[list[str]]:
    """Return the cells of the first table of a section, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def words(title: str) -> list[str]:
    return [row[0].strip("`") for row in rows(title)]


def blocks(language: str, text: str = README) -> list[str]:
    """Return the fenced blocks of a language, without the indentation of the list they stand in."""
    found = re.finditer(rf"^( *)```{language}\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{match[1]}", "", match[2], flags=re.MULTILINE) for match in found]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_is_the_real_one(command: str) -> None:
    argv = [*filter(None, [command]), "--help"]
    done = subprocess.run(
        [sys.executable, "-m", "bot", *argv],
        env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    expected = f"$ {' '.join(['upstream-bot', *argv])}\n{done.stdout}"
    found = blocks("text", section("Help of every command"))
    assert expected in found, f"README.md should have this block:\n```text\n{expected}```"


def test_there_is_help_of_no_command_that_is_gone() -> None:
    shown = [block.splitlines()[0] for block in blocks("text", section("Help of every command"))]
    assert shown == [f"$ {' '.join(['upstream-bot', *filter(None, [name]), '--help'])}" for name in COMMANDS]


STATES = [f"| `{word}` | {sentences.STATES[word]} |" for word in State]
VERDICTS = [f"| `{word}` | {sentences.VERDICTS[word]} |" for word in Verdict]


@pytest.mark.parametrize(("title", "expected"), [("States", STATES), ("Verdicts", VERDICTS)])
def test_states_and_verdicts_are_told_in_the_reports_words(title: str, expected: list[str]) -> None:
    found = [line for line in section(title).splitlines() if line.startswith("| `")]
    assert found == expected, "README.md should have this table:\n" + "\n".join(expected)


def test_the_states_that_are_run_are_named() -> None:
    told = re.search(r"Only targets that are (.*?) are run", section("States"))
    assert told
    assert set(re.findall(r"`(\w+)`", told[1])) == PROVABLE


def test_exit_codes_formats_and_settings_are_all_there() -> None:
    assert words("Exit codes") == [str(code.value) for code in Exit]
    assert words("Commands") == list(report.FORMATS)
    ours = tuple(word for word in words("Settings") if word.startswith("UPSTREAM_BOT_"))
    assert ours == config.KNOWN


def test_every_command_has_an_example_or_is_shown_by_the_demo() -> None:
    text = "\n".join(blocks("sh", section("Commands") + section("Start")))
    used = set(re.findall(r"upstream-bot ([a-z]+)", text))
    assert used == set(COMMANDS) - {""}


@pytest.mark.parametrize("line", blocks("sh"), ids=lambda block: block.splitlines()[0])
def test_examples_use_options_that_there_are(line: str) -> None:
    for command, rest in re.findall(r"upstream-bot ([a-z]+)([^\n#]*)", line):
        options = set(re.findall(r"--[a-z-]+", rest))
        assert options <= set(re.findall(r"--[a-z-]+", help_of(command))), command


def help_of(command: str) -> str:
    (block,) = [text for text in blocks("text") if text.startswith(f"$ upstream-bot {command} --help\n")]
    return block


def test_the_plain_commands_are_exactly_those_of_the_makefile() -> None:
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    done = subprocess.run(
        ["make", "--no-print-directory", "--always-make", "--dry-run", "demo", "test", "lint"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    made = [line for line in done.stdout.splitlines() if not line.startswith("touch ")]
    told = "".join(blocks("sh", section("Start"))[1:])
    assert told.splitlines() == made


def test_the_example_manifest_is_a_good_one(tmp_path: Path) -> None:
    (text,) = blocks("yaml")
    (tmp_path / "till").mkdir()
    (tmp_path / "till" / "patch.yml").write_text(text, encoding="utf-8")
    read = manifest.read(tmp_path / "till" / "patch.yml")
    assert [test.id for test in (*read.probes, *read.keep)] == ["amount-is-kept", "known-rate"]


def test_the_places_it_names_are_there() -> None:
    places = re.findall(r"`((?:bot|tests|patches)/[\w./<>-]*|\w+\.md)`", section("Where things go"))
    assert places
    assert not [place for place in places if not (ROOT / place.replace("<id>", "make-weakref")).exists()]


def test_every_room_has_a_place_in_the_table() -> None:
    rooms = {
        path.name for path in (ROOT / "bot").iterdir() if path.is_dir() and (path / "__init__.py").is_file()
    }
    named = set(re.findall(r"`bot/(\w+)/`", section("Where things go")))
    assert named == rooms


def test_links_lead_somewhere() -> None:
    headings = {anchor(title) for title in re.findall(r"^#+ (.+)$", README, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in headings
        elif "://" not in target:
            assert (ROOT / target).exists(), target


def anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
