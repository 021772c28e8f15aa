"""From findings to rows, and to subjects with their trees made in the object store."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from bot import git
from bot.errors import BotError, Exit
from bot.model import PROVABLE, Row, Subject
from bot.survey.found import Finding

#: The blob id of each patched text.
Written = Mapping[bytes, str]


def texts(found: Sequence[Finding]) -> tuple[list[bytes], int]:
    """Every patched text, each once, and how many digits an id has here."""
    digits = max((len(one.sight.ref.head or "") for one in found), default=0)
    return list(dict.fromkeys(text for one in found for text in one.patched.values())), digits


def named(found: Sequence[Finding]) -> Written:
    """The id of every patched text; the store need not have it."""
    wanted, digits = texts(found)
    return {text: git.object_id("blob", text, digits) for text in wanted}


def write(store: git.Repo, found: Sequence[Finding]) -> Written:
    """Write every patched text to the store, each once."""
    wanted, digits = texts(found)
    return dict(zip(wanted, git.write_blobs(store, wanted, digits), strict=True))


def row(found: Finding, written: Written) -> Row:
    ref, spots = found.sight.ref, found.spots
    patched = next(iter(found.patched.values()), None)
    return Row(
        ref=ref.full,
        name=ref.name,
        head=ref.head,
        state=found.state,
        detail=found.detail,
        offset=spots[0].offset if spots else None,
        blob=found.sight.blobs[0] if found.sight.blobs else None,
        patched_blob=written[patched] if patched is not None else None,
        hunks=spots,
        blame=found.blame,
        overlay=found.overlay,
    )


def trees(store: git.Repo, found: Sequence[Finding]) -> list[str | None]:
    """The root tree of each ref whose head is in the store."""
    specs = [f"{ref.head}^{{tree}}" if (ref := one.sight.ref).head else "" for one in found]
    entries = git.look_up(store, list(dict.fromkeys(filter(None, specs))))
    return [entry.id if (entry := entries.get(spec)) else None for spec in specs]


def make(found: Finding, written: Written, tree: str | None) -> Subject:
    """The subject without its tree after; `after_blobs` says what will be in it."""
    sight, made = found.sight, row(found, written)
    before = {path: blob for path, blob in zip(sight.paths, sight.blobs, strict=False) if blob}
    provable = made.state in PROVABLE and tree is not None
    after = {path: written[text] for path, text in found.patched.items()} if provable else {}
    return Subject(
        kind="branch",
        name=made.name,
        head=made.head,
        base_commit=made.head,
        row=made,
        before_tree=tree,
        before_blobs=before,
        after_blobs=after,
        patched_blobs=after,
    )


def with_trees(store: git.Repo, plain: Sequence[Subject]) -> tuple[Subject, ...]:
    """Make the trees after of all subjects together."""
    wanted = {
        one.row.ref: (one.before_tree, one.after_blobs)
        for one in plain
        if one.before_tree and one.after_blobs
    }
    made = dict(zip(wanted, git.trees_with(store, list(wanted.values())), strict=True))
    return tuple(with_tree(one, made.get(one.row.ref)) for one in plain)


def with_tree(plain: Subject, after: str | None) -> Subject:
    """Raises BotError when an applied patch leaves the tree as it was."""
    if plain.row.state in PROVABLE and after in {None, plain.before_tree}:
        raise BotError(
            f"the patch was applied to {plain.name} and its tree is what it was",
            "this is a bug of upstream-bot: please report it with the patch",
            Exit.BUG,
        )
    return structs.replace(plain, after_tree=after)
