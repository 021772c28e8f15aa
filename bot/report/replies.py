"""Every sentence of the short replies: refusals, misread lines, help, and what a run's summary says.

`text` and `near` of a Misread, logins, messages and names are foreign and made inert here; reasons are ours.
"""

from collections.abc import Iterable, Sequence

from bot.model.hub import Account, Comment
from bot.model.plan import Misread
from bot.report import escape

#: How every short reply ends, unseen: whose it is and which comment it answers.
MARK = "<!-- upstream-bot:reply"
OWN_MARK = "<!-- upstream-bot"

# Why a line is no command.
TOO_MANY = "one comment may hold three commands; this one and what follows it were not read"
NO_VERB = "no command follows `/bot`"
UNKNOWN_VERB = "there is no such command"
CONTROL = "it holds a control character or one that is not assigned"
LONG_WORD = "one of its words is longer than any branch name"
OPTION = "commands take no options, and no name begins with a dash"
QUOTED = "write names without quotes, ticks or backslashes"
NO_WORDS = "this command takes nothing after its name"
ONE_COMMIT = "this command takes at most one commit id, of at least seven hexadecimal digits"
SOME_BRANCHES = "name one to ten branches, with blanks between them"

# Why a command was not carried out.
OWN_BASE = "that is this pull request's own base; the fix gets there by merging it"
HEAD_GONE = "cannot test: the head repository is gone, and nobody can say what its commits are worth"
IS_CLOSED = "The pull request is closed."
IS_MERGED = "The pull request is merged."
IS_DRAFT = "The pull request is a draft."
IS_LOCKED = "The conversation is locked: nothing can be said there."
CLOSED_FOR_IT = "the pull request is closed"
MERGED_FOR_IT = "the pull request is merged already"
UNSETTLED = "GitHub's two accounts of this pull request's head still differ; say it again in a minute"
WHICH_PATCH = "it is not clear which patch this pull request is about"
NO_PATCH = "no patch is kept here, so there is nothing to carry"
TOO_FAST = "that were many commands within a minute; what comes before the minute is over is not read"

# Why nothing at all happens; these reach the run's summary only.
REVIEW = "a review is not read for commands; only new comments on the conversation are"
MALFORMED = "the event lacks something that GitHub's documentation promises"
PLAIN_ISSUE = "a comment on an issue, not on a pull request"
BY_A_BOT = "the comment is a bot's or an App's"
BY_US = "the comment is our own"
OTHER_SENDER = "who sent the event is not who wrote the comment"
OTHER_REPOSITORY = "the event is about another repository than the one that is served here"
NO_COMMAND = "the comment holds no command"
GONE = "the comment is gone"
EDITED = "the comment was edited; edits never act"
ANSWERED = "the comment was answered before"
NOT_OPERATOR = "only the operator of this bot and its allow-list may command here"
AGAIN = "refused before within the hour, so it is not answered again"
IGNORED_REPEAT = "said again within a minute, and answered already"


def other_event(name: str) -> str:
    return f"the event {escape.inline(name, 60)} is not for us" if name else "the event is of no kind we know"


def comment_action(action: str) -> str:
    return f"the comment was {escape.inline(action, 40)}; only new comments act"


def pull_action(action: str) -> str:
    return f"the pull request was {escape.inline(action, 40)}, which changes nothing here"


def not_the_head(head: str) -> str:
    return f"that is not this pull request's head; the head is now `{head}`"


def no_such_branch(count: int) -> str:
    return f"it is none of the {count} branches that a fix can be carried to"


def lacks_right(account: Account, permission: str) -> str:
    has = escape.inline(permission or "no", 30)
    return f"{escape.inline(account.login, 60)} has `{has}` permission here, and commands need `write`"


def right_unknown(account: Account, denied: str) -> str:
    who, why = escape.inline(account.login, 60), escape.inline(denied, 200)
    return f"GitHub did not say what {who} may do here, so it is refused ({why})"


