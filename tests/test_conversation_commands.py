"""`gate`, `run`, `publish`, `handle` and `poll` as people and workflows start them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import sandbox
from bot.github import api
from tests.conftest import Done, Workshop
from tests.github.conversation.stage import SHOP, Stage, build


@pytest.fixture
def stage(tmp_path: Path, workshop: Workshop) -> Iterator[Stage]:
    """Yield a pull request that is open, on an embedded GitHub."""
    with sandbox.started(tmp_path / "hub") as hub:
        yield build(hub, workshop, lambda token: api.connect(token, hub.url))


def bot(stage: Stage, *args: str, token: str | None = None, **env: str) -> Done:
    held = {"GH_TOKEN": stage.token if token is None else token, "GITHUB_API_URL": stage.hub.url}
    return stage.shop.run(*args, **{key: value for key, value in held.items() if value}, **env)


def event(stage: Stage, body: str, who: str = "ada") -> str:
    """Let somebody comment; return the file with the event."""
    stage.hub.say(SHOP, 1, who, body)
    return str(stage.hub.events[-1].write(stage.shop.root / "event.json"))


def test_a_command_in_three_steps_with_a_token_at_both_ends_only(stage: Stage) -> None:
    root = stage.shop.root
    plan, evidence, summary = str(root / "plan.json"), str(root / "evidence"), root / "summary.md"
    said = {"GITHUB_STEP_SUMMARY": str(summary)}
    gated = bot(stage, "gate", "--event", event(stage, "/bot test"), "--out", plan, **said)
    assert (gated.code, json.loads(Path(plan).read_text())["frozen"]["head"]) == (0, stage.head)

    where = ("--upstream", str(stage.hub.git_dir(SHOP)))
    stage.hub.forget_log()
    ran = bot(stage, "run", "--plan", plan, "--out", evidence, *where, token="")
    assert (ran.code, stage.hub.log) == (0, ())

    stage.hub.forget_log()
    rehearsed = bot(stage, "publish", "--plan", plan, "--evidence", evidence, "--dry-run")
    assert "would comment on 1:\n<!-- upstream-bot:report" in rehearsed.out
    assert stage.hub.writes() == ()

    published = bot(stage, "publish", "--plan", plan, "--evidence", evidence, **said)
    assert (published.code, published.err) == (0, "")
    assert "1 proven" in stage.bodies()[0]
    lines = summary.read_text().splitlines()
    assert lines[0].startswith("- **planned**")
    assert lines[1].startswith("- ✅ till: `proven`")


def test_run_refuses_to_hold_a_token(stage: Stage) -> None:
    done = bot(stage, "run", "--plan", "plan.json", "--out", "evidence")
    assert (done.code, done.out) == (2, "")
    assert "must not hold a token" in done.err


def test_gate_writes_no_plan_where_nothing_is_to_run(stage: Stage) -> None:
    plan = stage.shop.root / "plan.json"
    plan.write_text("old")
    done = bot(stage, "gate", "--event", event(stage, "/bot help"), "--out", str(plan))
    assert (done.code, plan.exists(), len(stage.bodies())) == (0, False, 1)


def test_a_plan_that_is_none_is_a_sentence(stage: Stage) -> None:
    plan = stage.shop.root / "plan.json"
    for text in ("", "{}", "[" * 100_000, '{"schema": "upstream-bot/plan/2"}'):
        plan.write_text(text)
        done = bot(stage, "publish", "--plan", str(plan), "--evidence", ".")
        assert (done.code, done.out) == (2, "")
        assert "is no plan" in done.err


def test_handle_rehearsed_writes_nothing(stage: Stage) -> None:
    stage.hub.forget_log()
    done = bot(stage, "handle", "--event", event(stage, "/bot help"), "--dry-run")
    assert (done.code, stage.hub.writes()) == (0, ())
    assert "would comment on 1:\n| what it does | command |" in done.out


def test_poll_needs_a_token_that_says_whose_it_is(stage: Stage) -> None:
    done = bot(stage, "poll", "--repo", SHOP, "--pr", "1")
    assert (done.code, done.out) == (2, "")
    assert "does not say whose it is" in done.err


def test_poll_looks_once_mentions_once_when_it_is_due_and_ends(stage: Stage) -> None:
    base = json.loads(json.dumps({"ask": "@acme/vetters", "after_business_days": 2}))
    first = stage.shop.git("rev-parse", "main")
    place = {"repo": "https://example.org/acme/shop.git", "paths": ["shop"]}
    stage.shop.manifest(first, upstream=place, vetting=base)
    stage.gate()
    token = stage.hub.token("keeper")
    assert bot(stage, "poll", "--repo", SHOP, "--pr", "1", token=token).code == 0
    assert len(stage.bodies("keeper")) == 1
    hub = stage.hub
    comments = stage.connect(stage.token).comments(SHOP, 1)
    report = next(one for one in comments if one.author.login == "keeper")
    hub.edit(report.id, "keeper", report.body.replace('"asked":"20', '"asked":"19'))
    for _ in range(2):
        done = bot(stage, "poll", "--repo", SHOP, "--pr", "1", token=token)
        assert (done.code, done.err) == (0, "")
    mentions = [body for body in stage.bodies("keeper") if "@acme/vetters" in body]
    assert len(mentions) == 1
    assert len(stage.bodies("keeper")) == 2
