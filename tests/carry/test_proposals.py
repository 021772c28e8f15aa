"""Names of proposals: what people type, what is looked up, and what evidence is called by."""

from typing import TYPE_CHECKING

import pytest

from bot import upstream
from bot.carry import proposals
from bot.errors import BotError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Workshop


@pytest.mark.parametrize(
    ("asked", "full"),
    [
        ("7155", "refs/pull/7155/head"),
        ("#7155", "refs/pull/7155/head"),
        ("pull/7155", "refs/pull/7155/head"),
        ("pull/7155/head", "refs/pull/7155/head"),
        ("refs/pull/7155/head", "refs/pull/7155/head"),
        ("refs/pull/7155/merge", "refs/pull/7155/merge"),
        ("refs/heads/7155", "refs/heads/7155"),
        ("fix/7155", "refs/heads/fix/7155"),
        ("pull-request/7155", "refs/heads/pull-request/7155"),
        ("\N{ARABIC-INDIC DIGIT SEVEN}", "refs/heads/\N{ARABIC-INDIC DIGIT SEVEN}"),
        ("7155\n", "refs/heads/7155\n"),
        ("-7155", "refs/heads/-7155"),
        ("", "refs/heads/"),
    ],
)
def test_a_number_is_a_pull_request_and_everything_else_a_ref(asked: str, full: str) -> None:
    assert proposals.full_name(asked) == full


def source(workshop: "Workshop", cache: "Path") -> upstream.Upstream:
    return upstream.open_upstream(str(workshop.upstream), cache=cache, notice=lambda _: None)


def test_each_proposal_is_found_once_in_the_order_asked_and_by_its_short_name(
    workshop: "Workshop", tmp_path: "Path"
) -> None:
    main = workshop.commit("main", {"a": "1\n"})
    head = workshop.commit("topic/x", {"a": "2\n"})
    workshop.git("update-ref", "refs/pull/7/head", head)
    workshop.git("tag", "--annotate", "--message=t", "v1", head)
    asked = ("topic/x", "#7", "refs/tags/v1", "7", head.upper(), "refs/heads/topic/x")
    base, found = proposals.find(source(workshop, tmp_path / "cache"), "refs/heads/main", asked)
    assert (base.name, base.head) == ("main", main)
    assert [ref.name for ref in found] == ["topic/x", "pull/7", "refs/tags/v1", head]
    assert {ref.head for ref in found} == {head}


def test_a_branch_that_is_called_like_a_pull_request_keeps_its_full_name(
    workshop: "Workshop", tmp_path: "Path"
) -> None:
    head = workshop.commit("main", {"a": "1\n"})
    for full in ("refs/heads/pull/7", "refs/heads/7", "refs/pull/7/head"):
        workshop.git("update-ref", full, head)
    asked = ("refs/heads/pull/7", "refs/heads/7", "pull/7")
    _, found = proposals.find(source(workshop, tmp_path / "cache"), "main", asked)
    assert [ref.name for ref in found] == list(asked)


@pytest.mark.parametrize(
    ("asked", "base", "sentence"),
    [
        ("8", "main", "does not show the pull request 8"),
        ("tpoic", "main", "no branch 'tpoic'"),
        ("topic", "mian", "no branch 'mian'"),
        ("topic", "refs/tags/main", "no branch 'refs/tags/main'"),
        ("f" * 40, "main", "no commit f"),
        ("to*", "main", "is a pattern"),
        ("topic", "ma[i]n", "is a pattern"),
    ],
)
def test_what_names_no_single_thing_is_refused(
    workshop: "Workshop", tmp_path: "Path", asked: str, base: str, sentence: str
) -> None:
    workshop.commit("main", {"a": "1\n"})
    workshop.commit("topic", {"a": "2\n"})
    with pytest.raises(BotError, match=sentence.replace("(", r"\(")) as raised:
        proposals.find(source(workshop, tmp_path / "cache"), base, (asked,))
    assert raised.value.hint
