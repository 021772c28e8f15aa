"""Calls about comments and reactions."""

from bot.sandbox import answers, clock, events, rules
from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.records import Comment, Pull, Reaction, Repository
from bot.sandbox.shapes import conversation, pulls
from bot.sandbox.shapes.repositories import api
from bot.sandbox.world import World


def find_pull(asked: Asked) -> tuple[Repository, Pull]:
    """The pull request whose conversation it is; 410 for an issue where issues are switched off."""
    repo = asked.repo()
    found = repo.pulls.get(asked.number("number"))
    if found is None and not repo.issues:
        raise answers.refused(410, "Issues has been disabled in this repository.")
    if found is None:
        raise answers.missing()
    return repo, found


def get_issue(asked: Asked) -> Answer:
    repo, pull = find_pull(asked)
    return Answer(body=pulls.issue(asked.world, repo, pull))


def list_comments(asked: Asked) -> Answer:
    """Oldest first; `since` looks at the time of the last edit."""
    repo, pull = find_pull(asked)
    moment, since = asked.moment, read_since(asked)
    found = asked.world.conversation(repo, pull.number, moment)
    shown = [conversation.comment(asked.world, repo, one, text, moment) for one, text in found]
    return Answer(body=[one for one in shown if clock.seconds(one["updated_at"]) >= since])


def read_since(asked: Asked) -> float:
    text = asked.query.get("since", "")
    try:
        return clock.seconds(text) if text else 0.0
    except ValueError:
        raise answers.malformed(f"{text!r} is not a date.") from None


def get_comment(asked: Asked) -> Answer:
    return Answer(body=show(asked, asked.comment()))


def show(asked: Asked, comment: Comment) -> dict[str, object]:
    present = asked.world.present()
    return conversation.comment(asked.world, asked.repo(), comment, comment.body or "", present)


def create_comment(asked: Asked) -> Answer:
    repo, pull = find_pull(asked)
    body = asked.text("body")
    rules.need_unlocked(asked, repo, pull, "comment")
    rules.check_body(body, "IssueComment")
    comment = add_comment(asked.world, repo, pull, asked)
    events.issue_comment(asked.world, repo, comment, "created", asked.me)
    location = {"location": f"{api(asked.world, repo)}/issues/comments/{comment.id}"}
    return Answer(status=201, body=show(asked, comment), headers=location)


def add_comment(world: World, repo: Repository, pull: Pull, asked: Asked) -> Comment:
    version = world.version(asked.text("body"))
    comment = Comment(
        id=world.new_id(),
        repo=repo.id,
        number=pull.number,
        author=asked.me,
        created=version.moment,
        versions=[version],
        app=asked.app,
    )
    world.comments[comment.id] = comment
    return comment


def edit_comment(asked: Asked) -> Answer:
    comment = asked.comment()
    need_own(asked, comment)
    body = asked.text("body")
    rules.check_body(body, "IssueComment")
    comment.versions.append(asked.world.version(body))
    events.issue_comment(asked.world, asked.repo(), comment, "edited", asked.me)
    return Answer(body=show(asked, comment))


def need_own(asked: Asked, comment: Comment) -> None:
    """Others' comments need write permission; an App's need the same App, or its right to write issues."""
    if comment.author != asked.me:
        rules.need(asked, asked.repo(), "write")


def delete_comment(asked: Asked) -> Answer:
    comment = asked.comment()
    need_own(asked, comment)
    events.issue_comment(asked.world, asked.repo(), comment, "deleted", asked.me)
    comment.versions.append(asked.world.version(None))
    return Answer(status=204)


def list_reactions(asked: Asked) -> Answer:
    comment, wanted = asked.comment(), asked.query.get("content")
    if wanted:
        check_content(wanted)
    found = asked.world.reactions_to(comment.id, asked.moment)
    kept = [one for one in found if wanted in (None, "", one.content)]
    return Answer(body=[conversation.reaction(asked.world, one) for one in kept])


def check_content(content: str) -> None:
    if content not in rules.CONTENTS:
        allowed = ", ".join(f'"{one}"' for one in rules.CONTENTS)
        raise answers.malformed(f'"{content}" is not a member of [{allowed}].')


def create_reaction(asked: Asked) -> Answer:
    """200 with the old one where the account reacted so before, 201 with a new one."""
    repo, comment, content = asked.repo(), asked.comment(), asked.text("content")
    check_content(content)
    rules.need_unlocked(asked, repo, repo.pulls[comment.number], "reaction")
    world = asked.world
    for one in world.reactions_to(comment.id, world.present()):
        if (one.author, one.content) == (asked.me, content):
            return Answer(status=200, body=conversation.reaction(world, one))
    new = Reaction(
        id=world.new_id(), comment=comment.id, author=asked.me, content=content, created=world.version()
    )
    world.reactions[new.id] = new
    return Answer(status=201, body=conversation.reaction(world, new))


def delete_reaction(asked: Asked) -> Answer:
    comment, wanted = asked.comment(), asked.number("reaction")
    found = {one.id: one for one in asked.world.reactions_to(comment.id, asked.world.present())}.get(wanted)
    if found is None:
        raise answers.missing()
    if found.author != asked.me:
        raise answers.refused(403, answers.NO_RIGHTS)
    found.removed = asked.world.version()
    return Answer(status=204)
