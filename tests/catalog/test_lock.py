"""The lock of an environment: what it takes, and what meets it."""

from pathlib import Path

import pytest

from bot.catalog import lock
from bot.errors import BotError, Exit

REAL = Path(__file__).parents[2] / "patches" / "make-weakref" / "requirements.txt"


def written(folder: Path, text: str) -> Path:
    path = folder / "requirements.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_names_are_normalised_and_comments_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "# a lock\n\nTyping_Extensions==4.16.0  # why\ntorch == 2.13.0\n")
    assert lock.read(path) == {"typing-extensions": "4.16.0", "torch": "2.13.0"}


@pytest.mark.parametrize(
    "line",
    [
        "torch", "torch>=2", "torch==2.*", "torch===2.13.0", "torch==2,==2.0", "torch[cuda]==2.13.0",
        "torch==2.13.0; python_version > '3'", "torch @ https://example.invalid/t.whl", "-r other.txt",
        "torch==2.13.0 --hash=sha256:00", "https://example.invalid/t.whl", "TORCH==1\ntorch==2",
    ],
)  # fmt: skip
def test_anything_but_an_exact_pin_names_its_line(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"numpy==2.4.6\n{line}\n")
    with pytest.raises(BotError) as caught:
        lock.read(path)
    assert caught.value.message.startswith(f"{path} line {2 + line.count(chr(10))}: ")
    assert caught.value.code == Exit.USAGE


def test_a_missing_lock_is_named(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"requirements\.txt cannot be read"):
        lock.read(tmp_path / "requirements.txt")


@pytest.mark.parametrize(
    ("installed", "missing"),
    [
        ({"torch": "2.13.0"}, ()),
        ({"Torch": "2.13.0+cpu"}, ()),
        ({"torch": "2.13"}, ()),
        ({"torch": "2.13.0rc1"}, ("torch==2.13.0",)),
        ({"torch": "2.12.0"}, ("torch==2.13.0",)),
        ({"torch": "no version"}, ("torch==2.13.0",)),
        ({}, ("torch==2.13.0",)),
    ],
)
def test_versions_are_compared_as_pip_compares_them(
    installed: dict[str, str], missing: tuple[str, ...]
) -> None:
    assert lock.unsatisfied({"torch": "2.13.0"}, installed) == missing


def test_the_real_lock_pins_everything_the_probes_import() -> None:
    pins = lock.read(REAL)
    assert {"torch", "triton", "numpy", "packaging", "pytest", "transformer-engine"} <= set(pins)
    assert pins["torch"] == "2.13.0"
