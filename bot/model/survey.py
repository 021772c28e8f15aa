"""A whole survey with the contract's names (DESIGN 5), and the other proposals that it found."""

from bot.model.patch import Value
from bot.model.target import Row

SURVEY_SCHEMA = "upstream-bot/survey/1"


class Broken(Value, frozen=True, kw_only=True):
    """A branch that is not what the manifest expects of it."""

    name: str
    expect: str
    state: str


class RivalRow(Value, frozen=True, kw_only=True):
    """Another proposal that changes what the patch changes; `when` is its head's date.

    `base` is the branch that it was compared with, `verdict` what the tests said of it ("" = not asked),
    `listed` whether the manifest names it, `merged` whether the base has it already.
    """

    ref: str
    number: int | None
    head: str
    base: str
    when: str
    relation: str
    listed: bool
    merged: bool = False
    verdict: str = ""
    detail: str = ""


class Survey(Value, frozen=True, kw_only=True):
    """`counts` by state, `seconds` of wall time; `rivals` is None where nobody looked for any."""

    schema: str
    patch: str
    version: str
    upstream: str
    seconds: float
    counts: dict[str, int]
    rows: tuple[Row, ...]
    broken: tuple[Broken, ...] = ()
    rivals: tuple[RivalRow, ...] | None = None
