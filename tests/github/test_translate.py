"""What GitHub leaves null, or makes up, becomes a plain value; and what each failure is called and worth."""

import msgspec
import pytest

from bot.github import patience, payloads, translate
from bot.github.asking import decode
from bot.github.patience import Answer, Tried
from bot.github.port import Refusal
from bot.model.hub import Why

LIMIT = '{"message": "You have exceeded a secondary rate limit."}'
SPENT = '{"message": "API rate limit exceeded for user ID 1."}'
DATE = "Thu, 01 Jan 2026 00:00:00 GMT"
MIDNIGHT = 1767225600


def test_a_comment_of_a_deleted_account_without_text_is_the_ghosts() -> None:
    text = '{"id": 7, "user": null, "body": null, "created_at": "a", "updated_at": "b"}'
    comment = translate.comment(msgspec.json.decode(text, type=payloads.Comment))
    assert (comment.author, comment.body) == (translate.GHOST, "")


def test_a_commit_of_nobody_that_github_knows_has_no_account() -> None:
    for author in ("null", "{}"):
        text = f'{{"sha": "a", "author": {author}, "commit": {{"message": "m", "author": null}}}}'
        commit = translate.commit(msgspec.json.decode(text, type=payloads.Commit))
        assert (commit.account, commit.author, commit.verified) == (None, " <>", False)


@pytest.mark.parametrize(
    ("old", "role", "told"),
    [("write", "maintain", "maintain"), ("read", "triage", "triage"), ("write", "keeper", "write"),
     ("admin", "", "admin")],
)  # fmt: skip
def test_a_role_that_an_organisation_made_up_counts_as_the_old_word(old: str, role: str, told: str) -> None:
    assert translate.permission(payloads.Role(permission=old, role_name=role)) == told


def test_an_answer_that_github_does_not_send_is_a_refusal() -> None:
    with pytest.raises(Refusal) as refused:
        decode(Answer(status=200, text="<html>"), payloads.Repo)
    assert refused.value.why is Why.BROKEN


@pytest.mark.parametrize(
    ("status", "text", "headers", "wait"),
    [
        (429, "", {}, 60),
        (429, LIMIT, {"retry-after": "7"}, 7),
        (403, LIMIT, {}, 60),
        (403, LIMIT, {"retry-after": "Thu"}, 60),
        (403, LIMIT, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(MIDNIGHT + 5)}, 60),
        (403, SPENT, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(MIDNIGHT + 5)}, 6),
        (403, SPENT, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(MIDNIGHT - 5)}, 1),
        (502, "<html>", {}, 1),
        (503, "", {"retry-after": "20"}, 20),
        (0, "reset", {}, 1),
    ],
)
def test_how_long_a_failure_takes(status: int, text: str, headers: dict[str, str], wait: float) -> None:
    answer = Answer(status=status, text=text, headers={"date": DATE} | headers)
    assert patience.pause(answer, Tried()) == wait


def test_a_limit_that_names_no_time_is_waited_for_longer_each_time() -> None:
    tried, answer = Tried(), Answer(status=429)
    assert [patience.pause(answer, tried) for _ in range(3)] == [60, 120, 240]


@pytest.mark.parametrize(
    ("status", "text", "why"),
    [
        (401, "", Why.UNAUTHORIZED),
        (403, '{"message": "Resource not accessible by integration"}', Why.FORBIDDEN),
        (403, '{"message": "Unable to create comment because issue is locked."}', Why.LOCKED),
        (404, "", Why.MISSING),
        (410, "", Why.GONE),
        (422, '{"message": "Validation Failed", "errors": "no"}', Why.INVALID),
        (418, "[]", Why.BROKEN),
        (301, "", Why.BROKEN),
    ],
)
def test_what_waiting_does_not_help_is_named_at_once(status: int, text: str, why: Why) -> None:
    with pytest.raises(Refusal) as refused:
        patience.pause(Answer(status=status, text=text), Tried())
    assert refused.value.why is why


def test_a_refusal_says_githubs_reasons() -> None:
    errors = '[{"field": "head", "code": "invalid"}, "and", {"message": "m"}]'
    text = f'{{"message": "Validation Failed", "errors": {errors}}}'
    assert Answer(status=422, text=text).message == "Validation Failed: head invalid, and, m"
