"""One planning function per command: from a wish and the facts to what is left and what is refused."""

from bot.errors import nearest
from bot.github.facts import Facts
from bot.model import Value
from bot.model.plan import Misread, Wish
from bot.report import replies

#: Branches that GitHub, copy-pr-bot or we make and nobody carries a fix to.
MADE = ("pull-request/", "gh-readonly-queue/", "upstream-bot/", "refs/", "pypi/", "-")


class Planned(Value, frozen=True, kw_only=True):
    wish: Wish | None = None
    refused: tuple[Misread, ...] = ()


def keep(wish: Wish, _facts: Facts) -> Planned:
    return Planned(wish=wish)


def test(wish: Wish, facts: Facts) -> Planned:
    """A commit that is named must be the head: people say what they have looked at."""
    head = facts.pull.head.commit if facts.pull else ""
    if all(head.startswith(word.lower()) for word in wish.words):
        return Planned(wish=wish)
    return Planned(refused=(refuse(wish, wish.words[0], replies.not_the_head(head)),))


def backport(wish: Wish, facts: Facts) -> Planned:
    """Only names on the list, letter for letter: no name from a comment ever comes near git."""
    judged = {word: judge_target(wish, word, facts) for word in wish.words}
    good = tuple(word for word, refused in judged.items() if refused is None)
    kept = Wish(verb=wish.verb, words=good, line=wish.line) if good else None
    return Planned(wish=kept, refused=tuple(refused for refused in judged.values() if refused))


def judge_target(wish: Wish, word: str, facts: Facts) -> Misread | None:
    if facts.pull and word == facts.pull.base.branch:
        return refuse(wish, word, replies.OWN_BASE)
    listed = targets(facts)
    if word in listed:
        return None
    near = nearest(word[:100], listed) or ", ".join(listed[:5])
    return refuse(wish, word, replies.no_such_branch(len(listed)), near)


def targets(facts: Facts) -> list[str]:
    """Where a backport may go, those first that the manifest names."""
    base = facts.pull.base.branch if facts.pull else ""
    there = [name for name in facts.branches or () if name not in {base, "HEAD"}]
    named = [one.name for one in facts.manifest.branches] if facts.manifest else []
    ordered = [name for name in named if name in there] + there
    return [name for name in dict.fromkeys(ordered) if not name.startswith(MADE)]


def refuse(wish: Wish, word: str, reason: str, near: str = "") -> Misread:
    return Misread(text=f"/bot {wish.verb} {word}".rstrip(), reason=reason, near=near, line=wish.line)
