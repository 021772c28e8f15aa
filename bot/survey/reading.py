"""What a patch is to one version of one file: application, anchors, merge, and what is there already."""

from collections.abc import Iterator

from bot.model import HunkPlace, Value
from bot.survey import anchors, apply, hunks, merged, partial, places, settled
from bot.survey.decide import Merge


class Reading(Value, frozen=True, kw_only=True):
    """The facts of one file; `strict` and `clean` are the two results, None where there is none.

    `anchored`: the manifest names an anchor here, and that tells whether there is something to cure.
    `size` is the text's in bytes, where there is something to judge.
    """

    path: str
    anchored: bool
    absent: str = ""
    unclear: str = ""
    applied: apply.Applied = apply.Applied(data=None, fits=())
    reverses: bool = False
    objection: str = ""
    landed: bool = False
    there: int = 0
    changes: int = 0
    merge: Merge = Merge.NO_BASE
    merge_fits: bool = False
    clean: bytes | None = None
    spots: tuple[HunkPlace, ...] = ()
    size: int | None = None

    @property
    def strict(self) -> bytes | None:
        return self.applied.data

    @property
    def failed(self) -> str:
        """What does not apply here, for the report; "" when all does."""
        if self.absent or self.strict is not None:
            return self.absent and self.path
        return f"hunk {self.applied.fits.index(None) + 1} of {self.path}"


class Text(Value, frozen=True, kw_only=True):
    """One version of one file that has something to judge; `inside`: the anchors around each hunk's place."""

    work: places.Work
    body: hunks.Body
    found: dict[str, anchors.Found]
    applied: apply.Applied
    inside: tuple[frozenset[str], ...]

    @property
    def path(self) -> str:
        return self.work.change.path

    @property
    def data(self) -> bytes:
        return self.body.data

    @property
    def settled(self) -> bool:
        """Whether an anchor confirms each hunk, and a clean merge could say nothing else."""
        held = self.work.base is not None and len(self.inside) == len(self.work.change.hunks)
        return held and all(self.inside) and settled.settled(self.body, self.work.change.hunks, self.applied)


def without_file(work: places.Work) -> Reading:
    path = work.change.path
    return Reading(path=path, anchored=bool(work.symbols), absent=f"{path} is not there")


def open_text(work: places.Work, data: bytes) -> Text | Reading:
    """The text with its anchors and the strict application, or the reading when no anchor is there."""
    path, found = work.change.path, places.find_all(data, work.symbols)
    if found and all(one.absent for one in found.values()):
        verb = "is" if len(found) == 1 else "are"
        return Reading(path=path, anchored=True, absent=f"{work.where} {verb} not in {path}")
    body = hunks.Body(data)
    applied = apply.apply_to(body, work.change.hunks)
    return Text(
        work=work,
        body=body,
        found=found,
        applied=applied,
        inside=landings(work, found, applied),
    )


def landings(work: places.Work, found: places.Found, applied: apply.Applied) -> tuple[frozenset[str], ...]:
    """The anchors around each hunk, before and after; nothing unless all hunks went in."""
    if applied.data is None:
        return ()
    after = places.find_all(applied.data, work.symbols)
    pairs = zip(work.change.hunks, applied.fits, strict=True)
    return tuple(places.landed_in(found, after, hunk, fit) for hunk, fit in pairs if fit)


def judge(text: Text, clean: bytes | None) -> Reading:
    """The whole reading; `clean` is the merge result, None when there is no base or it conflicts."""
    said = compare(text, clean)
    unclear = [f"{symbol} {one.unclear} in {text.path}" for symbol, one in text.found.items() if one.unclear]
    objection = next(objections(text, said), "")
    return Reading(
        path=text.path,
        anchored=bool(text.work.symbols),
        unclear=next(iter(unclear), ""),
        applied=text.applied,
        reverses=apply.reverses(text.body, text.work.change.hunks),
        objection=objection,
        landed=landed(text, said),
        there=there(text),
        changes=sum(map(partial.changes, text.work.change.hunks)),
        merge=said,
        merge_fits=merged.fits(text.work, text.data, clean) if said is Merge.OTHER else not objection,
        clean=clean,
        spots=spots(text, clean),
        size=len(text.data),
    )


def compare(text: Text, clean: bytes | None) -> Merge:
    if text.work.base is None:
        return Merge.NO_BASE
    if clean is None:
        return Merge.CONFLICT
    if clean == text.data:
        return Merge.UNCHANGED
    return Merge.SAME if clean == text.applied.data else Merge.OTHER


def objections(text: Text, said: Merge) -> Iterator[str]:
    """Why the place of a strict application is not confirmed, the gravest first."""
    for index, inside in enumerate(text.inside):
        fit, wanted = text.applied.fits[index], text.work.wanted(index)
        name, line = f"hunk {index + 1} of {text.path}", fit.old_line + 1 if fit else 0
        if wanted and not inside & wanted:
            yield f"{name} would land at line {line}, outside {' and '.join(sorted(wanted))}"
        if fit and fit.places > 1:
            yield f"{name} fits in {fit.places} places"
        if not wanted and said is not Merge.SAME:
            yield f"no anchor and no clean merge confirms line {line} for {name}"
    if text.inside and not text.applied.in_order:
        yield f"the hunks of {text.path} would land in another order"


def landed(text: Text, said: Merge) -> bool:
    """Whether each post-image sits in its anchor; one without an anchor needs the merge's word."""
    idle = said is Merge.UNCHANGED
    for index, hunk in enumerate(text.work.change.hunks):
        wanted = text.work.wanted(index)
        stands = bool(places.standing_in(text.found, text.body, hunk) & wanted) if wanted else idle
        # Where the merge finds nothing to do, the lines around a change may have moved on.
        if not stands and not (idle and there_in(text, index) == partial.changes(hunk)):
            return False
    return True


def there(text: Text) -> int:
    """Changed lines that are in place, in hunks that do not apply."""
    return sum(there_in(text, index) for index, fit in enumerate(text.applied.fits) if fit is None)


def there_in(text: Text, index: int) -> int:
    hunk, wanted = text.work.change.hunks[index], text.work.wanted(index)
    if not wanted:
        return partial.there(hunk, text.body.lines, range(len(text.body.lines)))
    held = [one.span.lines for symbol, one in text.found.items() if symbol in wanted and one.span]
    whole = max((partial.there(hunk, text.body.lines, inside) for inside in held), default=0)
    return whole or max((partial.there_nearly(hunk, text.body.lines, inside) for inside in held), default=0)


def spots(text: Text, clean: bytes | None) -> tuple[HunkPlace, ...]:
    """Where the hunks landed: strictly when all did, else by the merge."""
    if not text.inside:
        return merged.spots(text.work, text.data, clean)
    return tuple(
        places.spot(text.work, index, fit.old_line, inside)
        for index, (fit, inside) in enumerate(zip(text.applied.fits, text.inside, strict=True))
        if fit
    )
