"""A patched module finds beside it what lies beside it upstream: data, modules and folders."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.conftest import BROKEN, CURED

if TYPE_CHECKING:
    from tests.conftest import Workshop

LOOKS = """from pathlib import Path

NEAR = Path(__file__).parent
WORDS = (NEAR / "words.txt").read_text()
assert (NEAR / "deep" / "more.txt").is_file()
assert (NEAR.parent / "top.txt").is_file()
"""
FILES = {"shop/words.txt": "a\n", "shop/deep/more.txt": "b\n", "top.txt": "c\n"}


@pytest.mark.parametrize("separate", [True, False])
def test_the_real_neighbours_are_there_on_both_sides(workshop: "Workshop", *, separate: bool) -> None:
    workshop.commit("main", FILES, "data")
    environment = {"checkout": ["shop", "top.txt"], "imports": ["shop.till"]}
    workshop.patch(before=LOOKS + BROKEN, after=LOOKS + CURED, environment=environment)
    done = workshop.prove("--branch", "main", *(["--separate"] if separate else []))
    (target,) = json.loads(done.out)["targets"]
    assert (target["verdict"], done.code) == ("cured_uncontrolled", 0), target["reason"]
