"""Calls about repositories: themselves, permissions, branches, refs, commits, comparisons."""

from bot import git
from bot.sandbox import answers, backing, rules, standing
from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.records import Repository
from bot.sandbox.shapes import accounts, repositories

NO_PUSH = "Must have push access to view collaborator permission."


def get(asked: Asked) -> Answer:
    return Answer(body=repositories.full(asked.world, asked.repo()))


def get_permission(asked: Asked) -> Answer:
    """The first field knows four words only: GitHub's old ones."""
    repo = asked.repo()
    rules.need(asked, repo, "write", NO_PUSH)
    who = asked.world.account(asked.names["login"])
    if who is None:
        raise answers.refused(404, f"{asked.names['login']} is not a user")
    role = standing.permission(repo, who)
    old = standing.LEGACY.get(role, role)
    user = accounts.simple(asked.world, who) | {"role_name": role, "permissions": spelled(role)}
    return Answer(body={"permission": old, "role_name": role, "user": user})


def spelled(role: str) -> dict[str, bool]:
    reached = standing.LEVELS.index(role)
    names = {"pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin"}
    return {name: reached >= standing.LEVELS.index(level) for name, level in names.items()}


def list_branches(asked: Asked) -> Answer:
    repo = asked.repo()
    found = {
        name.removeprefix("heads/"): oid
        for name, oid in backing.refs(repo.git).items()
        if name.startswith("heads/")
    }
    return Answer(body=[repositories.branch(asked.world, repo, name, oid) for name, oid in found.items()])


def get_branch(asked: Asked) -> Answer:
    repo, name = asked.repo(), asked.names["branch"]
    commit = backing.refs(repo.git).get(f"heads/{name}")
    if commit is None:
        raise answers.refused(404, "Branch not found")
    (logged,) = backing.log(repo.git, commit, limit=1)
    link = f"{repositories.api(asked.world, repo)}/branches/{name}"
    shown = repositories.branch(asked.world, repo, name, commit) | {
        "commit": repositories.commit(asked.world, repo, logged),
        "_links": {"self": link, "html": f"{asked.world.url}/{repo.full_name}/tree/{name}"},
        "protection": {"enabled": False},
        "protection_url": f"{link}/protection",
    }
    return Answer(body=shown)


def get_ref(asked: Asked) -> Answer:
    repo, name = asked.repo(), asked.names["ref"]
    commit = backing.refs(repo.git).get(name)
    if commit is None:
        raise answers.missing()
    return Answer(body=repositories.ref(asked.world, repo, name, commit))


def get_commit(asked: Asked) -> Answer:
    repo = asked.repo()
    commit = known(repo, asked.names["commit"])
    (logged,) = backing.log(repo.git, commit, limit=1)
    return Answer(body=repositories.commit(asked.world, repo, logged))


def known(repo: Repository, name: str) -> str:
    found = backing.resolve(repo.git, name)
    if found is None:
        raise answers.refused(422, f"No commit found for SHA: {name}")
    return found


def compare(asked: Asked) -> Answer:
    """Three dots: what `new` has since the best common ancestor."""
    repo = asked.repo()
    old, dots, new = asked.names["basehead"].partition("...")
    ends = backing.resolve(repo.git, old), backing.resolve(repo.git, new)
    if not dots or ends[0] is None or ends[1] is None:
        raise answers.missing()
    return Answer(body=compared(asked, repo, ends[0], ends[1]))


def compared(asked: Asked, repo: Repository, old: str, new: str) -> dict[str, object]:
    bases = git.merge_bases(repo.git, old, new)
    if not bases:
        raise answers.refused(404, f"No common ancestor between {old} and {new}.")
    ahead, behind = (
        backing.log(repo.git, f"{old}..{new}"),
        git.count_commits(repo.git, new, old),
    )
    html = f"{asked.world.url}/{repo.full_name}/compare/{old}...{new}"
    first, base = (backing.log(repo.git, one, limit=1)[0] for one in (old, bases[0]))
    world = asked.world
    words = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind"}
    return {
        "url": f"{repositories.api(world, repo)}/compare/{old}...{new}", "html_url": html,
        "permalink_url": html, "diff_url": f"{html}.diff", "patch_url": f"{html}.patch",
        "base_commit": repositories.commit(world, repo, first),
        "merge_base_commit": repositories.commit(world, repo, base),
        "status": words.get((bool(ahead), bool(behind)), "identical"), "ahead_by": len(ahead),
        "behind_by": behind, "total_commits": len(ahead),
        "commits": [repositories.commit(world, repo, one) for one in ahead],
        "files": [
            repositories.changed_file(world, repo, new, file)
            for file in backing.changes(repo.git, old, new)[:300]
        ],
    }  # fmt: skip
