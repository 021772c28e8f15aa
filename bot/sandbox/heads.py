"""Pull requests kept in step with git: heads that were pushed, trial merges, refs/pull/N/…."""

from bot import git
from bot.sandbox import backing
from bot.sandbox.records import Pull, Repository
from bot.sandbox.world import World

TRIAL = backing.Person(name="GitHub", email="noreply@github.com")


def refresh(world: World, repo: Repository) -> list[tuple[Pull, str]]:
    """Read the branches of all open pull requests again; return those whose head moved, with the old one."""
    refs: dict[int, dict[str, str]] = {}
    moved = []
    for pull in [pull for pull in repo.pulls.values() if pull.open]:
        source = world.repositories.get(pull.head_repo)
        for one in (repo, source):
            if one and not one.deleted and one.id not in refs:
                refs[one.id] = backing.refs(one.git)
        base = refs[repo.id].get(f"heads/{pull.base}", pull.base_commit)
        head = refs.get(pull.head_repo, {}).get(f"heads/{pull.head_branch}", pull.head)
        before = pull.head
        settle(world, repo, pull, base, head)
        if before not in ("", head):
            moved.append((pull, before))
    return moved


def settle(world: World, repo: Repository, pull: Pull, base: str, head: str) -> None:
    """Take over what git says of one pull request."""
    pull.base_commit = base
    if head != pull.head:
        source = world.repositories[pull.head_repo]
        if source.id != repo.id:
            backing.fetch(repo.git, source.git, head)
        backing.set_ref(repo.git, f"pull/{pull.number}/head", head)
        pull.head, pull.updated = head, world.clock.now()
    if pull.judged != (base, head):
        pull.judged, pull.thinking = (base, head), 1
        pull.files = backing.changes(repo.git, base, head)
        pull.commits = backing.log(repo.git, f"{base}..{head}")
        try_merge(repo, pull)


def try_merge(repo: Repository, pull: Pull) -> None:
    merged = git.merge_commits(repo.git, pull.base_commit, pull.head)
    pull.mergeable = merged.tree is not None
    pull.merge_commit = None
    if merged.tree:
        message = f"Merge {pull.head} into {pull.base_commit}"
        parents = [pull.base_commit, pull.head]
        pull.merge_commit = backing.commit_tree(repo.git, merged.tree, parents, message, TRIAL)
        backing.set_ref(repo.git, f"pull/{pull.number}/merge", pull.merge_commit)
