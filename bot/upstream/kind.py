"""The one shape that every kind of upstream has."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bot import git
from bot.model import Ref

#: Told a sentence before each long step.
Notice = Callable[[str], None]


class Upstream(Protocol):
    @property
    def spec(self) -> str:
        """What reports show: a URL without credentials, `pypi:<name>` or `local:<directory name>`."""

    @property
    def has_history(self) -> bool: ...

    @property
    def store(self) -> git.Repo:
        """Our own scratch store: everything that was fetched can be read, our objects may be written.

        No look-up in it asks the network: an object that was not brought is simply not there. Where the
        upstream is shallow, the store has a `shallow` file too, and ancestry in it proves nothing.
        """

    def refs(self) -> tuple[Ref, ...]:
        """Everything there is now, with heads where that is cheap. Raises BotError when unreachable."""

    def find(self, branches: Sequence[str], patterns: Sequence[str]) -> tuple[Ref, ...]:
        """`choose` over the refs there are; asks the network only when it has to."""

    def recall(self, names: Sequence[str]) -> tuple[Ref, ...]:
        """`remembered` over the refs there are; asks the network only when it has to."""

    def heads_now(self, fulls: Sequence[str]) -> Mapping[str, str | None]:
        """Where exactly these refs are by now; what is not there any more is left out. Raises BotError."""

    def fetch(self, refs: Sequence[Ref]) -> tuple[Ref, ...]:
        """Bring commits and trees of `refs`; each comes back with its head in the store, or a `problem`."""

    def bring_commit(self, commit: str) -> bool:
        """Bring an exact commit, by id if no ref points there any more; whether it is in the store."""

    def bring_versions(self, commits: Sequence[str], paths: Sequence[str]) -> None:
        """Bring these single files of many commits at once; what cannot be had stays absent."""

    def bring_files(self, commit: str, paths: Sequence[str]) -> None:
        """Bring all blobs below `paths` (the whole tree when empty) of a commit that is in the store."""
