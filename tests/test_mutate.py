"""The list of `make mutate` fits the sources: each place is there, each table and each file is covered."""

from collections import Counter
from pathlib import Path

import pytest

from bot.proof import verdict
from bot.survey import decide
from tests.mutate.__main__ import every
from tests.mutate.mutation import ROOT, Mutation
from tests.mutate.tables import mutations

EVERY = every()
CHILD = ROOT / "bot" / "proof" / "child"
#: Files of the child that hold plain values, or do their work without a check of their own.
NO_CHECK = {
    *("__init__", "__main__", "job", "launchers", "fake", "gloo", "nccl", "torchrun", "worker"),
    *("server", "pages", "compile"),
}


@pytest.mark.parametrize("mutation", EVERY, ids=lambda mutation: mutation.name)
def test_the_place_is_there_once_and_its_tests_are_there(mutation: Mutation) -> None:
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert mutation.applied(text) != text
    for test in mutation.tests:
        path, _, name = test.partition("::")
        assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8")


def test_every_row_of_both_tables_is_switched_off() -> None:
    rows = Counter(mutation.name.split()[0] for mutation in mutations())
    assert rows == {"state": len(decide.RULES), "verdict": len(verdict.RULES)}


def test_no_two_mutations_have_one_name() -> None:
    assert not [name for name, count in Counter(one.name for one in EVERY).items() if count > 1]


@pytest.mark.parametrize("path", sorted(CHILD.glob("*.py")), ids=lambda path: path.stem)
def test_every_file_of_the_child_has_a_check_that_is_switched_off(path: Path) -> None:
    covered = {Path(mutation.file).stem for mutation in EVERY if mutation.file.startswith("bot/proof/child/")}
    assert (path.stem in covered) != (path.stem in NO_CHECK)
