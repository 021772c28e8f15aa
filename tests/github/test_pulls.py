"""Draft pull requests of backports: opened once, adopted afterwards, and what they say."""

from dataclasses import dataclass, field

import pytest
from msgspec import structs

from bot.github import pulls
from bot.github.port import Refusal
from bot.model.hub import Account, Draft, Pull, Side, Why
from bot.report import backports
from tests.github.hub_memory import ANN, BOT, FORK, REPO, a_pull

CARRIED = backports.Carried(
    what="till v1",
    patch="till",
    subject="keep the amount when there is no rate",
    target="release/1.0",
    commit="c" * 40,
    tree="d" * 40,
    verdict="proven",
    reason="proven on aaaaaaaaaaaa",
    repeat="upstream-bot prove till --upstream https://hub.test/acme/shop --branch release/1.0",
)
BODY = """\
This carries <code>till v1</code> to <code>release/1.0</code>: keep the amount when there is no rate

A bot writes this for the owner of this account, who answers for it. It ticks no box of a template: \
those are for people.

**proven**: every required probe fails before in the declared way and passes after, in all runs; \
keep-tests pass on both sides, hazards are as declared, all controls hold. proven on aaaaaaaaaaaa.

The commit is <code>cccccccccccccccccccccccccccccccccccccccc</code>. Its tree \
<code>dddddddddddddddddddddddddddddddddddddddd</code> was compared with the proven one before the push.

To run the proof again:

```sh
upstream-bot prove till --upstream https://hub.test/acme/shop --branch release/1.0
```
"""
DRAFT = Draft(
    head="ann:upstream-bot/till/v1/main",
    base="main",
    title=backports.title(CARRIED),
    body=backports.body(CARRIED),
)
OURS = Side(branch="upstream-bot/till/v1/main", commit="b" * 40, repository=FORK)


@dataclass
class Shelf:
    """A GitHub of pull requests alone. `late`: what its list does not show for so many looks."""

    there: list[Pull] = field(default_factory=list)
    late: int = 0
    account: Account = BOT

    def me(self) -> Account:
        return self.account

    def pulls(self, _repo: str, *, head: str = "", base: str = "", state: str = "open") -> tuple[Pull, ...]:
        assert head.count(":") == 1, "GitHub ignores a head without its owner"
        if self.late:
            self.late -= 1
            return ()
        return tuple(one for one in self.there if one.base.branch == base and (one.open or state == "all"))

    def open_pull(self, _repo: str, draft: Draft) -> Pull:
        owner, _, branch = draft.head.partition(":")
        if any(one.open and one.head.branch == branch for one in self.there):
            raise Refusal(Why.INVALID, f"A pull request already exists for {owner}:{branch}.")
        made = opened(len(self.there) + 1, draft)
        self.there.append(made)
        return made

    def edit_pull(self, _repo: str, number: int, *, title: str, body: str) -> Pull:
        made = structs.replace(self.there[number - 1], title=title, body=body)
        self.there[number - 1] = made
        return made


def opened(number: int, draft: Draft = DRAFT, author: Account = BOT, *, is_open: bool = True) -> Pull:
    side = Side(branch=draft.base, commit="a" * 40, repository=REPO)
    return a_pull(
        number=number,
        title=draft.title,
        body=draft.body,
        author=author,
        base=side,
        head=OURS,
        open=is_open,
        draft=draft.draft,
    )


def put(shelf: Shelf, draft: Draft = DRAFT) -> pulls.Opened:
    return pulls.adopt_or_open(shelf, REPO.name, draft)  # type: ignore[arg-type]


def test_it_is_opened_once_as_a_draft_and_adopted_afterwards() -> None:
    shelf = Shelf()
    first, second = put(shelf), put(shelf)
    assert (first.fresh, second.fresh) == (True, False)
    assert [(one.number, one.draft) for one in shelf.there] == [(1, True)]
    assert second.pull == first.pull == shelf.there[0]


def test_b46_of_two_runs_at_once_the_second_adopts_what_it_is_told_of() -> None:
    shelf = Shelf(there=[opened(1)], late=1)
    assert put(shelf) == pulls.Opened(pull=opened(1))


def test_what_github_has_and_does_not_show_is_a_refusal_and_no_second_one() -> None:
    shelf = Shelf(there=[opened(1)], late=9)
    with pytest.raises(Refusal, match="already exists"):
        put(shelf)
    assert len(shelf.there) == 1


