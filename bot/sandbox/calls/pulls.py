"""Calls about pull requests."""

from bot import git
from bot.model.hub import Account, Draft
from bot.sandbox import answers, backing, events, heads, rules, standing
from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.records import Pull, Repository
from bot.sandbox.shapes import pulls, repositories
from bot.sandbox.world import World


def list_all(asked: Asked) -> Answer:
    """Newest first, as GitHub sorts where nothing else is asked; `direction=asc` turns it."""
    repo, query = asked.repo(), asked.query
    state = query.get("state", "open")
    if state not in ("open", "closed", "all"):
        raise answers.malformed(f'{state!r} is not a member of ["open", "closed", "all"].')
    found = [pull for pull in repo.pulls.values() if fits(asked.world, pull, query)]
    shown = [pull for pull in found if state == "all" or pull.open == (state == "open")]
    if query.get("direction", "desc" if query.get("sort", "created") == "created" else "asc") == "desc":
        shown.reverse()
    return Answer(body=[pulls.listed(asked.world, repo, pull, stale(asked, repo, pull)) for pull in shown])


def fits(world: World, pull: Pull, query: dict[str, str]) -> bool:
    """`head` counts only as `owner:branch`, else GitHub ignores it."""
    owner, colon, branch = query.get("head", "").partition(":")
    source = world.repositories[pull.head_repo]
    right_head = not colon or (source.owner.login.lower(), pull.head_branch) == (owner.lower(), branch)
    return right_head and query.get("base") in (None, "", pull.base)


def stale(asked: Asked, repo: Repository, pull: Pull) -> str:
    return asked.world.faults.head(repo.id, pull.number) or ""


def get(asked: Asked) -> Answer:
    """The trial merge is not there yet in the first answer after something moved."""
    repo, pull = asked.repo(), asked.pull()
    shown = pulls.whole_pull(asked.world, repo, pull, stale(asked, repo, pull))
    pull.thinking = max(0, pull.thinking - 1)
    return Answer(body=shown)


def list_commits(asked: Asked) -> Answer:
    repo, pull = asked.repo(), asked.pull()
    return Answer(body=[repositories.commit(asked.world, repo, one) for one in pull.commits[:250]])


def list_files(asked: Asked) -> Answer:
    repo, pull = asked.repo(), asked.pull()
    shown = pull.files[:3000]
    return Answer(body=[repositories.changed_file(asked.world, repo, pull.head, one) for one in shown])


def create(asked: Asked) -> Answer:
    """Open one; people without rights may, from a repository where they can push."""
    repo = asked.repo()
    base, title = asked.text("base"), asked.text("title")
    body = asked.text("body", "") if asked.body.get("body") is not None else ""
    source, branch = find_head(asked, repo, asked.text("head"))
    if not title.strip():
        raise answers.invalid("PullRequest", "missing_field", "title")
    check_text(title, body)
    check_new(asked, repo, source, branch)
    draft = Draft(head=branch, base=base, title=title, body=body, draft=asked.body.get("draft") is True)
    pull = open_pull(asked.world, repo, source, draft, asked.me)
    events.pull_request(asked.world, repo, pull, "opened", asked.me)
    location = {"location": f"{repositories.api(asked.world, repo)}/pulls/{pull.number}"}
    return Answer(status=201, body=pulls.whole_pull(asked.world, repo, pull), headers=location)


def find_head(asked: Asked, repo: Repository, head: str) -> tuple[Repository, str]:
    """The repository and branch of `owner:branch` or `branch`."""
    owner, colon, branch = head.partition(":")
    if not colon:
        return repo, head
    network = {repo.id, repo.parent or repo.id}
    for one in asked.world.repositories.values():
        kin = one.id in network or one.parent in network
        if kin and not one.deleted and one.owner.login.lower() == owner.lower():
            return one, branch
    raise answers.invalid("PullRequest", "invalid", "head")


