"""What one would be vetting: files, paths of weight, commits, signatures, sign-offs, what is new since."""

import re

from bot.github.port import Hub
from bot.github.vetting.areas import touched
from bot.github.vetting.look import Reader
from bot.model.hub import ChangedFile, Commit
from bot.model.vetting import Likeness, Offer, Seen

#: A trailer of the Developer Certificate of Origin; its address is the author's.
SIGN_OFF = re.compile(r"^signed-off-by: *(?P<who>.+)$", re.IGNORECASE | re.MULTILINE)


def read_offer(hub: Hub, repo: str, seen: Seen, likeness: Likeness = Likeness.UNKNOWN) -> Offer:
    """`likeness` is told by a proof of the proposal, which compares its change with the patch's version."""
    reader = Reader(hub, repo, seen.pull)
    number = seen.pull.number
    files: tuple[ChangedFile, ...] = reader.attempt("files", lambda: hub.files(repo, number), ())
    commits: tuple[Commit, ...] = reader.attempt("commits", lambda: hub.commits(repo, number), ())
    since = read_since(reader, seen)
    return Offer(
        files=files,
        touched=touched(files),
        commits=commits,
        unsigned=tuple(one.id for one in commits if not signed_off(one)),
        likeness=likeness,
        vetted_head=seen.mirror,
        since=since,
        hidden=tuple(reader.untold),
    )


def read_since(reader: Reader, seen: Seen) -> tuple[ChangedFile, ...] | None:
    """Files that differ from the commit that was vetted last."""
    old, new = seen.mirror, seen.pull.head.commit
    if old is None:
        return None
    if old == new:
        return ()
    nothing: tuple[ChangedFile, ...] | None = None
    return reader.attempt("compare", lambda: reader.hub.compare(reader.repo, old, new), nothing)


def signed_off(commit: Commit) -> bool:
    """Whether the author himself signed off: the same address, and the same name but for its case."""
    author = folded(commit.author)
    return any(folded(hit["who"]) == author for hit in SIGN_OFF.finditer(commit.message))


def folded(who: str) -> tuple[str, str]:
    """Name and address of `Name <address>`, without case and needless blanks."""
    name, _, rest = who.partition("<")
    return " ".join(name.split()).casefold(), rest.partition(">")[0].strip().casefold()
