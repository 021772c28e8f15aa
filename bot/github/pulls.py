"""Draft pull requests for branches of ours: adopted where one is open, else opened, and never twice."""

from urllib.parse import urlsplit

from msgspec import structs

from bot.carry.backporting import Order, Result, Row, recovery
from bot.github.port import Hub, Refusal
from bot.model import Value
from bot.model.hub import Draft, Pull, Why
from bot.report import backports

#: Rows whose branch stands on the remote.
STANDING = frozenset({Result.PUSHED, Result.ALREADY_PUSHED})


class Ends(Value, frozen=True, kw_only=True):
    """`owner/name` of the upstream and of the repository with our branches."""

    upstream: str
    ours: str


class Opened(Value, frozen=True, kw_only=True):
    """The pull request; `fresh` when this call opened it; `note` what is worth telling."""

    pull: Pull
    fresh: bool = False
    note: str = ""


def repository_of(url: str, api: str) -> str:
    """`owner/name` of a repository on the GitHub with that API; "" for any other address."""
    host = urlsplit(api).netloc.lower().removeprefix("api.")
    place = url.strip()
    if "://" in place:
        parts = urlsplit(place)
        there, path = parts.netloc.rpartition("@")[2].lower(), parts.path
    else:
        left, _, path = place.partition(":")
        there = left.rpartition("@")[2].lower()
    words = path.strip("/").removesuffix(".git").split("/")
    return "/".join(words) if there == host and len(words) == 2 and all(words) else ""  # noqa: PLR2004


def upstream_of(order: Order, api: str) -> str:
    """The upstream's `owner/name` on this GitHub, as asked for or as the manifest has it; else ""."""
    return repository_of(order.proof.spec, api) or repository_of(
        order.proof.patch.manifest.upstream.repo, api
    )


def ends(order: Order, api: str) -> Ends | None:
    """Between which repositories pull requests go; None unless both are on this GitHub."""
    ours = repository_of(order.push_to.typed, api) if order.push_to else ""
    theirs = upstream_of(order, api)
    return Ends(upstream=theirs, ours=ours) if ours and theirs else None


def own_base(hub: Hub, repo: str, number: int) -> str:
    """The branch that a pull request is for; "" where GitHub does not tell, and history has to."""
    try:
        return hub.pull(repo, number).base.branch
    except Refusal:
        return ""


def propose(hub: Hub, ends: Ends, order: Order, row: Row) -> Row:
    """The row with the number of its pull request; what GitHub refuses is said in it."""
    if row.result not in STANDING or not row.branch:
        return row
    owner = ends.ours.partition("/")[0]
    told = carried(order, row)
    draft = Draft(
        head=f"{owner}:{row.branch}",
        base=row.target,
        title=backports.title(told),
        body=backports.body(told),
    )
    try:
        opened = adopt_or_open(hub, ends.upstream, draft)
    except Refusal as refusal:
        reason = f"{row.reason}; no pull request: {refusal.message}"
        return structs.replace(row, result=Result.FAILED, reason=reason)
    note = f"; {opened.note}" if opened.note else ""
    return structs.replace(row, pull_request=opened.pull.number, reason=f"{row.reason}{note}")


def carried(order: Order, row: Row) -> backports.Carried:
    patch = order.proof.patch
    return backports.Carried(
        what=f"{patch.id} {patch.version.id}" if not order.proposal else f"pull request {order.proposal}",
        patch=patch.id,
        subject=patch.manifest.title,
        target=row.target,
        commit=row.commit or "",
        tree=row.tree or "",
        verdict=row.verdict or "",
        reason=row.reason,
        repeat=repeat(order, row),
    )


def repeat(order: Order, row: Row) -> str:
    """The proof on an address that others have too: a path of this machine helps nobody."""
    public = order.proof.patch.manifest.upstream.repo
    if "://" not in recovery.upstream_spec(order) and public:
        order = structs.replace(order, proof=structs.replace(order.proof, spec=public))
    again = recovery.judge(order, row.target, order.proposal) if order.proposal else None
    return (again or recovery.prove(order, row.target))[0]


def adopt_or_open(hub: Hub, repo: str, draft: Draft) -> Opened:
    """The one open pull request of this head and base. Raises Refusal.

    Closed ones are over, and are not told as the result. GitHub holds it to one open pull request, so that of
    two runs at once one is told that it is there already.
    """
    there = find(hub, repo, draft)
    if there:
        return adopted(hub, repo, there, draft)
    try:
        return Opened(pull=hub.open_pull(repo, draft), fresh=True)
    except Refusal as refusal:
        there = find(hub, repo, draft) if refusal.why is Why.INVALID else None
        if there is None:
            raise
    return adopted(hub, repo, there, draft)


def find(hub: Hub, repo: str, draft: Draft) -> Pull | None:
    """The oldest open one of this very head and base: GitHub's own filter is not relied on."""
    owner, _, branch = draft.head.rpartition(":")
    for pull in hub.pulls(repo, head=draft.head, base=draft.base):
        whose = pull.head.repository.name.partition("/")[0] if pull.head.repository else ""
        same = pull.head.branch == branch and whose.lower() in {owner.lower(), ""}
        if pull.open and same and pull.base.branch == draft.base:
            return pull
    return None


def adopted(hub: Hub, repo: str, pull: Pull, draft: Draft) -> Opened:
    """The pull request as it is; only words that are ours and that nobody touched are renewed."""
    if not backports.is_untouched(pull.body):
        return Opened(pull=pull, note="its words are a person's by now, and were left")
    if pull.body.replace("\r\n", "\n").strip() == draft.body.strip():
        return Opened(pull=pull)
    if pull.author.id != hub.me().id:
        return Opened(pull=pull, note="another account opened it")
    return Opened(pull=hub.edit_pull(repo, pull.number, title=pull.title, body=draft.body))
