"""The Markdown report: one whole document, what it never hides, hostile text, and the limit."""

# ruff: noqa: RUF001 (the report's own signs)

import re
from collections.abc import Callable

import msgspec
import pytest

from bot.model import CheckRow, Evidence, Kind, Outcome, State, TargetEvidence, Verdict
from bot.model.patch import Rival
from bot.report import Context, sentences
from bot.report.markdown import LIMIT, render

CONTEXT = Context(
    title="Keep the promised strong reference",
    proposal=6856,
    rivals=(Rival(pull_request=7155), Rival(pull_request=7410, note="same two lines")),
    replay="upstream-bot replay evidence.json",
)
WHOLE = """\
✅ **make-weakref v1: 1 proven, 1 not_applicable** — Keep the promised strong reference (proposed as pull request 6856)

### Targets

| | target | environment | state | verdict | why |
|---|---|---|---|---|---|
| ✅ | <code>pypi/0.19.2</code> at <code>d98e8a64ddf3</code> | Python 3.11.2, <code>333333333333</code> | `applies_exact` | `proven` | every probe fails before and passes after; 1 of 1 probes proven |
| ➖ | <code>pypi/0.18.0</code> | Python 3.11.2, <code>333333333333</code> | `not_affected_yet` | `not_applicable` | not_affected_yet: the anchor is absent |

- `applies_exact`: the patch fits, line for line, in the right function.
- `not_affected_yet`: the defect has not come to this branch.
- `proven`: every required probe fails before in the declared way and passes after, in all runs; keep-tests pass on both sides, hazards are as declared, all controls hold.
- `not_applicable`: there is nothing to cure here, so nothing was run.

### What was proven

- <code>handler</code> rank 0: NameError ×3 → pass ×3 (✅ <code>pypi/0.19.2</code>)
- <code>handler</code> rank 1: UnboundLocalError ×3 → pass ×3 (✅ <code>pypi/0.19.2</code>)
- <code>pypi/0.19.2</code>: 1 of 1 keep-tests pass with the patch

### What was not run

- <code>pypi/0.18.0</code>: no test ran (not_applicable; not_affected_yet: the anchor is absent).
- Real ranks: every rank was simulated in one process; none had a process of its own.
- GPU: this evidence names no run on one.

### The strongest objections

- Hazard <code>no-group</code> rank 0: ValueError ×3 → ValueError ×3 (<code>pypi/0.19.2</code>).
- Rival: pull request 7155 proposes a cure of the same defect.
- Rival: pull request 7410 proposes a cure of the same defect: same two lines.

### How to run it again

```sh
upstream-bot replay evidence.json
```

Upstream: <code>pypi:megatron-core</code>. Evidence: <code>EVIDENCE-ID</code>, made by upstream-bot 0.1.0.

<details><summary>Controls</summary>

- <code>pypi/0.19.2</code>, sham: a comment-only change: held
- <code>pypi/0.19.2</code>, mutant: &#96;wr = ten&#96; one level out: held, noticed by <code>happy-path</code>

</details>

<details><summary>Environment</summary>

- python: 3.11.2
- packages: &#91;"torch==2.13.0"&#93;
- digest of all this: <code>3333333333333333333333333333333333333333333333333333333333333333</code>
- patch: <code>1111111111111111111111111111111111111111111111111111111111111111</code>
- probes: <code>2222222222222222222222222222222222222222222222222222222222222222</code>

</details>

<details><summary>Isolation</summary>

<code>none</code>: The code under test ran as the same user as the bot: the verdict can be recomputed from the outcomes, but nothing defends the outcomes themselves against that code.

</details>

<details><summary>Outcomes</summary>

- <code>pypi/0.19.2</code>, <code>handler</code> rank 0 before: ×3 fail NameError: name 'arg' is not defined (in make_weakref)
- <code>pypi/0.19.2</code>, <code>handler</code> rank 0 after: ×3 pass
- <code>pypi/0.19.2</code>, <code>handler</code> rank 1 before: ×3 fail UnboundLocalError: 'wr' (in make_weakref)
- <code>pypi/0.19.2</code>, <code>handler</code> rank 1 after: ×3 pass
- <code>pypi/0.19.2</code>, <code>happy-path</code> rank 0 before: ×3 pass
- <code>pypi/0.19.2</code>, <code>happy-path</code> rank 0 after: ×3 pass
- <code>pypi/0.19.2</code>, <code>no-group</code> rank 0 before: ×3 fail ValueError: no process group
- <code>pypi/0.19.2</code>, <code>no-group</code> rank 0 after: ×3 fail ValueError: no process group

</details>
"""  # noqa: E501 (the document as it is)


def section(text: str, title: str) -> str:
    return text.split(f"### {title}\n", 1)[1].split("\n### ", 1)[0].split("\n<details>", 1)[0]


def test_the_whole_document(small: Evidence) -> None:
    assert render(small, CONTEXT) == WHOLE.replace("EVIDENCE-ID", small.id)


