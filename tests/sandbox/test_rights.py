"""Who may do what, by kind of token and by permission, in GitHub's words."""

from collections.abc import Callable

import pytest

from bot.sandbox import Hub
from tests.sandbox.talking import PULL, SHOP, TALK, Client

REPO = f"/repos/{SHOP}"
Clients = Callable[[str], Client]


@pytest.mark.parametrize(
    ("login", "old", "role"),
    [
        ("acme", "admin", "admin"),
        ("ada", "write", "write"),
        ("tim", "read", "triage"),
        ("bob", "read", "read"),
    ],
)
def test_c34_permissions_are_told_in_old_and_new_words(ada: Client, login: str, old: str, role: str) -> None:
    answer = ada.get(f"{REPO}/collaborators/{login}/permission").json
    assert (answer["permission"], answer["role_name"]) == (old, role)


def test_c34_a_maintainers_old_word_is_write(hub: Hub, ada: Client) -> None:
    hub.permit(SHOP, "eve", "maintain")
    answer = ada.get(f"{REPO}/collaborators/eve/permission").json
    assert (answer["permission"], answer["role_name"]) == ("write", "maintain")


def test_c34_the_permission_is_that_of_the_moment(hub: Hub, ada: Client) -> None:
    hub.permit(SHOP, "bob", "write")
    assert ada.get(f"{REPO}/collaborators/bob/permission").json["permission"] == "write"
    hub.permit(SHOP, "bob", "none")
    assert ada.get(f"{REPO}/collaborators/bob/permission").json["permission"] == "read"


def test_c34_an_outsider_may_not_ask_for_permissions(bob: Client) -> None:
    answer = bob.get(f"{REPO}/collaborators/ada/permission")
    assert (answer.status, answer.message) == (403, "Must have push access to view collaborator permission.")
    assert answer.json["documentation_url"].startswith("https://docs.github.com/rest")


def test_c34_the_permission_of_nobody_is_404(ada: Client) -> None:
    answer = ada.get(f"{REPO}/collaborators/nobody/permission")
    assert (answer.status, answer.message) == (404, "nobody is not a user")


def test_a_workflow_may_ask_for_permissions_and_not_who_it_is(actions: Client) -> None:
    assert actions.get(f"{REPO}/collaborators/ada/permission").json["permission"] == "write"
    answer = actions.get("/user")
    assert (answer.status, answer.message) == (403, "Resource not accessible by integration")


def test_without_a_token_public_things_are_read_and_nothing_is_written(client: Clients) -> None:
    nobody = client("")
    assert nobody.get(PULL).status == 200
    for answer in (nobody.get("/user"), nobody.post(TALK, body="hi")):
        assert (answer.status, answer.message) == (401, "Requires authentication")
    assert nobody.get(REPO).headers["x-ratelimit-limit"] == "60"


def test_an_unknown_token_is_refused_even_for_public_things(client: Clients) -> None:
    answer = client("ghp_made_up").get(REPO)
    assert (answer.status, answer.message) == (401, "Bad credentials")


def test_c47_a_token_ends_at_its_time(hub: Hub, client: Clients) -> None:
    hub.clock.stop("2026-01-02T03:00:00Z")
    app = client(hub.app_token("upstream-bot", SHOP, expires_in=3600))
    hub.clock.advance(3599)
    assert app.get(REPO).status == 200
    hub.clock.advance(1)
    assert (app.get(REPO).status, app.get(REPO).message) == (401, "Bad credentials")


def test_c47_an_app_gets_a_new_token_that_lasts_an_hour(hub: Hub, client: Clients) -> None:
    hub.clock.stop("2026-01-02T03:00:00Z")
    made = client(hub.app_jwt("upstream-bot", SHOP)).post("/app/installations/1/access_tokens")
    assert (made.status, made.json["expires_at"]) == (201, "2026-01-02T04:00:00Z")
    said = client(made.json["token"]).post(TALK, body="hello")
    assert said.json["user"]["login"] == "upstream-bot[bot]"
    assert said.json["performed_via_github_app"]["slug"] == "upstream-bot"


