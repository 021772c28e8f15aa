"""What an account is to a repository."""

from bot.model.hub import Account
from bot.sandbox.records import Repository

LEVELS = ("none", "read", "triage", "write", "maintain", "admin")
#: The permission endpoint's first answer knows four words only; `role_name` has them all.
LEGACY = {"triage": "read", "maintain": "write"}


def permission(repo: Repository, account: Account) -> str:
    """One of LEVELS; everybody may read what is public."""
    if account.id == repo.owner.id:
        return "admin"
    return repo.rights.get(account.id, "none" if repo.private else "read")


def may(repo: Repository, account: Account, level: str) -> bool:
    return LEVELS.index(permission(repo, account)) >= LEVELS.index(level)


def association(repo: Repository, account: Account) -> str:
    if account.id == repo.owner.id:
        return "OWNER"
    if account.id in repo.rights:
        return "COLLABORATOR"
    return (
        "CONTRIBUTOR" if any(one.author == account and one.merged for one in repo.pulls.values()) else "NONE"
    )
