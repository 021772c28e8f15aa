"""The report on a terminal: what it shows, colour only there, and hostile text."""

# ruff: noqa: RUF001 (the report's own signs)

import io
import re
from collections.abc import Callable

import msgspec
import pytest
from rich.console import Console

from bot.model import ControlRow, Evidence, Kind, Outcome, TargetEvidence, Verdict
from bot.report import FORMATS, Context, sentences
from bot.report.markdown import render as markdown
from bot.report.text import render


def printed(
    evidence: Evidence, *, colour: bool = False, width: int = 100, context: Context | None = None
) -> str:
    out = io.StringIO()
    render(evidence, Console(file=out, force_terminal=colour, width=width, highlight=False), context)
    return out.getvalue()


def test_a_row_for_each_target_then_before_and_after_for_each_rank(small: Evidence) -> None:
    text = printed(small, context=Context(title="Keep it", replay="upstream-bot replay e.json"))
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[:2] == ["make-weakref v1: 1 proven, 1 not_applicable", "Keep it"]
    told = [line.split() for line in lines if line.startswith(" pypi/")]
    assert told == [
        ["pypi/0.19.2", "applies_exact", "✅", "proven", "1/1", "1/1", "8", "s"],
        ["pypi/0.18.0", "not_affected_yet", "➖", "not_applicable", "0", "s"],
    ]
    assert lines[lines.index("pypi/0.19.2: proven") :] == [
        "pypi/0.19.2: proven",
        "  every probe fails before and passes after; 1 of 1 probes proven",
        "  probe handler rank 0: NameError ×3 → pass ×3",
        "  probe handler rank 1: UnboundLocalError ×3 → pass ×3",
        "  keep-test happy-path rank 0: pass ×3 → pass ×3",
        "  hazard no-group rank 0: ValueError ×3 → ValueError ×3",
        "  control sham: 1 of 1 held",
        "  control mutant: 1 of 1 held",
        "",
        "pypi/0.18.0: not_applicable",
        "  not_affected_yet: the anchor is absent",
        f"  {sentences.VERDICTS[Verdict.NOT_APPLICABLE]}",
        "",
        f"evidence {small.id}",
        "again: upstream-bot replay e.json",
    ]


def test_a_red_target_says_why_in_the_rule_s_words_and_in_plain_ones(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    control = ControlRow(kind="mutant", what="outdented", held=False)
    red = target(verdict=Verdict.WEAK_TESTS, reason="mutant 'outdented' did not hold", controls=(control,))
    text = printed(evidence_of(red))
    assert "❌ weak_tests" in text
    assert "  mutant 'outdented' did not hold" in text
    assert f"  {sentences.VERDICTS[Verdict.WEAK_TESTS]}" in text
    assert "  control failed: mutant: outdented" in text


def test_runs_and_ranks_are_joined_and_mixed_runs_counted(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    crash = Outcome(outcome=Kind.CRASH, signal=11)
    plain = target().probes[0]
    row = msgspec.structs.replace(plain, after=(plain.after[0], plain.after[0], crash))
    rows = tuple(msgspec.structs.replace(row, rank=rank, world=4) for rank in range(4))
    text = printed(evidence_of(target(probes=rows, verdict=Verdict.INCONCLUSIVE)))
    assert "  probe handler ranks 0 to 3: NameError ×3 → pass ×2, crash (signal 11) ×1" in text


def test_what_came_from_the_cache_says_so(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    assert "cached" in printed(evidence_of(target(cached=True)))


def test_colour_is_for_terminals_only(small: Evidence) -> None:
    assert "\x1b[" in printed(small, colour=True)
    assert "\x1b" not in printed(small)


@pytest.mark.parametrize("width", [20, 40, 100])
def test_v29_hostile_text_neither_steers_the_terminal_nor_the_runner(hostile: Evidence, width: int) -> None:
    text = printed(hostile, width=width)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff]", text)
    assert not re.search(r"^\s*::|##\[", text, re.MULTILINE)


def test_v29_markup_in_foreign_text_is_printed_as_it_is(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    text = printed(
        evidence_of(target(name="[red]x[/red] [/] :boom:", reason="[link=x]y[/link]")), colour=True
    )
    assert "[red]x[/red]" in text
    assert "[link=x]y[/link]" in text
    assert "\x1b]8" not in text


def test_a_format_is_one_row_that_writes_to_a_stream(small: Evidence) -> None:
    assert list(FORMATS) == ["text", "markdown"]
    out = io.StringIO()
    FORMATS["markdown"](small, Context(), out)
    assert out.getvalue() == markdown(small, Context())
    plain = io.StringIO()
    FORMATS["text"](small, Context(), plain)
    assert plain.getvalue().startswith("make-weakref v1: 1 proven")
