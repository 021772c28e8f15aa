"""Where a patch is applied: a directory that its paths lie below, and what is known of its files' origin."""

from pathlib import Path

from msgspec import field

from bot.model import Value


class Place(Value, frozen=True, kw_only=True):
    """`root` is real: no symbolic link leads to it. `name` is the branch or release whose variant is meant.

    `memory` is the folder for our records, below `keeper`, which may be a git directory. `checkout` is that
    directory and `head` its commit, where there are any. `origin` has, for files whose bytes of before are
    known by another than us, the id of those bytes: a SHA-256 or a git blob's; `voucher` says by whom.
    `removed_by` is how people get the untouched files back without us.
    """

    root: Path
    name: str
    title: str
    keeper: Path
    memory: str
    checkout: Path | None = None
    head: str = ""
    origin: dict[str, str] = field(default_factory=dict)
    voucher: str = ""
    removed_by: str = ""
