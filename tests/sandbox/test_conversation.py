"""Comments and reactions: limits, owners, locks, order, and what lists show when."""

from collections.abc import Callable

import pytest

from bot.sandbox import Hub
from tests.sandbox.talking import SHOP, TALK, Client

COMMENTS = f"/repos/{SHOP}/issues/comments"
Clients = Callable[[str], Client]


def test_c43_the_longest_body_is_65536_characters(bob: Client) -> None:
    assert bob.post(TALK, body="é" * 65_536).status == 201
    answer = bob.post(TALK, body="é" * 65_537)
    assert (answer.status, answer.message) == (422, "Validation Failed")
    assert answer.errors[0]["message"] == "Body is too long (maximum is 65536 characters)"


def test_c43_an_edit_has_the_same_limit_and_changes_nothing_when_refused(bob: Client) -> None:
    made = bob.post(TALK, body="short").json
    assert bob.patch(f"{COMMENTS}/{made['id']}", body="x" * 65_537).status == 422
    assert bob.get(f"{COMMENTS}/{made['id']}").json["body"] == "short"


@pytest.mark.parametrize("body", ["", "  \n"])
def test_an_empty_body_is_refused(bob: Client, body: str) -> None:
    assert bob.post(TALK, body=body).errors[0]["code"] == "missing_field"


@pytest.mark.parametrize("body", [{}, {"body": 7}, {"body": None}])
def test_a_body_of_another_type_is_refused(bob: Client, body: dict[str, object]) -> None:
    assert bob.ask("POST", TALK, body).status == 422


def test_what_is_no_json_object_is_refused(bob: Client) -> None:
    answer = bob.ask("POST", TALK, ["body"])
    assert (answer.status, answer.message) == (400, "Body should be a JSON object")


def test_a_comment_is_read_edited_and_deleted_by_its_author(hub: Hub, bob: Client) -> None:
    hub.clock.stop("2026-01-02T03:00:00Z")
    made = bob.post(TALK, body="one")
    here = f"{COMMENTS}/{made.json['id']}"
    assert made.headers["location"] == hub.url + here
    hub.clock.advance(60)
    edited = bob.patch(here, body="two").json
    assert (edited["created_at"], edited["updated_at"]) == ("2026-01-02T03:00:00Z", "2026-01-02T03:01:00Z")
    assert bob.delete(here).status == 204
    assert bob.get(here).status == 404
    assert bob.get(TALK).json == []


def test_others_comments_need_write_permission(hub: Hub, ada: Client, bob: Client, client: Clients) -> None:
    here = f"{COMMENTS}/{hub.say(SHOP, 1, 'eve', 'mine')}"
    for answer in (bob.patch(here, body="x"), client(hub.token("tim")).delete(here)):
        assert (answer.status, answer.message) == (403, "Must have admin rights to Repository.")
    assert ada.patch(here, body="tidied").json["user"]["login"] == "eve"
    assert ada.delete(here).status == 204


def test_c50_a_locked_conversation_is_for_writers_only(hub: Hub, ada: Client, bob: Client) -> None:
    comment = hub.say(SHOP, 1, "ada", "hello")
    hub.lock(SHOP, 1)
    answer = bob.post(TALK, body="hi")
    assert (answer.status, answer.message) == (403, "Unable to create comment because issue is locked.")
    assert bob.post(f"{COMMENTS}/{comment}/reactions", content="eyes").status == 403
    assert ada.post(TALK, body="hi").status == 201


def test_c50_closed_and_merged_pull_requests_still_take_comments(hub: Hub, bob: Client) -> None:
    hub.close(SHOP, 1)
    assert bob.post(TALK, body="why?").status == 201


def test_comments_come_oldest_first_and_since_looks_at_the_last_edit(hub: Hub, bob: Client) -> None:
    hub.clock.stop("2026-01-02T03:00:00Z")
    first, second, _ = (hub.say(SHOP, 1, "bob", text) for text in "abc")
    hub.clock.advance(100)
    hub.edit(first, "bob", "a again")
    assert [one["body"] for one in bob.get(TALK).json] == ["a again", "b", "c"]
    assert [one["body"] for one in bob.get(f"{TALK}?since=2026-01-02T03:00:01Z").json] == ["a again"]
    assert bob.get(f"{TALK}?since=soon").status == 422
    assert second


def test_a_reaction_is_new_once(ada: Client, bob: Client) -> None:
    here = f"{COMMENTS}/{bob.post(TALK, body='hi').json['id']}/reactions"
    first, again = bob.post(here, content="eyes"), bob.post(here, content="eyes")
    assert (first.status, again.status) == (201, 200)
    assert first.json == again.json
    assert ada.post(here, content="eyes").status == 201
    assert len(bob.get(here).json) == 2


@pytest.mark.parametrize("content", ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"])
def test_githubs_eight_reactions_are_taken(bob: Client, content: str) -> None:
    made = bob.post(TALK, body="hi").json
    assert bob.post(f"{COMMENTS}/{made['id']}/reactions", content=content).json["content"] == content
    assert bob.get(f"{COMMENTS}/{made['id']}").json["reactions"][content] == 1


def test_other_reactions_are_refused(bob: Client) -> None:
    here = f"{COMMENTS}/{bob.post(TALK, body='hi').json['id']}/reactions"
    for content in ("tada", "👀", ""):
        assert bob.post(here, content=content).status == 422
    assert bob.get(f"{here}?content=tada").status == 422


def test_a_reaction_is_taken_back_by_its_owner(hub: Hub, ada: Client, bob: Client) -> None:
    comment = hub.say(SHOP, 1, "ada", "hello")
    here = f"{COMMENTS}/{comment}/reactions"
    made = bob.post(here, content="rocket").json
    assert ada.delete(f"{here}/{made['id']}").status == 403
    assert bob.delete(f"{here}/{made['id']}").status == 204
    assert bob.delete(f"{here}/{made['id']}").status == 404
    assert bob.get(here).json == []


def test_c42_thirty_comments_a_page_unless_more_are_asked_for(hub: Hub, bob: Client) -> None:
    for number in range(140):
        hub.say(SHOP, 1, "eve", f"number {number}")
    page, seen = bob.get(TALK), 0
    assert (len(page.json), page.link("prev")) == (30, "")
    while True:
        seen += len(page.json)
        if not (following := page.link("next")):
            break
        page = bob.get(following)
    assert seen == 140
    assert page.link("first").endswith("page=1")
    assert len(bob.get(f"{TALK}?per_page=1000").json) == 100
    assert [one["body"] for one in bob.get(f"{TALK}?per_page=50&page=3").json][-1] == "number 139"
    assert bob.get(f"{TALK}?page=9").json == []


def test_an_answer_that_did_not_change_is_304_and_costs_nothing(hub: Hub, bob: Client) -> None:
    hub.say(SHOP, 1, "ada", "hello")
    first = bob.get(TALK)
    again = bob.get(TALK, if_none_match=first.headers["etag"])
    assert (again.status, again.data) == (304, b"")
    assert again.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"]
    hub.say(SHOP, 1, "ada", "more")
    assert bob.get(TALK, if_none_match=first.headers["etag"]).status == 200
