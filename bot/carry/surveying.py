"""From a patch and an upstream to a whole survey: refs, states, expectations, and what was seen before."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import field

from bot import upstream
from bot.carry import memory
from bot.catalog import Refused
from bot.git.beside import beside
from bot.model import (
    NOTHING_TO_CURE,
    PROVABLE,
    SURVEY_SCHEMA,
    Broken,
    Expect,
    Patch,
    Ref,
    Row,
    State,
    Survey,
    Value,
)
from bot.upstream.choosing import HEADS

#: Called with how much is done, of how much (0: not known), and what is being done.
Progress = Callable[[int, int, str], None]


class SurveyOrder(Value, frozen=True, kw_only=True):
    """What people asked for: `branches` and `refs` are globs or full names; none means all branches.

    `last` are heads seen before, by full name, beside those that the cache remembers.
    """

    patch: Patch | Refused
    spec: str
    cache: Path
    branches: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    last: dict[str, str] = field(default_factory=dict)

    @property
    def everything(self) -> bool:
        return not self.branches and not self.refs


class Surveyed(Value, frozen=True, kw_only=True):
    """A survey, and the upstream and refs that it was made of."""

    source: upstream.Upstream
    refs: tuple[Ref, ...]
    survey: Survey


def survey_refs(order: SurveyOrder, progress: Progress) -> Surveyed:
    """The state of the patch on everything that was asked for. Raises BotError."""
    began = time.monotonic()
    listing = beside(lambda: listed(order, progress))
    from bot import survey  # noqa: F401 (its import takes as long as git does to list the refs)

    source, last, refs = listing.result()
    progress(0, 0, f"looking at {len(refs)} targets")
    rows = look(order, source, refs, last)
    if source.has_history:
        memory.write(order.cache, order.spec, refs, last)
    made = Survey(
        schema=SURVEY_SCHEMA,
        patch=order.patch.manifest.id,
        version=order.patch.version.id,
        upstream=source.spec,
        seconds=round(time.monotonic() - began, 3),
        counts=counted(rows),
        rows=rows,
        broken=tuple(broken(order.patch, rows)),
    )
    return Surveyed(source=source, refs=refs, survey=made)


Listed = tuple[upstream.Upstream, dict[str, str], tuple[Ref, ...]]


def listed(order: SurveyOrder, progress: Progress) -> Listed:
    """The upstream, the heads that were seen before, and the refs that are asked for, brought here."""
    source = upstream.open_upstream(order.spec, cache=order.cache, notice=lambda text: progress(0, 0, text))
    last = {**memory.read(order.cache, order.spec), **order.last} if source.has_history else {}
    return source, last, source.fetch(wanted(order, source, last))


def wanted(order: SurveyOrder, source: upstream.Upstream, last: Iterable[str]) -> tuple[Ref, ...]:
    """The refs that are asked for; with all branches, also those that manifest or memory name in vain."""
    found = source.find(order.branches, order.refs)
    if not order.everything:
        return found
    known = {ref.full for ref in found}
    named = [HEADS + one.name for one in order.patch.manifest.branches if is_kind(one.name, source)]
    remembered = [full for full in last if full.startswith(HEADS)]
    absent = [full for full in dict.fromkeys([*named, *remembered]) if full not in known]
    return found + tuple(Ref(full=full, name=full.removeprefix(HEADS), missing=True) for full in absent)


def is_kind(name: str, source: upstream.Upstream) -> bool:
    """Whether a branch of the manifest is one of this kind of upstream."""
    return name.startswith("pypi/") != source.has_history


def look(
    order: SurveyOrder, source: upstream.Upstream, refs: Sequence[Ref], last: dict[str, str]
) -> tuple[Row, ...]:
    if isinstance(order.patch, Refused):
        return tuple(invalid(ref, order.patch.reason) for ref in refs)
    from bot import survey

    patch = order.patch
    paths = sorted({change.path for changes in patch.variants.values() for change in changes})
    origin = [patch.version.base.commit] if source.has_history else []
    commits = [commit for commit in origin if source.bring_commit(commit)]
    source.bring_versions([*commits, *(ref.head for ref in refs if ref.head)], paths)
    past = survey.Past(last=last, bring=source.bring_versions)
    return survey.survey(source.store, patch, refs, has_history=source.has_history, past=past)


def invalid(ref: Ref, reason: str) -> Row:
    return Row(ref=ref.full, name=ref.name, head=ref.head, state=State.PATCH_INVALID, detail=reason)


def counted(rows: Iterable[Row]) -> dict[str, int]:
    """How many rows are in each state, in the order of the list of states."""
    found = Counter(row.state for row in rows)
    return {state.value: found[state] for state in State if found[state]}


def broken(patch: Patch | Refused, rows: Iterable[Row]) -> Iterator[Broken]:
    """The branches that are not what the manifest expects: affected is where the patch can be carried."""
    expected = {one.name: one.expect for one in patch.manifest.branches}
    for row in rows:
        expect = expected.get(row.name, Expect.UNKNOWN)
        if not row.ref.startswith(HEADS) or expect is Expect.UNKNOWN:
            continue
        if row.state not in (PROVABLE if expect is Expect.AFFECTED else NOTHING_TO_CURE):
            yield Broken(name=row.name, expect=expect, state=row.state)


def is_red(made: Survey) -> bool:
    """Whether something needs somebody: an expectation is broken, or something could not be found out."""
    bad = {State.UNKNOWN, State.PATCH_INVALID}
    return bool(made.broken) or any(row.state in bad for row in made.rows)