def test_nothing_left_out_and_no_objection_are_said_in_words(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    proven = target(hazards=())
    real = msgspec.structs.replace(
        proven, probes=tuple(msgspec.structs.replace(row, launcher="torchrun") for row in proven.probes)
    )
    text = render(evidence_of(real, environment={"device": "gpu"}), Context())
    assert section(text, "What was not run").strip() == sentences.NOTHING_LEFT_OUT
    assert section(text, "The strongest objections").strip() == sentences.NO_OBJECTION


def test_v10_what_could_not_run_is_told_with_its_reason(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    idle = Outcome(outcome=Kind.SKIP, reason="no GPU here")
    plain = target(verdict=Verdict.NOT_RUN, controls=())
    rows = tuple(msgspec.structs.replace(row, before=(idle,), after=(idle,)) for row in plain.probes)
    text = render(evidence_of(msgspec.structs.replace(plain, probes=rows)), Context())
    told = section(text, "What was not run")
    assert "<code>pypi/0.19.2</code>, <code>handler</code> ranks 0, 1: skip: no GPU here." in told
    assert f"<code>pypi/0.19.2</code>: {sentences.NO_CONTROLS}." in told
    assert text.startswith("⚪ ")
    assert sentences.NOTHING_PROVEN in section(text, "What was proven")


def test_findings_and_failed_controls_are_objections(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    weak = tuple(msgspec.structs.replace(row, held=False) for row in target().controls[:1])
    checks = (CheckRow(id="ruff", before=("old",), after=("old", "F821 arg")),)
    text = render(evidence_of(target(controls=weak, checks=checks, verdict=Verdict.REGRESSION)), Context())
    told = section(text, "The strongest objections")
    assert "- Check <code>ruff</code> on <code>pypi/0.19.2</code>, old\n" in told
    assert "- Check <code>ruff</code> on <code>pypi/0.19.2</code>, new: F821 arg\n" in told
    assert "Control on <code>pypi/0.19.2</code> failed: sham, a comment-only change" in told
    assert text.startswith("❌ ")


def test_without_a_replay_the_command_proves_the_same_branches(small: Evidence) -> None:
    told = section(render(small, Context()), "How to run it again")
    command = "upstream-bot prove make-weakref --upstream pypi:megatron-core"
    assert f"```sh\n{command} --branch pypi/0.19.2 --branch pypi/0.18.0 --runs 3\n```" in told


def test_evidence_without_targets_claims_nothing(evidence_of: Callable[..., Evidence]) -> None:
    text = render(evidence_of(), Context())
    assert text.startswith("⚪ **make-weakref v1: no target was judged**")


def test_every_verdict_and_state_has_its_sentence() -> None:
    assert set(sentences.VERDICTS) == set(Verdict)
    assert set(sentences.STATES) == set(State)


def outside_fences(text: str) -> str:
    return re.sub(r"^(`{3,})sh\n.*?\n\1$", "", text, flags=re.MULTILINE | re.DOTALL)


def test_v29_hostile_text_is_inert_wherever_it_stands(hostile: Evidence) -> None:
    replay = f"{hostile.patch}\n/ok to test\n```"
    text = render(hostile, Context(title=hostile.patch, replay=replay))
    prose = outside_fences(text)
    assert not re.search(r"^[\s>*+\-`~.\d)|#]*/(ok|bot)\b", text, re.IGNORECASE | re.MULTILINE)
    assert not re.search(r"^\s*::|##\[", text, re.MULTILINE)
    assert not re.search(r"@\w|(?<!&)#\d|\b[Gg][Hh]-\d|://|www\.", prose)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", text)
    assert "<!--" not in text
    assert set(re.findall(r"<[^>]*>", prose)) <= {
        "<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>",
    }  # fmt: skip
    assert not re.search(r"\[|\]|\$|~", prose)
    assert set(re.findall(r"`[^`\n]*`", prose)) == {"`applies_exact`", "`not_cured`"}


def test_v29_hostile_text_does_not_break_the_document(hostile: Evidence) -> None:
    text = render(hostile, Context(title=hostile.patch))
    titles = re.findall(r"^### (.*)$", text, re.MULTILINE)
    assert titles == re.findall(r"^### (.*)$", WHOLE, re.MULTILINE)
    assert balanced(text)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {7}


def balanced(text: str) -> bool:
    fences = re.findall(r"^`{3,}", text, re.MULTILINE)
    prose = outside_fences(text)
    same = len(fences) == 2 and fences[0] == fences[1]
    return same and prose.count("<details>") == prose.count("</details>") == 4


def many(target: Callable[..., TargetEvidence], count: int) -> list[TargetEvidence]:
    return [target(name=f"branch-{number}") for number in range(count)]


def test_too_long_a_report_loses_its_longest_sections_and_says_so(
    target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    text = render(evidence_of(*many(target, 150)), CONTEXT)
    assert len(text) <= LIMIT
    assert f"<summary>Outcomes</summary>\n\n{sentences.CUT}\n\n</details>" in text
    assert "branch-149" in section(text, "Targets")
    assert "branch-149" in section(text, "What was proven")
    assert balanced(text)


@pytest.mark.parametrize("limit", [3_000, 4_000, 6_000, 20_000])
def test_whatever_the_limit_what_stays_is_whole(
    limit: int, target: Callable[..., TargetEvidence], evidence_of: Callable[..., Evidence]
) -> None:
    text = render(evidence_of(*many(target, 400)), CONTEXT, limit)
    assert len(text) <= limit
    assert text.startswith("✅ **make-weakref v1: 400 proven**")
    assert text.count("<details>") == text.count("</details>") == 4
    assert len(re.findall(r"^```", text, re.MULTILINE)) in {0, 2}
    assert sentences.CUT in text


def test_a_hostile_report_of_many_targets_stays_within_the_limit(hostile: Evidence) -> None:
    grown = msgspec.structs.replace(hostile, targets=hostile.targets * 50)
    text = render(grown, Context(title=hostile.patch * 500))
    assert len(text) <= LIMIT
    assert balanced(text)