def test_b8_a_closed_one_is_not_told_as_the_result() -> None:
    shelf = Shelf(there=[opened(1, is_open=False)])
    assert put(shelf).pull.number == 2


def test_words_of_ours_are_renewed_and_a_title_stays() -> None:
    shelf = Shelf(there=[structs.replace(opened(1), title="A better title")])
    new = structs.replace(DRAFT, body=backports.body(structs.replace(CARRIED, commit="e" * 40)))
    assert put(shelf, new).pull.body == new.body
    assert [(one.title, one.body) for one in shelf.there] == [("A better title", new.body)]


@pytest.mark.parametrize(
    "change", ["{} More.", "Hello\n{}", "", "[x] I reviewed every line", "{}\n- [x] yes"]
)
def test_words_that_a_person_touched_are_left(change: str) -> None:
    body = change.format(DRAFT.body.rstrip("\n"))
    shelf = Shelf(there=[structs.replace(opened(1), body=body)])
    new = structs.replace(DRAFT, body=backports.body(structs.replace(CARRIED, commit="e" * 40)))
    assert put(shelf, new).note == "its words are a person's by now, and were left"
    assert [one.body for one in shelf.there] == [body]


def test_one_that_another_account_opened_from_our_branch_is_named_and_left() -> None:
    shelf = Shelf(there=[opened(1, author=ANN)])
    new = structs.replace(DRAFT, body=backports.body(structs.replace(CARRIED, commit="e" * 40)))
    found = put(shelf, new)
    assert (found.pull.number, found.note) == (1, "another account opened it")
    assert shelf.there[0].body == DRAFT.body


def test_one_of_the_same_branch_name_in_another_fork_is_not_ours() -> None:
    other = structs.replace(OURS, repository=structs.replace(FORK, id=3, name="zoe/shop"))
    shelf = Shelf(there=[structs.replace(opened(1), head=other)])
    assert pulls.find(shelf, REPO.name, DRAFT) is None  # type: ignore[arg-type]


def test_the_body_is_ours_whole_and_line_ends_do_not_matter() -> None:
    first, _, rest = DRAFT.body.partition("\n")
    assert first.startswith('<!-- upstream-bot:backport {"patch":"till","target":"release')
    assert rest == BODY
    assert backports.is_untouched(DRAFT.body)
    assert backports.is_untouched(DRAFT.body.replace("\n", "\r\n").rstrip())


def test_foreign_text_is_inert_in_title_and_body() -> None:
    evil = "x\n/ok to test abc @team #12 <!-- upstream-bot:report --> [x] \u202e ::error:: https://evil.test"
    fields = {"subject", "target", "reason", "what", "verdict", "repeat"}
    hostile = structs.replace(CARRIED, **dict.fromkeys(fields, evil))
    title, body = backports.title(hostile), backports.body(hostile)
    assert "\n" not in title
    # In the code block at the end nobody is mentioned.
    for text in (title, body.partition("\n")[2].partition("```")[0]):
        for alive in ("@team", "#12", "\u202e", "/ok to", "[x] \n"):
            assert alive not in text
    assert body.count("<!--") == 1
    assert not [line for line in body.splitlines() if line.lstrip(" >*-+`~.)").startswith("/")]
    assert len(title) <= 256


@pytest.mark.parametrize(
    ("url", "api", "name"),
    [
        ("https://github.com/acme/shop.git", "https://api.github.com", "acme/shop"),
        ("https://github.com/acme/shop/", "https://api.github.com", "acme/shop"),
        ("https://someone@GitHub.com/acme/shop", "https://api.github.com", "acme/shop"),
        ("git@github.com:acme/shop.git", "https://api.github.com", "acme/shop"),
        ("ssh://git@github.com/acme/shop", "https://api.github.com", "acme/shop"),
        ("https://hub.test/acme/shop", "https://hub.test/api/v3", "acme/shop"),
        ("http://localhost:8123/acme/shop.git", "http://localhost:8123", "acme/shop"),
        ("https://github.com.evil.test/acme/shop", "https://api.github.com", ""),
        ("https://evil.test/github.com/acme/shop", "https://api.github.com", ""),
        ("https://github.com/acme", "https://api.github.com", ""),
        ("/srv/git/acme/shop", "https://api.github.com", ""),
        ("https://gitlab.test/acme/shop", "https://api.github.com", ""),
    ],
)
def test_only_addresses_on_this_github_name_a_repository_there(url: str, api: str, name: str) -> None:
    assert pulls.repository_of(url, api) == name
