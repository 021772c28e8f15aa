"""How a conversation is laid out."""

from collections import Counter
from html import escape

from bot.model.hub import Account
from bot.sandbox import standing
from bot.sandbox.clock import iso
from bot.sandbox.page import prose
from bot.sandbox.records import Check, Comment, Pull, Repository
from bot.sandbox.world import World

EMOJI = {
    "+1": "👍", "-1": "👎", "laugh": "😄", "hooray": "🎉",
    "confused": "😕", "heart": "❤️", "rocket": "🚀", "eyes": "👀",
}  # fmt: skip
MARKS = {"success": ("good", "✓"), "neutral": ("soft", "■"), "skipped": ("soft", "⊘")}
HUES = 6


def index(world: World) -> str:
    """All pull requests, as links."""
    rows = [
        f'<li><a href="/{escape(repo.full_name)}/pull/{pull.number}">'
        f"{escape(repo.full_name)}#{pull.number}</a> "
        f"{escape(pull.title)} {badge(pull)}</li>"
        for repo in world.repositories.values()
        for pull in repo.pulls.values()
    ]
    return f"<main><h1>Pull requests</h1><ul>{''.join(rows) or '<li>None yet.</li>'}</ul></main>"


def conversation(world: World, repo: Repository, pull: Pull) -> str:
    said = world.conversation(repo, pull.number, world.present())
    parts = [
        title(repo, pull),
        facts(world, pull),
        entry(repo, pull.author, iso(pull.created), "", pull.body or "*No description provided.*", ""),
        *(remark(world, repo, comment, text) for comment, text in said),
        checks([one for one in world.checks.values() if (one.repo, one.commit) == (repo.id, pull.head)]),
        closing(pull),
    ]
    return f"<main>{''.join(parts)}</main>"


def title(repo: Repository, pull: Pull) -> str:
    return (
        f'<div class="where">{escape(repo.full_name)}</div>'
        f'<h1>{escape(pull.title)} <span class="number">#{pull.number}</span></h1>'
    )


def badge(pull: Pull) -> str:
    state = "merged" if pull.merged else "open" if pull.open else "closed"
    word = "draft" if pull.open and pull.draft else state
    return f'<span class="state {word}">{word.capitalize()}</span>'


def facts(world: World, pull: Pull) -> str:
    source = world.repositories.get(pull.head_repo)
    where = f"{source.owner.login}:" if source and not source.deleted else "unknown repository:"
    labels = "".join(f'<span class="label">{escape(name)}</span>' for name in pull.labels)
    verb = "merged" if pull.merged else "wants to merge"
    count = f"{len(pull.commits)} commit{'s' * (len(pull.commits) != 1)}"
    return (
        f'<div class="facts">{badge(pull)}<span class="soft"><b>{escape(pull.author.login)}</b> '
        f"{verb} {count} into <code>{escape(pull.base)}</code> from "
        f"<code>{escape(where + pull.head_branch)}</code>, head "
        f"<code>{pull.head[:10]}</code></span>{labels}</div>"
    )


def remark(world: World, repo: Repository, comment: Comment, text: str) -> str:
    counts = Counter(one.content for one in world.reactions_to(comment.id, world.present()))
    pills = "".join(f"<span>{sign} {counts[name]}</span>" for name, sign in EMOJI.items() if counts[name])
    below = f'<div class="reactions">{pills}</div>' if pills else ""
    edited = " · edited" if len(comment.versions) > 1 else ""
    moment = f'<a href="#issuecomment-{comment.id}">{iso(comment.created)}</a>{edited}'
    return entry(repo, comment.author, moment, f' id="issuecomment-{comment.id}"', text, below)


def entry(repo: Repository, author: Account, moment: str, anchor: str, *texts: str) -> str:
    """One box of the conversation; `texts` are its Markdown and the HTML below it."""
    text, below = texts
    is_bot = author.kind == "Bot"
    known = standing.association(repo, author).lower()
    tag = "bot" if is_bot else known if known != "none" else ""
    return (
        f'<article class="said"{anchor}><div class="face hue{author.id % HUES}{" bot" * is_bot}">'
        f'{escape(author.login[:1])}</div><div class="box"><div class="head"><b>{escape(author.login)}</b>'
        f"<span>{moment}</span>{f'<span class=tag>{tag}</span>' if tag else ''}</div>"
        f'<div class="text">{prose.render(text)}</div>{below}</div></article>'
    )


def checks(found: list[Check]) -> str:
    if not found:
        return ""
    return f'<section class="box"><ul class="checks">{"".join(map(check, found))}</ul></section>'


def check(one: Check) -> str:
    kind, mark = ("busy", "●") if one.conclusion is None else MARKS.get(one.conclusion, ("bad", "✗"))
    word = (one.conclusion or one.status).replace("_", " ")
    about = f" — {escape(one.title)}" if one.title else ""
    return (
        f'<li><span class="{kind}">{mark}</span><span class="name"><b>{escape(one.name)}</b> '
        f'<span class="soft">{escape(one.app)}{about}</span></span>'
        f'<span class="soft">{escape(word)}</span></li>'
    )


def closing(pull: Pull) -> str:
    return '<p class="soft">This conversation has been locked.</p>' if pull.locked else ""