def running(earlier: Comment) -> str:
    told = f"the same is being worked on already, for {link(earlier)}"
    return f"{told}; that run stops by itself when the head moves"


def moved(old: str, new: str) -> str:
    return f"head is now {new}, you approved {old}"


def moved_base(old: str, new: str) -> str:
    return f"the base is now {escape.inline(new, 120)}, it was {escape.inline(old, 120)}"


def moved_repository(which: str) -> str:
    return f"the {which} repository is not the one that it was"


def link(comment: Comment) -> str:
    """A link to a comment, whose address must be one; its number where it is not."""
    plain = comment.url.isascii() and comment.url.startswith(("https://", "http://"))
    inert = plain and not set(comment.url) & set(" <>()[]\"'`\\")
    return f"[this comment]({comment.url})" if inert else f"comment {comment.id}"


def refused(reason: str) -> str:
    """The reply to a comment of which nothing is carried out."""
    return f"Nothing was started: {reason}."


def misread(lines: Sequence[Misread], commands: Iterable[tuple[str, str]] = ()) -> str:
    """The reply about lines that were not carried out, with the list of commands where one was unknown."""
    head = "This was not carried out:" if len(lines) == 1 else f"These {len(lines)} were not carried out:"
    parts = [head, "\n".join(map(item, lines))]
    if any(line.reason in {UNKNOWN_VERB, NO_VERB} for line in lines):
        parts.append(table(commands))
    return "\n\n".join(parts)


def item(line: Misread) -> str:
    said = f"- line {line.line}, {escape.code(line.text, 120)}: {line.reason}"
    if not line.near:
        return f"{said}."
    if line.reason == UNKNOWN_VERB:
        return f"{said}; did you mean {escape.code(line.near)}?"
    if line.near.startswith("/"):
        return f"{said}. It is written {escape.code(line.near)}."
    return f"{said}; nearest: {escape.code(line.near, 400)}."


def help_text(commands: Iterable[tuple[str, str]]) -> str:
    """What each command does. No line of it can be read as a command."""
    return (
        f"{table(commands)}\n\nA command is a line of its own in a new comment, at most three in one; edits, "
        "quotes and code are not read. Whoever may write to this repository may say it."
    )


def table(commands: Iterable[tuple[str, str]]) -> str:
    rows = "\n".join(f"| {meaning} | `{usage}` |" for usage, meaning in commands)
    return f"| what it does | command |\n|---|---|\n{rows}"


def which_patch(names: Sequence[str]) -> str:
    """The reply that asks which patch is meant, with how to say it."""
    listed = ", ".join(escape.code(name, 60) for name in names[:10])
    return (
        f"Nothing was started: {WHICH_PATCH} ({listed}). Name its number as `proposal.pull_request` in the "
        "manifest of the patch that is meant, and say it again."
    )


def signed(text: str, comment: Comment) -> str:
    """The whole reply: its text, made safe once more, and the unseen mark by which it is found again."""
    return f"{escape.defuse(text)}\n\n{mark(comment)}"


def mark(comment: Comment) -> str:
    return f"{MARK} {comment.id} -->"


def is_ours(body: str) -> bool:
    """Whether a text of this account carries one of our marks, as its first or last line."""
    lines = body.strip().splitlines() or [""]
    return any(line.lstrip().startswith(OWN_MARK) for line in (lines[0], lines[-1]))


def planned(said: str, head: str, comment: Comment | None = None) -> str:
    return decided("planned", f"{escape.inline(said, 1_000)}, head `{head}`", comment)


def decided(what: str, reason: str, comment: Comment | None = None, sender: Account | None = None) -> str:
    """One line of the run's summary about one decision."""
    who = f" by {escape.inline(sender.login, 60)} ({sender.id})" if sender else ""
    where = f", {link(comment)}{who}" if comment else ""
    return f"- **{what}**{where}: {reason}"
