"""What is put into the sandbox by hand: accounts, tokens, repositories, commits."""

from collections.abc import Mapping
from pathlib import Path

from bot import git
from bot.errors import BotError
from bot.model.hub import Account
from bot.sandbox import backing
from bot.sandbox.clock import iso
from bot.sandbox.records import ACTIONS_RIGHTS, Kind, Repository, Token
from bot.sandbox.world import World

ACTIONS_BOT = 41898282


class Seeding:
    """Verbs that make things; all of them take effect at once."""

    def __init__(self, world: World) -> None:
        self.world = world

    def account(self, login: str, *, id: int = 0, kind: str = "User") -> Account:  # noqa: A002 (GitHub's word)
        """Make an account, or return the one with that login."""
        with self.world.lock:
            found = self.world.account(login)
            new = found or Account(id=id or self.world.new_id(), login=login, kind=kind)
            self.world.accounts[login.lower()] = new
            return new

    def token(
        self, login: str, *, scopes: tuple[str, ...] = ("public_repo",), expires_in: float | None = None
    ) -> str:
        """A person's classic token."""
        return self.put(
            Token(
                value=f"ghp_{self.world.new_id():036d}",
                owner=self.account(login),
                scopes=frozenset(scopes),
                expires=self.ends(expires_in),
            )
        )

    def fine_token(
        self, login: str, *repos: str, rights: Mapping[str, str], expires_in: float | None = None
    ) -> str:
        """A person's fine-grained token: rights on chosen repositories."""
        return self.put(
            Token(
                value=f"github_pat_{self.world.new_id():036d}",
                owner=self.account(login),
                kind=Kind.FINE,
                rights=dict(rights),
                repositories=self.ids(repos),
                expires=self.ends(expires_in),
            )
        )

    def app_token(
        self,
        slug: str,
        *repos: str,
        rights: Mapping[str, str] = ACTIONS_RIGHTS,
        expires_in: float | None = 3600,
    ) -> str:
        """An App's installation token; it acts as `slug[bot]`."""
        return self.put(self.integration(slug, repos, rights, Kind.APP, expires_in))

    def app_jwt(self, slug: str, *repos: str, rights: Mapping[str, str] = ACTIONS_RIGHTS) -> str:
        """What an App shows to get an installation token."""
        return self.put(self.integration(slug, repos, rights, Kind.JWT, 600))

    def actions_token(
        self, *repos: str, rights: Mapping[str, str] = ACTIONS_RIGHTS, expires_in: float | None = 86400
    ) -> str:
        """A workflow's own token; it acts as `github-actions[bot]`."""
        return self.put(self.integration("github-actions", repos, rights, Kind.ACTIONS, expires_in))

    def integration(
        self,
        slug: str,
        repos: tuple[str, ...],
        rights: Mapping[str, str],
        kind: Kind,
        expires_in: float | None,
    ) -> Token:
        number = ACTIONS_BOT if kind is Kind.ACTIONS else 0
        return Token(
            value=f"ghs_{self.world.new_id():036d}",
            owner=self.account(f"{slug}[bot]", id=number, kind="Bot"),
            kind=kind,
            app=slug,
            rights=dict(rights),
            repositories=self.ids(repos),
            expires=self.ends(expires_in),
        )

    def put(self, token: Token) -> str:
        with self.world.lock:
            self.world.tokens[token.value] = token
        return token.value

    def ends(self, within: float | None) -> float | None:
        return None if within is None else self.world.clock.now() + within

    def ids(self, repos: tuple[str, ...]) -> frozenset[int] | None:
        return frozenset(self.world.repository(name).id for name in repos) if repos else None

    def repo(
        self, full_name: str, *, source: Path | None = None, private: bool = False, issues: bool = True
    ) -> Repository:
        """Make a repository, empty or with the branches of `source`."""
        owner, _, name = full_name.partition("/")
        with self.world.lock:
            if self.world.find(full_name):
                raise BotError(f"the sandbox has {full_name} already", "choose another name")
            new = Repository(
                id=self.world.new_id(),
                owner=self.account(owner),
                name=name,
                git=self.make_git(full_name, source),
                created=self.world.clock.now(),
                private=private,
                issues=issues,
            )
            self.world.repositories[new.id] = new
            return new

    def make_git(self, full_name: str, source: Path | None) -> git.Repo:
        path = self.world.root / f"{full_name}.git"
        made = backing.create(path)
        if source:
            backing.fetch(made, git.Repo(path=source), "+refs/heads/*:refs/heads/*")
        return made

    def fork(self, full_name: str, owner: str) -> Repository:
        """Make `owner`'s fork, with all branches as they are now."""
        with self.world.lock:
            parent = self.world.repository(full_name)
            new = self.repo(f"{owner}/{parent.name}", source=parent.git.path)
            new.parent, new.default_branch = parent.id, parent.default_branch
            return new

    def commit(
        self,
        repo: str,
        branch: str,
        files: Mapping[str, str | None],
        *,
        message: str = "change",
        by: str = "",
    ) -> str:
        """Commit on a branch of a repository; one that is not there grows from the default branch."""
        with self.world.lock:
            found = self.world.repository(repo)
            refs = backing.refs(found.git)
            parent = refs.get(f"heads/{branch}") or refs.get(f"heads/{found.default_branch}")
            login = by or found.owner.login
            who = backing.Person(
                name=login, email=f"{login}@users.noreply.github.com", date=iso(self.world.clock.now())
            )
            commit = backing.commit_files(found.git, parent, files, message, who)
            backing.set_ref(found.git, f"heads/{branch}", commit)
            return commit

    def branch(self, repo: str, name: str, commit: str) -> None:
        """Make or move (also force) a branch."""
        backing.set_ref(self.world.repository(repo).git, f"heads/{name}", commit)

    def permit(self, repo: str, login: str, level: str) -> None:
        """Give a person read, triage, write, maintain or admin; `none` takes it away."""
        with self.world.lock:
            rights = self.world.repository(repo).rights
            rights.pop(self.account(login).id, None)
            if level != "none":
                rights[self.account(login).id] = level

    def rename(self, old: str, new: str) -> None:
        """Rename a repository; the old name is answered with 301."""
        with self.world.lock:
            found = self.world.repository(old)
            owner, _, name = new.partition("/")
            found.owner, found.name = self.account(owner), name
            self.world.moved[old.lower()] = found.id

    def delete(self, repo: str) -> None:
        with self.world.lock:
            self.world.repository(repo).deleted = True
