"""What becomes of a read and of a write under each fault of GitHub's: nothing lost, nothing doubled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from bot.github import api, port
from bot.github.port import Refusal
from bot.model.hub import Annotation, Draft, Why
from bot.sandbox import Hub
from bot.sandbox.faults import Fault, Trouble
from tests.github.conftest import Time
from tests.sandbox.talking import SHOP

TALK = "*/issues/1/comments"
Play = Callable[[Hub, str], None]
#: Tries, waits in seconds, and `done` or why not.
End = tuple[int, list[float], str]


def play(name: str, **more: Any) -> Play:
    return lambda hub, method: getattr(hub.fail, name)(method=method, path=TALK, **more)


def status(code: int, message: str = "", times: int = 1) -> Play:
    return lambda hub, method: hub.fail.status(code, method=method, path=TALK, message=message, times=times)


def limited(code: int, after: int | None = None) -> Play:
    return lambda hub, method: hub.fail.limited(code, retry_after=after, method=method, path=TALK)


def secondary_then_429(hub: Hub, method: str) -> None:
    limited(403)(hub, method)
    limited(429, 30)(hub, method)


def stale(hub: Hub, _method: str) -> None:
    hub.fail.lag(30)


def stale_and_dead(hub: Hub, method: str) -> None:
    hub.fail.lag(30)
    play("dead")(hub, method)


def renamed(hub: Hub, _method: str) -> None:
    hub.rename(SHOP, "acme/mall")


def lost(hub: Hub, _method: str) -> None:
    hub.delete(SHOP)


DOWN = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
LOOKED = [1.0, 4.0, 12.0, 28.0]
#: fault, what it does, then tries, waits and end for a read, and for a write.
FAULTS: list[tuple[str, Play, End, End]] = [
    ("502", status(502), (2, [1.0], "done"), (2, LOOKED, "done")),
    ("500", status(500), (2, [1.0], "done"), (2, LOOKED, "done")),
    ("502 for ever", status(502, times=99), (7, DOWN, "broken"), (7, LOOKED * 6, "broken")),
    ("429 with 30 s", limited(429, 30), (2, [30.0], "done"), (2, [30.0], "done")),
    ("429 without a time", limited(429), (2, [60.0], "done"), (2, [60.0], "done")),
    ("secondary 403", limited(403), (2, [60.0], "done"), (2, [60.0], "done")),
    ("secondary 403, then 429", secondary_then_429, (3, [60.0, 30.0], "done"), (3, [60.0, 30.0], "done")),
    ("429 with an hour", limited(429, 3600), (1, [], "limited"), (1, [], "limited")),
    ("permission 403", status(403, "Forbidden"), (1, [], "forbidden"), (1, [], "forbidden")),
    ("401 in the middle", status(401, "Bad credentials"), (2, [], "done"), (2, [], "done")),
    ("401 for ever", status(401, "Bad credentials", 9), (2, [], "unauthorized"), (2, [], "unauthorized")),
    ("reset before", play("reset"), (2, [1.0], "done"), (2, LOOKED, "done")),
    ("reset before, 3 times", play("reset", times=3), (4, DOWN[:3], "done"), (4, LOOKED * 3, "done")),
    ("dead after", play("dead"), (2, [1.0], "done"), (1, [1.0], "done")),
    ("lists 30 s old", stale, (1, [], "done"), (1, [], "done")),
    ("lists 30 s old, dead after", stale_and_dead, (2, [1.0], "done"), (1, LOOKED, "done")),
    ("301", renamed, (2, [], "done"), (2, [], "done")),
    ("404", lost, (1, [], "missing"), (1, [], "missing")),
]


def outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except Refusal as refusal:
        return refusal.why.value
    return "done"


def bodies(hub: Hub) -> list[str | None]:
    """What was ever said, whatever the lists show and wherever the repository is."""
    return [one.body for one in hub.world.comments.values()]


def tries(hub: Hub, method: str) -> int:
    return sum(one.method == method and one.path.endswith("/issues/1/comments") for one in hub.log)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One fault, and where it strikes."""

    hub: Hub
    time: Time
    caller: port.Hub
    row: Callable[..., None]

    def end(self, method: str, call: Callable[[], object]) -> End:
        self.hub.forget_log()
        ended = outcome(call)
        return tries(self.hub, method), self.time.waits, ended


@pytest.fixture
def trial(
    github: Hub, time_there: Time, as_token: Callable[[api.Token], port.Hub], ledger: Callable[..., None]
) -> Trial:
    return Trial(hub=github, time=time_there, caller=as_token(lambda: github.token("ada")), row=ledger)


