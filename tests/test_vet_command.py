"""`vet`: what it takes, and whose rules it reads a pull request by."""

from pathlib import Path

import pytest

from bot import cli
from bot.cli import vetting
from bot.errors import BotError
from bot.model.patch import Vetting

PATCHES = Path(__file__).parents[1] / "patches"


@pytest.mark.parametrize(
    "words",
    [["--repo", "../x", "--pr", "1"], ["--repo", "O/R", "--pr", "0"], ["--repo", "O/R", "--pr", "٣"], []],
)
def test_what_names_no_pull_request_is_a_usage_error(words: list[str]) -> None:
    with pytest.raises(BotError):
        cli.main(["vet", *words])


def test_the_rules_are_those_of_the_patch_for_that_repository() -> None:
    assert vetting.rules_of(PATCHES, "nvidia/megatron-lm", 1).ask == "@NVIDIA/mcore-oncall"
    assert vetting.rules_of(PATCHES, "else/where", 1) == Vetting()


def test_where_there_are_no_patches_any_pull_request_can_be_looked_at(tmp_path: Path) -> None:
    assert vetting.rules_of(tmp_path / "none", "NVIDIA/Megatron-LM", 1) == Vetting()
