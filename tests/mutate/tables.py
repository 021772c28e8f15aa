"""Mutations of the tables, made from the tables themselves: a new rule is covered without a word here."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tests.mutate.mutation import ROOT, Mutation


@dataclass(frozen=True, kw_only=True)
class Table:
    """The tuple `RULES` of a file: pairs of a word and a rule. `never` is a rule that never holds."""

    what: str
    file: str
    never: str
    tests: tuple[str, ...]


TABLES = (
    Table(
        what="state",
        file="bot/survey/decide.py",
        never='lambda _facts: ""',
        tests=("tests/survey/test_decide.py",),
    ),
    Table(
        what="verdict",
        file="bot/proof/verdict/__init__.py",
        never="lambda _record: None",
        tests=("tests/proof/test_verdict.py",),
    ),
)


def mutations() -> Iterator[Mutation]:
    for table in TABLES:
        yield from switched_off(table)


def switched_off(table: Table) -> Iterator[Mutation]:
    """Each rule of a table in turn never holds; its row stays, so that no test of the list alone notices."""
    text = (ROOT / table.file).read_text(encoding="utf-8")
    for row in rows(text):
        word, rule = (ast.unparse(part) for part in row.elts)
        yield Mutation(
            name=f"{table.what} {word.partition('.')[2].lower()}",
            file=table.file,
            old=f"({word}, {rule})",
            new=f"({word}, {table.never})",
            tests=table.tests,
        )


def rows(text: str) -> Iterator[ast.Tuple]:
    """The rows of the tuple that is called RULES."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "RULES":
            assert isinstance(node.value, ast.Tuple)
            for row in node.value.elts:
                assert isinstance(row, ast.Tuple)
                yield row
