"""The one table of commands: what each takes, when it may be said, its help, and how it is planned.

A new command is a word in `Verb`, one row here, and its planning function. Help and "did you mean" follow.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.github import planning
from bot.github.facts import Facts
from bot.github.planning import Planned
from bot.github.standing import Stage
from bot.model.plan import Verb, Wish
from bot.report import replies

SHA = re.compile(r"[0-9a-fA-F]{7,64}")
#: More branches than this in one line are a slip, or a way to keep the machine busy.
MOST_BRANCHES = 10
LIVE = frozenset({Stage.OPEN, Stage.DRAFT})
ALWAYS = frozenset(Stage)


@dataclass(frozen=True, kw_only=True)
class Takes:
    """How many words a command takes, their form, and the sentence about anything else."""

    least: int = 0
    most: int = 0
    form: re.Pattern[str] | None = None
    sentence: str = replies.NO_WORDS

    def complain(self, words: tuple[str, ...]) -> str:
        formed = self.form is None or all(self.form.fullmatch(word) for word in words)
        return "" if formed and self.least <= len(words) <= self.most else self.sentence


NO_WORDS = Takes()


@dataclass(frozen=True, kw_only=True)
class Row:
    """`needs_head`: it is about the head commit, which must be there and known for sure.

    Who may say it is the same for all of them (DESIGN 7): an answer to `help` is a write of ours, too.
    """

    verb: Verb
    arguments: str = ""
    help: str
    takes: Takes = NO_WORDS
    stages: frozenset[Stage] = LIVE
    needs_head: bool = True
    plan: Callable[[Wish, Facts], Planned] = planning.keep

    @property
    def usage(self) -> str:
        return f"/bot {self.verb} {self.arguments}".rstrip()


VERBS = (
    Row(
        verb=Verb.TEST,
        arguments="[sha]",
        help="prove this pull request: its base against its base merged with its head",
        takes=Takes(most=1, form=SHA, sentence=replies.ONE_COMMIT),
        plan=planning.test,
    ),
    Row(verb=Verb.APPLY, help="put the patch's current version on this pull request's branch"),
    Row(
        verb=Verb.BACKPORT,
        arguments="<branch>…",
        help="prove the patch on these branches and open a draft pull request to each",
        takes=Takes(least=1, most=MOST_BRANCHES, sentence=replies.SOME_BRANCHES),
        stages=LIVE | {Stage.MERGED},
        needs_head=False,
        plan=planning.backport,
    ),
    Row(verb=Verb.RETRY, help="run again what was run last for this head"),
    Row(verb=Verb.REBASE, help="move this pull request's branch onto the head of its base"),
    Row(verb=Verb.STATUS, help="bring the report up to date", stages=ALWAYS, needs_head=False),
    Row(verb=Verb.HELP, help="list the commands", stages=ALWAYS, needs_head=False),
)


def row(word: str) -> Row | None:
    """The row of a verb, in any case of ASCII letters."""
    return next((row for row in VERBS if word.isascii() and row.verb == word.lower()), None)


def usages() -> tuple[tuple[str, str], ...]:
    """(usage, help) of each command, for the replies."""
    return tuple((row.usage, row.help) for row in VERBS)
