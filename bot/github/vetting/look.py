"""What GitHub shows of a pull request's way through upstream's process; each read may be refused."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from bot.github.port import Hub, Refusal
from bot.github.vetting import approvals, forms
from bot.github.vetting.decide import RELEASE
from bot.model.hub import CheckRun, Comment, Pull, Why, WorkflowRun
from bot.model.patch import Vetting
from bot.model.vetting import Seen

Read = TypeVar("Read")
#: Refusals that hide one thing and not the rest: an outsider's token may not see everything.
HIDDEN = frozenset({Why.FORBIDDEN, Why.MISSING, Why.GONE, Why.LOCKED, Why.BROKEN, Why.INVALID})
NO_PULLS: tuple[Pull, ...] = ()
NO_RUNS: tuple[WorkflowRun, ...] = ()


class Reader:
    """Reads of one pull request; what was refused is remembered by name in `untold`."""

    def __init__(self, hub: Hub, repo: str, pull: Pull) -> None:
        self.hub = hub
        self.repo = repo
        self.pull = pull
        self.untold: list[str] = []

    def attempt(self, name: str, read: Callable[[], Read], otherwise: Read) -> Read:
        """What `read` says. Raises Refusal for a dead token or a dead connection, which hide everything."""
        try:
            return read()
        except Refusal as refusal:
            if refusal.why not in HIDDEN:
                raise
            self.untold.append(name)
            return otherwise


def look(hub: Hub, repo: str, number: int, vetting: Vetting, now: str) -> Seen:
    """What `decide` needs, and no more. Raises Refusal where the pull request cannot be read."""
    pull = hub.pull(repo, number)
    reader = Reader(hub, repo, pull)
    if pull.merged:
        carried = reader.attempt("carried", partial(carriers, hub, repo, pull), NO_PULLS)
        return Seen(vetting=vetting, pull=pull, now=now, carried=carried, untold=tuple(reader.untold))
    if not pull.open:
        return Seen(vetting=vetting, pull=pull, now=now)
    return look_open(reader, vetting, now)


def look_open(reader: Reader, vetting: Vetting, now: str) -> Seen:
    hub, repo, pull = reader.hub, reader.repo, reader.pull
    mirror = read_mirror(reader, vetting)
    comments: tuple[Comment, ...] = reader.attempt("comments", lambda: hub.comments(repo, pull.number), ())
    me = reader.attempt("account", lambda: hub.me().id, 0)
    return Seen(
        vetting=vetting,
        pull=pull,
        now=now,
        mirror=mirror,
        comments=comments,
        reactions=dict(read_reactions(reader, comments)),
        checks=read_checks(reader, pull.head.commit),
        older_checks=read_checks(reader, mirror) if mirror and mirror != pull.head.commit else (),
        runs=read_runs(reader, mirror),
        queued_merge=in_queue(reader),
        untold=tuple(dict.fromkeys(reader.untold)),
        me=me,
    )


def read_mirror(reader: Reader, vetting: Vetting) -> str | None:
    name = vetting.mirror_ref.replace("{number}", str(reader.pull.number))
    if not name:
        return None
    nothing: str | None = None
    return reader.attempt("mirror", lambda: reader.hub.ref(reader.repo, f"heads/{name}"), nothing)


def read_reactions(reader: Reader, comments: tuple[Comment, ...]) -> Iterator[tuple[int, bool]]:
    """For each comment that could approve the head: whether upstream's gate answered with 👍."""
    head = reader.pull.head.commit
    for comment in comments:
        form = forms.read(comment.body)
        if form is None or form.uncounted or not head.startswith(form.commit):
            continue
        answer = reader.attempt("reactions", partial(answered, reader, comment), None)
        if answer is not None:
            yield comment.id, answer


def answered(reader: Reader, comment: Comment) -> bool | None:
    found = reader.hub.reactions(reader.repo, comment.id)
    return any(one.content == "+1" and approvals.is_gatekeeper(one.author) for one in found)


def read_checks(reader: Reader, commit: str) -> tuple[CheckRun, ...]:
    return reader.attempt("checks", lambda: reader.hub.check_runs(reader.repo, commit), ())


def read_runs(reader: Reader, mirror: str | None) -> tuple[WorkflowRun, ...]:
    """Runs of the head, and of the commit that was vetted before."""
    found: tuple[WorkflowRun, ...] = ()
    for commit in dict.fromkeys(filter(None, (reader.pull.head.commit, mirror))):
        found += reader.attempt(
            "runs", partial(reader.hub.workflow_runs, reader.repo, commit=commit), NO_RUNS
        )
    return found


def in_queue(reader: Reader) -> bool:
    """Only an approved pull request can be in the merge queue; the others spare us the list of branches."""
    pull = reader.pull
    if not {"approved", "final review"} & {label.casefold() for label in pull.labels}:
        return False
    name = re.compile(rf"gh-readonly-queue/.+/pr-{pull.number}-[0-9a-f]+")
    branches: tuple[str, ...] = reader.attempt("branches", lambda: reader.hub.branches(reader.repo), ())
    return any(name.fullmatch(branch) for branch in branches)


def carriers(hub: Hub, repo: str, pull: Pull) -> tuple[Pull, ...]:
    """Pull requests that carry a merged one to releases and to the other main branch."""
    owner = repo.partition("/")[0]
    names = [f"cherry-pick-{pull.number}-{label}" for label in pull.labels if RELEASE.fullmatch(label)]
    if pull.base.branch == "dev":
        names.append(f"copy-pr-{pull.number}-to-main")
    found = [one for name in names for one in hub.pulls(repo, head=f"{owner}:{name}", state="all")]
    if pull.base.branch == "main":
        found += [one for one in hub.pulls(repo, base="dev") if one.head.branch.startswith("main2dev/")]
    return tuple(found)
