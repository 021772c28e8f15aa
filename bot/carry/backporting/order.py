"""The nouns of a backport: what was asked for, and what became of each target."""

from enum import StrEnum

from bot.carry import proving
from bot.model import State, TargetEvidence, Value, Verdict
from bot.upstream.address import Address


class Person(Value, frozen=True, kw_only=True):
    """Who commits and signs off."""

    name: str
    email: str


class Place(Value, frozen=True, kw_only=True):
    """A repository that is pushed to; `typed` is what people may read and paste.

    `header` opens it over https; git has it from its environment, for this host alone.
    """

    address: Address
    typed: str
    header: str = ""


class Order(Value, frozen=True, kw_only=True):
    """What people asked for. `targets` are full branch names; none means the manifest's affected ones.

    `proof` says which patch and upstream, and how it is proven. Without `push_to` the commits stay in the
    cache. `proposal` is a pull request whose diff is carried instead, `base` the branch it is for.
    """

    proof: proving.Order
    committer: Person
    targets: tuple[str, ...] = ()
    push_to: Place | None = None
    proposal: int | None = None
    base: str = ""
    dry_run: bool = False


class Result(StrEnum):
    PUSHED = "pushed"
    ALREADY_PUSHED = "already_pushed"
    WOULD_PUSH = "would_push"
    KEPT = "kept"  # in the cache's store: nobody said where to push
    NOT_NEEDED = "not_needed"
    CONFLICTS = "conflicts"
    UNPROVEN = "unproven"
    REFUSED = "refused"  # by a rule of ours or the patch's
    BLOCKED = "blocked"  # the branch holds what is not ours
    FAILED = "failed"  # a tool, the disk or the network


#: Nothing is left to do by hand for these.
FINE = frozenset({Result.PUSHED, Result.ALREADY_PUSHED, Result.WOULD_PUSH, Result.KEPT, Result.NOT_NEEDED})


class Row(Value, frozen=True, kw_only=True):
    """What became of one target. `recovery` are commands, to be run where the bot was."""

    target: str
    head: str | None = None
    state: State | None = None
    verdict: Verdict | None = None
    result: Result
    branch: str | None = None
    commit: str | None = None
    tree: str | None = None
    reason: str
    recovery: tuple[str, ...] = ()
    pull_request: int | None = None


def is_red(row: Row) -> bool:
    return row.result not in FINE


def told(seen: TargetEvidence, target: str, result: Result, reason: str) -> Row:
    """A row with what the proof says of its target."""
    return Row(
        target=target,
        result=result,
        reason=reason,
        head=seen.head,
        state=seen.state,
        verdict=seen.verdict,
    )