@pytest.mark.parametrize(
    ("fault", "play", "end"), [row[:3] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_c45_a_read_bears_what_passes_and_names_what_does_not(
    fault: str, play: Play, end: End, trial: Trial
) -> None:
    trial.hub.say(SHOP, 1, "bob", "there before")
    trial.hub.clock.advance(60)
    play(trial.hub, "GET")
    found = trial.end("GET", lambda: check_list(trial.caller))
    trial.row(fault, "comments", found[0], waits(trial.time), found[2])
    assert found == end


def check_list(hub: port.Hub) -> None:
    assert [one.body for one in hub.comments(SHOP, 1, since="2000-01-01T00:00:00Z")] == ["there before"]


@pytest.mark.parametrize(
    ("fault", "play", "end"), [(*row[:2], row[3]) for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_c45_a_comment_is_there_once_or_the_reason_is_named(
    fault: str, play: Play, end: End, trial: Trial
) -> None:
    trial.hub.say(SHOP, 1, "ada", "the same words")
    trial.hub.clock.advance(3600)
    trial.caller.comments(SHOP, 1)
    play(trial.hub, "POST")
    found = trial.end("POST", lambda: trial.caller.say(SHOP, 1, "the same words"))
    made = bodies(trial.hub).count("the same words") - 1
    trial.row(fault, "say", found[0], waits(trial.time), f"{found[2]}, made {made}")
    assert found == end
    assert made == (1 if end[2] == "done" else 0)


def waits(time: Time) -> str:
    told = [f"{one:g}" for one in time.waits]
    return " ".join(told) if len(told) < 7 else f"{' '.join(told[:4])} … ({sum(time.waits):g})"


def write_all(hub: port.Hub, github: Hub, commit: str) -> dict[str, Callable[[], object]]:
    """Every other call that changes something, by the pattern of its path."""
    mine = github.say(SHOP, 1, "github-actions[bot]", "old")
    other = hub.say(SHOP, 1, "mine")
    seen = hub.react(SHOP, other.id, "eyes")
    draft = Draft(head="fix", base="main", title="t", body="b")
    assert mine
    return {
        "POST */reactions": lambda: hub.react(SHOP, other.id, "+1"),
        "POST */labels": lambda: hub.label(SHOP, 1, "bug"),
        "PATCH */comments/*": lambda: hub.edit(SHOP, other.id, "new"),
        "DELETE */reactions/*": lambda: hub.unreact(SHOP, other.id, seen.id),
        "DELETE */comments/*": lambda: hub.remove(SHOP, other.id),
        "POST */pulls": lambda: hub.open_pull(SHOP, draft),
        "POST */check-runs": lambda: hub.start_check(SHOP, commit, "proof", "p:1"),
    }


@pytest.mark.parametrize("trouble", [Trouble.RESET, Trouble.DEAD, Trouble.STATUS])
def test_every_other_write_happens_once_when_its_answer_is_lost(
    trouble: Trouble, github: Hub, actions: port.Hub, time_there: Time, ledger: Callable[..., None]
) -> None:
    commit = github.commit(SHOP, "fix", {"more.py": "1\n"})
    for pattern, call in write_all(actions, github, commit).items():
        method, path = pattern.split(" ")
        github.forget_log()
        time_there.waits.clear()
        github.fail.play(Fault(trouble=trouble, method=method, path=path))
        call()
        made = [one for one in github.log if one.method == method]
        ledger(f"{trouble} once", pattern, len(made), waits(time_there), "done")
    world = github.world
    assert len(world.checks) == 1
    assert [pull.title for pull in world.repository(SHOP).pulls.values()] == ["Fix the till", "t"]
    assert world.pull(SHOP, 1).labels == ["bug"]
    assert [one.body for one in world.comments.values()] == ["old", None]


def test_c44_annotations_go_once_when_an_answer_is_lost(github: Hub, actions: port.Hub) -> None:
    commit = github.commit(SHOP, "main", {"more.py": "1\n"})
    check = actions.start_check(SHOP, commit, "proof", "p:1")
    github.fail.play(Fault(trouble=Trouble.DEAD, method="PATCH", path="*/check-runs/*", skip=1))
    notes = [
        Annotation(path="more.py", first_line=line, last_line=line, level="failure", title="", message="no")
        for line in range(1, 138)
    ]
    actions.finish_check(SHOP, check, "failure", "# Not fixed\n\nmore", notes)
    assert list(github.world.checks[check].annotations) == notes
    actions.finish_check(SHOP, check, "failure", "# Not fixed\n\nmore", notes)
    assert len(github.world.checks[check].annotations) == 137


def test_c47_a_dead_token_is_renewed_and_the_report_arrives(
    github: Hub, time_there: Time, as_token: Callable[[api.Token], port.Hub]
) -> None:
    tokens = iter([github.token("ada", expires_in=3600), github.token("ada")])
    ada = as_token(lambda: next(tokens))
    ada.pull(SHOP, 1)
    time_there.sleep(75 * 60)
    ada.say(SHOP, 1, "report")
    assert bodies(github) == ["report"]


def test_c47_a_dead_token_that_cannot_be_renewed_is_unauthorized(
    github: Hub, time_there: Time, as_token: Callable[[api.Token], port.Hub]
) -> None:
    ada = as_token(github.token("ada", expires_in=3600))
    time_there.sleep(75 * 60)
    with pytest.raises(Refusal) as refused:
        ada.say(SHOP, 1, "report")
    assert refused.value.why is Why.UNAUTHORIZED


def test_the_spent_hour_is_waited_for_within_the_deadline_only(github: Hub, ada: port.Hub) -> None:
    github.fail.spent()
    with pytest.raises(Refusal) as refused:
        ada.comments(SHOP, 1)
    assert refused.value.why is Why.LIMITED


def test_the_spent_hour_is_waited_for_until_it_ends(github: Hub, ada: port.Hub, time_there: Time) -> None:
    github.world.used["ada"] = (github.clock.now() + 300, 0)
    github.fail.spent()
    ada.comments(SHOP, 1)
    assert 298 < sum(time_there.waits) < 303


def test_the_first_thing_said_is_found_by_its_time_and_an_old_one_like_it_is_not_taken_for_it(
    github: Hub, ada: port.Hub
) -> None:
    github.clock.advance(-7200)
    github.say(SHOP, 1, "ada", "report")
    github.clock.advance(7200)
    github.fail.reset(method="POST")
    new = ada.say(SHOP, 1, "report")
    assert [one.id for one in ada.comments(SHOP, 1)][1:] == [new.id]


def test_a_workflow_finds_what_it_said_though_it_cannot_ask_who_it_is(github: Hub, actions: port.Hub) -> None:
    github.fail.dead(method="POST")
    actions.say(SHOP, 1, "report")
    assert bodies(github) == ["report"]
