"""`/bot backport` in a conversation: what stands in the repository afterwards, and what was said."""

from pathlib import Path

import pytest

from bot.carry import backporting
from bot.github.carrying import Delivery
from tests.conftest import BROKEN, CURED, FILE
from tests.github.conversation.stage import BOT, SHOP, Stage

#: The patch does not fit there any more.
REWRITTEN = BROKEN.replace(
    "        if rank == 0:\n            print", "        if rank < 1:\n            print"
)
COMMITTER = backporting.Person(name="Carla Bot", email="carla@example.org")


@pytest.fixture
def yard(stage: Stage, tmp_path: Path) -> Stage:
    """Return the stage with releases to carry to, and a place to push to."""
    for name, text in {"one": BROKEN, "two": REWRITTEN, "three": BROKEN, "done": CURED}.items():
        stage.hub.branch(SHOP, name, stage.hub.ref(SHOP, "heads/main") or "")
        stage.hub.commit(SHOP, name, {FILE: text, f"{name}.txt": "1\n"}, message=f"Make {name}")
    place = backporting.place(str(stage.hub.git_dir(SHOP)))
    spec = str(stage.hub.git_dir(SHOP))
    stage.delivery = Delivery(spec=spec, cache=tmp_path / "cache", push_to=place, committer=COMMITTER)
    return stage


def rows(reply: str) -> dict[str, list[str]]:
    """The table's cells below its head, by target."""
    lines = [line.strip("| ").split(" | ") for line in reply.splitlines() if line.startswith("| <code>")]
    return {cells[0].removeprefix("<code>").removesuffix("</code>"): cells[1:] for cells in lines}


def ours(stage: Stage, target: str) -> str | None:
    return stage.hub.ref(SHOP, f"heads/upstream-bot/till/v1/{target}")


def test_c28_c29_one_conflict_and_one_that_has_it_spoil_nothing(yard: Stage) -> None:
    yard.hub.say(SHOP, 1, "ada", "/bot backport one\n/bot backport two done\n/bot backport three")
    handled = yard.handle()
    (reply,) = yard.bodies()
    told = rows(reply)
    assert list(told) == ["one", "two", "done", "three"]
    assert [told[name][0] for name in told] == ["`pushed`", "`conflicts`", "`not_needed`", "`pushed`"]
    assert "conflicts in shop/till.py" in told["two"][-1]
    assert "already contained" in told["done"][-1]
    assert "```sh\nupstream-bot backport till --to two\n```" in reply
    assert all(ours(yard, name) for name in ("one", "three"))
    assert not any(ours(yard, name) for name in ("two", "done"))
    assert handled.carried is False
    hub = yard.connect(yard.token)
    drafts = {one.base.branch: one for one in hub.pulls(SHOP) if one.author.login == BOT}
    assert sorted(drafts) == ["one", "three"]
    assert all(one.draft for one in drafts.values())
    assert drafts["one"].title == "[one] keep the amount when there is no rate"


def test_c11_the_same_command_once_more_makes_nothing_twice(yard: Stage) -> None:
    comment = yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    assert yard.handle().carried is True
    assert yard.reactions(comment) == ["eyes", "rocket", "+1"]
    first = ours(yard, "one")
    yard.hub.clock.advance(120)
    yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    assert yard.handle().carried is True
    assert ours(yard, "one") == first
    assert len(yard.connect(yard.token).pulls(SHOP)) == 2
    assert rows(yard.bodies()[-1])["one"][0] == "`already_pushed`"


def test_c21_a_branch_that_holds_a_persons_commit_is_left_alone(yard: Stage) -> None:
    name = "upstream-bot/till/v1/one"
    yard.hub.branch(SHOP, name, yard.hub.ref(SHOP, "heads/one") or "")
    theirs = yard.hub.commit(SHOP, name, {"more.txt": "1\n"}, by="ada")
    comment = yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    yard.handle()
    assert ours(yard, "one") == theirs
    assert rows(yard.bodies()[-1])["one"][0] == "`blocked`"
    assert yard.reactions(comment)[-1] == "-1"


def test_c1_a_head_that_moved_before_the_push_stops_it(yard: Stage) -> None:
    yard.before_publish = lambda: yard.push({"more.txt": "1\n"})
    yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    yard.handle()
    assert ours(yard, "one") is None
    assert "Stopped: head is now" in yard.bodies()[-1]


def test_c50_what_became_of_the_pull_request_meanwhile_has_its_line(yard: Stage) -> None:
    yard.before_publish = lambda: yard.hub.lock(SHOP, 1)
    yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    handled = yard.handle()
    assert (yard.bodies(), ours(yard, "one"), handled.carried) == ([], None, False)
    assert "the conversation is locked" in handled.lines[-2] + handled.lines[-1]


def test_evidence_that_is_a_link_is_nobodys(yard: Stage) -> None:
    def swap() -> None:
        place = yard.places[-1] / "branches.json"
        place.unlink()
        place.symlink_to("/etc/hostname")

    yard.before_publish = swap
    yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    assert yard.handle().carried is False
    assert ours(yard, "one") is None
    assert yard.bodies()[-1].startswith("Nothing was carried: ")


def test_a_remote_that_refuses_is_told_without_its_words_or_our_paths(yard: Stage, tmp_path: Path) -> None:
    hook = yard.hub.git_dir(SHOP) / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho '@all /ok to test x' >&2\npwd >&2\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    yard.hub.say(SHOP, 1, "ada", "/bot backport one")
    yard.handle()
    reply = yard.bodies()[-1]
    assert rows(reply)["one"][0] == "`failed`"
    assert not {word for word in (str(tmp_path), "@all", "/ok") if word in reply}