def check_text(title: str, body: str) -> None:
    if len(body) > rules.BODY:
        message = f"body is too long (maximum is {rules.BODY} characters)"
        raise answers.invalid("PullRequest", "custom", "body", message)
    if len(title) > 256:  # noqa: PLR2004 (GitHub's number, said in the next line)
        raise answers.invalid(
            "PullRequest", "custom", "title", "title is too long (maximum is 256 characters)"
        )


def check_new(asked: Asked, repo: Repository, source: Repository, branch: str) -> None:
    """Refuse as GitHub does: ends that are not there, nothing to merge, or one that is open already."""
    base, label = str(asked.body["base"]), f"{source.owner.login}:{branch}"
    ours, theirs = backing.refs(repo.git), backing.refs(source.git)
    for field, there in (("base", f"heads/{base}" in ours), ("head", f"heads/{branch}" in theirs)):
        if not there:
            raise answers.invalid("PullRequest", "invalid", field)
    if not standing.may(source, asked.me, "write") and not rules.acts_for_app(asked):
        raise answers.invalid("PullRequest", "custom", "head", "must be a collaborator")
    for pull in repo.pulls.values():
        if pull.open and (pull.base, pull.head_repo, pull.head_branch) == (base, source.id, branch):
            raise answers.invalid(
                "PullRequest", "custom", message=f"A pull request already exists for {label}."
            )
    if nothing_new(repo, source, ours[f"heads/{base}"], theirs[f"heads/{branch}"]):
        message = f"No commits between {base} and {branch}"
        raise answers.invalid("PullRequest", "custom", message=message)


def nothing_new(repo: Repository, source: Repository, base: str, head: str) -> bool:
    if repo.id != source.id:
        backing.fetch(repo.git, source.git, head)
    return git.is_ancestor(repo.git, head, base) is True


def open_pull(world: World, repo: Repository, source: Repository, draft: Draft, author: Account) -> Pull:
    """Put one into the world and read its head; the draft's head is a branch of `source`."""
    now = world.clock.now()
    pull = Pull(
        id=world.new_id(), number=max(repo.pulls, default=0) + 1, repo=repo.id, title=draft.title,
        body=draft.body, draft=draft.draft, author=author, base=draft.base, head_repo=source.id,
        head_branch=draft.head, created=now, updated=now,
    )  # fmt: skip
    repo.pulls[pull.number] = pull
    heads.refresh(world, repo)
    return pull


def edit(asked: Asked) -> Answer:
    """Title, text, base and state; of others' only with write permission."""
    repo, pull = asked.repo(), asked.pull()
    if pull.author != asked.me:
        rules.need(asked, repo, "write")
    title, body = asked.body.get("title") or pull.title, asked.body.get("body", pull.body) or ""
    check_text(title, body)
    pull.title, pull.body, pull.updated = title, body, asked.world.clock.now()
    change_base(asked, repo, pull)
    change_state(asked, repo, pull)
    return Answer(body=pulls.whole_pull(asked.world, repo, pull))


def change_base(asked: Asked, repo: Repository, pull: Pull) -> None:
    base = asked.body.get("base", pull.base)
    if f"heads/{base}" not in backing.refs(repo.git):
        raise answers.invalid("PullRequest", "invalid", "base")
    pull.base = base
    heads.refresh(asked.world, repo)


def change_state(asked: Asked, repo: Repository, pull: Pull) -> None:
    state = asked.body.get("state", "open" if pull.open else "closed")
    if pull.merged and state == "open":
        raise answers.invalid(
            "PullRequest", "custom", "state", "state cannot be changed. The pull request cannot be reopened."
        )
    if (state == "open") == pull.open:
        return
    pull.open = state == "open"
    pull.closed = None if pull.open else asked.world.clock.now()
    events.pull_request(asked.world, repo, pull, "reopened" if pull.open else "closed", asked.me)
