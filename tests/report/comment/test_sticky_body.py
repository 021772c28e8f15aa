"""The sticky report: whole bodies, what is kept of earlier ones, the marker, limits and hostile text."""

# ruff: noqa: E501 (sentences as they are)

import re
import shlex
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import cli
from bot.github.vetting import decide
from bot.github.vetting.areas import touched
from bot.model import Evidence
from bot.model.hub import ChangedFile, Side
from bot.model.vetting import Area, Likeness, Offer, Standing
from bot.report import Context, sentences, standings, vetted
from bot.report.comment import LIMIT, Facts, Finished, Marker, compose, marker, newer, parse
from tests.github.vetting.sights import BASE, HEAD, NOW, OLD, US, a_comment, a_commit, a_pull, a_sight
from tests.report.comment import bodies
from tests.report.conftest import HOSTILE, a_target, an_evidence, hostile_evidence

MERGE, NEW = "d4" * 20, "e5" * 20
FILES = (
    ChangedFile(path="megatron/core/transformer/cuda_graphs.py", status="modified", additions=2, deletions=2),
)
COMMAND = re.compile(r"^[\s>*+\-`~.)\d|#]*/(ok|bot)\b", re.IGNORECASE | re.MULTILINE)
EVIDENCE = an_evidence(a_target(kind="proposal", name="pull request 6856", head=HEAD))


def an_offer(**changed: Any) -> Offer:
    plain: dict[str, Any] = {
        "files": FILES,
        "touched": touched(FILES),
        "commits": (a_commit(),),
        "unsigned": (),
        "likeness": Likeness.SAME,
    }
    return Offer(**plain | changed)


def the_facts(head: str = HEAD, **changed: Any) -> Facts:
    pull = a_pull(head=Side(branch="fix", commit=head, repository=None))
    plain: dict[str, Any] = {
        "patch": "make-weakref",
        "upstream": "https://github.com/NVIDIA/Megatron-LM",
        "pull": pull,
        "standing": decide(a_sight(pull=pull)),
        "now": NOW,
        "offer": an_offer(),
    }
    return Facts(**plain | changed)


def ran(head: str = HEAD, made: Evidence = EVIDENCE, at: int = 11) -> Finished:
    return Finished(
        evidence=made, head=head, base=BASE, merge=MERGE, created=f"2026-08-12T{at}:00:00Z", comment=77
    )


def filled(body: str) -> str:
    words = {"DIGEST": EVIDENCE.id, "SHORT": EVIDENCE.id[:12], "THE-HEAD": HEAD, "NEW-HEAD": NEW}
    for word, value in (words | {"THE-BASE": BASE, "THE-MERGE": MERGE}).items():
        body = body.replace(word, value)
    return body


def test_the_whole_body_before_anything_ran() -> None:
    assert compose(the_facts()) == filled(bodies.NOTHING_YET)


def test_the_whole_body_with_results_and_again_without_the_evidence() -> None:
    body = compose(the_facts(tested=ran()), compose(the_facts()))
    assert body == filled(bodies.WITH_RESULTS)
    assert compose(the_facts(now="2026-09-01T00:00:00Z"), body) == body


def test_the_whole_body_when_the_head_has_moved_keeps_the_old_results_as_old() -> None:
    before = filled(bodies.WITH_RESULTS)
    moved = the_facts(NEW, now="2026-08-13T12:00:00Z")
    body = compose(moved, before.replace("\n", "\r\n"))
    assert body == filled(bodies.HEAD_MOVED)
    assert compose(moved, body) == body


def test_the_pasted_command_is_one_that_the_command_line_takes() -> None:
    fenced = re.search(r"^```sh\n(.*)\n```$", compose(the_facts()), re.MULTILINE)
    assert fenced is not None
    program, *words = shlex.split(fenced[1])
    asked = cli.build().parse_args(words)
    assert program == "upstream-bot"
    assert (asked.command, asked.patch, asked.proposal, asked.base) == (
        "prove",
        "make-weakref",
        ["6856"],
        ["main"],
    )


def test_results_come_back_when_the_head_does() -> None:
    back = compose(the_facts(), filled(bodies.HEAD_MOVED))
    assert "Results for the older commit" not in back
    assert back.split("\n")[2].startswith("✅ **make-weakref v1: 1 proven**")


def test_c20_a_moved_base_marks_the_results_with_base_and_merge() -> None:
    body = compose(the_facts(base=OLD), filled(bodies.WITH_RESULTS))
    assert (
        "🕓 **Results for an older base**: <code>main</code> has moved since. The head is the same; it was merged "
        f"into <code>main</code> at <code>{BASE}</code>; GitHub's trial merge was <code>{MERGE}</code>."
    ) in body


def test_an_older_run_and_a_run_of_an_older_head_never_take_the_place_of_newer_results() -> None:
    before = compose(the_facts(tested=ran(at=12)))
    late = an_evidence(a_target(reason="another run"))
    for stale in (ran(made=late, at=10), ran(head=OLD, made=late, at=13)):
        body = compose(the_facts(tested=stale), before)
        assert "another run" not in body
        told = parse(body)
        assert told is not None
        assert (told.digest, len(told.history)) == (EVIDENCE.id, 2)


def test_only_the_last_ten_runs_stay_in_the_history() -> None:
    body = ""
    for hour in range(10, 24):
        body = compose(the_facts(tested=ran(at=hour)), body)
    told = parse(body)
    assert told is not None
    assert [row.created[11:13] for row in told.history] == [str(hour) for hour in range(14, 24)]