def test_only_an_app_gets_installation_tokens(ada: Client) -> None:
    assert ada.post("/app/installations/1/access_tokens").status == 401


def test_an_apps_own_proof_opens_nothing_else(hub: Hub, client: Clients) -> None:
    assert client(hub.app_jwt("upstream-bot")).get(REPO).status == 403


def test_a_workflow_without_the_right_is_refused(hub: Hub, client: Clients) -> None:
    reader = client(hub.actions_token(SHOP, rights={"contents": "read", "issues": "read"}))
    assert reader.get(TALK).status == 200
    for answer in (reader.post(TALK, body="hi"), reader.get(f"{REPO}/actions/runs")):
        assert (answer.status, answer.message) == (403, "Resource not accessible by integration")


def test_a_fine_grained_token_writes_only_what_it_was_made_for(hub: Hub, client: Clients) -> None:
    hub.repo("acme/other")
    fine = client(hub.fine_token("ada", SHOP, rights={"issues": "write", "pull_requests": "read"}))
    assert fine.post(TALK, body="hi").status == 201
    answer = fine.patch(PULL, title="mine")
    assert (answer.status, answer.message) == (403, "Resource not accessible by personal access token")
    assert fine.get("/repos/acme/other").status == 200


def test_a_classic_token_without_scopes_reads_and_does_not_write(hub: Hub, client: Clients) -> None:
    bare = client(hub.token("ada", scopes=()))
    assert bare.get(PULL).status == 200
    assert bare.post(TALK, body="hi").status == 404


def test_what_is_private_is_not_there_for_strangers(hub: Hub, client: Clients) -> None:
    hub.repo("acme/safe", private=True)
    hub.permit("acme/safe", "ada", "read")
    for token in ("", hub.token("bob", scopes=("repo",)), hub.token("ada", scopes=("public_repo",))):
        answer = client(token).get("/repos/acme/safe")
        assert (answer.status, answer.message) == (404, "Not Found")
    assert client(hub.token("ada", scopes=("repo",))).get("/repos/acme/safe").json["private"]


def test_what_nobody_made_is_not_there(ada: Client) -> None:
    for path in (
        "/repos/acme/none",
        f"{REPO}/pulls/99",
        f"{REPO}/pulls/x",
        f"{REPO}/issues/comments/5",
        "/nothing",
    ):
        assert ada.get(path).status == 404


def test_a_renamed_repository_is_answered_with_301_and_stays_reachable_by_number(
    hub: Hub, ada: Client
) -> None:
    hub.rename(SHOP, "acme/store")
    answer = ada.get(f"{PULL}?x=1")
    assert (answer.status, answer.message) == (301, "Moved Permanently")
    assert answer.headers["location"] == answer.json["url"]
    assert answer.json["url"].endswith("/pulls/1?x=1")
    followed = ada.get(answer.json["url"])
    assert followed.json["base"]["repo"]["full_name"] == "acme/store"


def test_issues_that_are_switched_off_are_gone_and_pull_requests_stay(hub: Hub, ada: Client) -> None:
    hub.world.repository(SHOP).issues = False
    answer = ada.get(f"{REPO}/issues/99/comments")
    assert (answer.status, answer.message) == (410, "Issues has been disabled in this repository.")
    assert ada.get(TALK).status == 200


def test_labels_need_triage_and_new_ones_write(hub: Hub, bob: Client, client: Clients) -> None:
    labels = f"{REPO}/issues/1/labels"
    assert bob.post(labels, labels=["bug"]).status == 403
    tim = client(hub.token("tim"))
    assert tim.post(labels, labels=["bug"]).status == 403
    hub.label(SHOP, 1, "known")
    assert [one["name"] for one in tim.post(labels, labels=["known"]).json] == ["known"]
    assert tim.delete(f"{labels}/known").json == []
    assert (tim.delete(f"{labels}/known").status, tim.delete(f"{labels}/known").message) == (
        404,
        "Label does not exist",
    )
