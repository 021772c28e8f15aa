"""Evidence values that the tests of all formats share."""

from collections.abc import Callable
from typing import Any

import pytest

from bot import model
from bot.model import (
    EVIDENCE_SCHEMA,
    ControlRow,
    Evidence,
    Kind,
    Outcome,
    State,
    TargetEvidence,
    Verdict,
)
from bot.proof import evidence

PASS = Outcome(outcome=Kind.PASS, seconds=0.5)
DEFECT = Outcome(
    outcome=Kind.FAIL,
    exception="NameError",
    message="name 'arg' is not defined",
    function="make_weakref",
    seconds=0.5,
)
OTHER = Outcome(outcome=Kind.FAIL, exception="UnboundLocalError", message="'wr'", function="make_weakref")
NO_GROUP = Outcome(outcome=Kind.FAIL, exception="ValueError", message="no process group")
HELD = (
    ControlRow(kind="sham", what="a comment-only change", held=True),
    ControlRow(kind="mutant", what="`wr = ten` one level out", held=True, noticed_by=("happy-path",)),
)


def a_row(name: str, before: Outcome, after: Outcome, rank: int = 0) -> model.TestRow:
    return model.TestRow(
        id=name, rank=rank, world=2, launcher="fake", required=True, before=(before,) * 3, after=(after,) * 3
    )


def a_target(**changed: Any) -> TargetEvidence:
    plain: dict[str, Any] = {
        "kind": "branch",
        "name": "pypi/0.19.2",
        "head": "d98e8a64ddf34856e74b24714e3bedb2f5a39553",
        "base_commit": None,
        "before_tree": None,
        "after_tree": None,
        "state": State.APPLIES_EXACT,
        "verdict": Verdict.PROVEN,
        "reason": "every probe fails before and passes after; 1 of 1 probes proven",
        "cached": False,
        "probes": (a_row("handler", DEFECT, PASS), a_row("handler", OTHER, PASS, rank=1)),
        "keep": (a_row("happy-path", PASS, PASS),),
        "hazards": (a_row("no-group", NO_GROUP, NO_GROUP),),
        "controls": HELD,
    }
    return TargetEvidence(**plain | changed)


def not_affected() -> TargetEvidence:
    return a_target(
        name="pypi/0.18.0",
        head=None,
        state=State.NOT_AFFECTED_YET,
        verdict=Verdict.NOT_APPLICABLE,
        reason="not_affected_yet: the anchor is absent",
        probes=(),
        keep=(),
        hazards=(),
        controls=(),
    )


def an_evidence(*targets: TargetEvidence, **changed: Any) -> Evidence:
    plain: dict[str, Any] = {
        "schema": EVIDENCE_SCHEMA,
        "id": "",
        "bot": "upstream-bot 0.1.0",
        "patch": "make-weakref",
        "version": "v1",
        "patch_sha256": "1" * 64,
        "probes_sha256": "2" * 64,
        "environment_sha256": "3" * 64,
        "upstream": "pypi:megatron-core",
        "runs": 3,
        "isolation": "none",
        "seconds": 12.5,
        "environment": {"python": "3.11.2", "packages": ["torch==2.13.0"]},
        "targets": targets,
    }
    return evidence.seal(Evidence(**plain | changed))


@pytest.fixture
def target() -> Callable[..., TargetEvidence]:
    """Build a proven target, but for what is changed."""
    return a_target


@pytest.fixture
def evidence_of() -> Callable[..., Evidence]:
    """Build sealed evidence of some targets."""
    return an_evidence


@pytest.fixture
def small() -> Evidence:
    """One target proven on two ranks, one that has nothing to cure."""
    return an_evidence(a_target(), not_affected())


#: Texts that upstream code, a branch name or a commit title could bring (V29).
HOSTILE = {
    "mention": "@octocat and @org/team, #5451, GH-12",
    "commands": "/ok to test 0123\n/bot apply\n> /OK to test\n- `/bot retry",
    "fence": "```\n~~~\n`",
    "html": "</details><!-- upstream-bot:report --><script>alert(1)</script><img src=x>",
    "table": "a | b\n|---|---|",
    "link": "[a](https://example.org) ![b](x) www.example.org <https://example.org>",
    "workflow": "::error::pwned\n::set-output name=x::y\n##[command]z",
    "ansi": "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J",
    "bidi": "a\u202eb\u2066c\u2069\u200b\ufeff",
    "markup": "[bold red]x[/bold red] [link=https://example.org]y[/link] :boom:",
    "control": "a\x00b\rc\x08d\x0b\u2028/ok to test",
    "mathematics": "$\\frac{a}{b}$ *b* _i_ ~~s~~ \\* &lt; # h",
}


def hostile_evidence(text: str) -> Evidence:
    """The same foreign text in every field that can hold one."""
    broken = Outcome(outcome=Kind.FAIL, exception=text, message=text, function=text, reason=text)
    idle = Outcome(outcome=Kind.SKIP, reason=text)
    bad = a_target(
        name=text,
        head=text,
        reason=text,
        verdict=Verdict.NOT_CURED,
        probes=(a_row(text, broken, broken), a_row("idle", idle, idle)),
        keep=(a_row(text, PASS, broken),),
        hazards=(a_row(text, broken, broken),),
        checks=(model.CheckRow(id=text, before=(), after=(text,)),),
        controls=(ControlRow(kind=text, what=text, held=False, noticed_by=(text,)),),
    )
    words = ("bot", "patch", "version", "patch_sha256", "environment_sha256", "upstream", "isolation")
    return an_evidence(bad, **dict.fromkeys(words, text), environment={text: [text], "python": text})


@pytest.fixture(params=HOSTILE)
def hostile(request: pytest.FixtureRequest) -> Evidence:
    """Evidence whose every text is hostile, one kind of hostility at a time."""
    return hostile_evidence(HOSTILE[request.param])