@pytest.mark.parametrize("limit", [LIMIT, 20_000])
def test_c43_a_report_of_200_000_characters_is_cut_at_sections_and_says_so(limit: int) -> None:
    long = "🙂 ``` <!-- </details> " * 20
    targets = [a_target(name=f"{number} {long}", reason=long) for number in range(400)]
    body = compose(the_facts(tested=ran(made=an_evidence(*targets))), limit=limit)
    assert len(body.encode("utf-16-le")) // 2 <= limit
    assert sentences.CUT in body
    assert f"`/ok to test {HEAD}`" in body
    assert body.count("<details>") == body.count("</details>")
    assert len(re.findall("^```", body, re.MULTILINE)) == 2
    assert parse(body) is not None


def test_c39_a_marker_is_read_from_the_first_line_only_and_by_its_own_form() -> None:
    body = filled(bodies.WITH_RESULTS)
    assert parse(body) is not None
    assert parse(f"hello\n{body}") is None
    assert parse(body.replace('"number":6856', '"number":"x"')) is None
    assert parse("<!-- upstream-bot:report {" + '"a":[' * 5_000 + "} -->") is None


@settings(max_examples=60, deadline=None)
@given(st.text(), st.text(), st.integers(0, 2**40))
def test_a_marker_is_one_line_that_nothing_ends_and_is_read_as_written(
    one: str, two: str, number: int
) -> None:
    wrote = Marker(patch=f"--> {one}", number=1, head=two, created=one, comment=number)
    line = marker.write(wrote)
    assert line.index("-->") == len(line) - 3
    assert "\n" not in line
    assert "@" not in line
    assert parse(line) == wrote


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.booleans())
def test_any_earlier_body_is_read_without_harm(text: str, marked: bool) -> None:
    body = filled(bodies.WITH_RESULTS).split("\n")[0] + f"\n{text}" if marked else text
    parse(body)
    assert not COMMAND.search(compose(the_facts(NEW), body))


def test_the_newer_run_is_the_later_then_the_one_with_the_larger_comment() -> None:
    one = Marker(patch="p", number=1, head="", created="2026-08-12T10:00:00Z", comment=5)
    assert newer(msgspec.structs.replace(one, created="2026-08-12T10:00:01Z", comment=1), one)
    assert newer(msgspec.structs.replace(one, created="2026-08-12T10:00:00+00:00", comment=6), one)
    assert not newer(one, one)


def hostile_facts(text: str) -> Facts:
    file = ChangedFile(path=text, status=text, additions=1, deletions=1, previous=text)
    commit = a_commit(author=text, message=text, account=None, id=text, verified=False)
    offer = an_offer(
        files=(file,),
        touched={Area.TESTS: (text,)},
        commits=(commit,),
        unsigned=(text,),
        since=(file,),
        hidden=(text,),
    )
    stranger = msgspec.structs.replace(US, id=99, login=text)
    pull = a_pull(title=text, base=Side(branch=text, commit=BASE, repository=None))
    said = (a_comment(1, stranger, f"/ok to test {HEAD} {text}"),)
    standing: Standing = decide(a_sight(pull=pull, comments=said, mirror=OLD))
    return the_facts(
        pull=pull,
        standing=standing,
        offer=offer,
        context=Context(title=text),
        tested=ran(made=hostile_evidence(text)),
    )


def check_inert(facts: Facts) -> None:
    first = compose(facts)
    moved = msgspec.structs.replace(facts, tested=None, standing=decide(a_sight()), base="moved")
    for body in (first, compose(moved, first), compose(the_facts(NEW), first)):
        prose = re.sub(r"^(`{3,})sh\n.*?\n\1$", "", body, flags=re.MULTILINE | re.DOTALL)
        assert not COMMAND.search(body)
        assert not re.search(r"@\w", prose)
        assert body.count("<!-- upstream-bot:report") == 1
        assert set(re.findall(r"<!--.{14}", body)) <= {"<!-- upstream-bot:"}
        assert prose.count("<details>") == prose.count("</details>")
        assert parse(body) is not None


@pytest.mark.parametrize("kind", HOSTILE)
def test_c38_hostile_evidence_and_names_are_inert(kind: str) -> None:
    check_inert(hostile_facts(HOSTILE[kind]))


PIECES = (
    "/ok to test",
    "/bot apply",
    "@octocat",
    "\n",
    "> ",
    "- ",
    "`",
    "```",
    "<!--",
    "-->",
    "\r",
    "\u2028",
    "1. ",
    "|",
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=8).map("".join))
def test_no_line_of_anything_we_say_begins_with_a_command_and_nobody_is_mentioned(text: str) -> None:
    facts = hostile_facts(text)
    check_inert(facts)
    offer = facts.offer or an_offer()
    shown = standings.render("O/R", facts.pull, facts.standing, offer)
    assert "\x1b" not in shown
    assert not COMMAND.search("\n".join(f"- {line}" for line in vetted.lines(offer)))


def test_what_weighs_is_named_and_what_is_hidden_is_never_called_harmless() -> None:
    paths = (".github/workflows/a.yml", "uv.lock", "tests/unit_tests/test_a.py", ".gitmodules", "setup.py")
    files = tuple(ChangedFile(path=path, status="modified", additions=1, deletions=0) for path in paths)
    told = list(
        vetted.lines(an_offer(files=files, touched=touched(files), unsigned=(HEAD,), vetted_head=OLD))
    )
    assert "**Touches workflows**: <code>.github/workflows/a.yml</code>." in told
    assert "**Touches lock files**: <code>uv.lock</code>." in told
    assert "Does not touch owners (CODEOWNERS)." in told
    assert f"Signed off by their author (DCO): 0 of 1; **not** <code>{HEAD[:12]}</code>." in told
    assert f"What changed since the last vetted head <code>{OLD[:12]}</code> is not known." in told
    hidden = "\n".join(vetted.lines(an_offer(hidden=("files",))))
    assert "not touch" not in hidden
    assert "GitHub did not tell: files." in hidden
