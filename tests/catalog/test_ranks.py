"""Which ranks a declaration covers."""

import pytest

from bot.catalog import ranks
from bot.errors import BotError


@pytest.mark.parametrize(
    ("written", "world", "covered"),
    [
        ("all", 3, (0, 1, 2)),
        ("0", 1, (0,)),
        ("1-3", 4, (1, 2, 3)),
        ("2-2", 4, (2,)),
        (("0", "2-3"), 4, (0, 2, 3)),
        (("0", "0"), 1, (0, 0)),
        ((), 2, ()),
    ],
)
def test_ranks_are_expanded_in_the_order_they_are_written(
    written: str | tuple[str, ...], world: int, covered: tuple[int, ...]
) -> None:
    assert ranks.expand(written, world) == covered


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("2", "rank 2 is outside a world of 2"),
        ("0-999999", "rank 999999 is outside a world of 2"),
        ("1-0", "the span 1-0 runs backwards"),
        ("first", "'first' is no rank"),
        ("-1", "'-1' is no rank"),
        ("", "'' is no rank"),
    ],
)
def test_what_is_no_rank_of_the_world_is_an_error(written: str, sentence: str) -> None:
    with pytest.raises(BotError) as caught:
        ranks.expand(written, 2)
    assert caught.value.message == sentence
    assert caught.value.hint
