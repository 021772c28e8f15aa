"""Controls, the proof of the proof: made from the patch itself, and judged by who notices them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from bot import model
from bot.model import Anchor
from bot.proof.controls import region, sham
from bot.proof.controls.ablation import ablations
from bot.proof.controls.control import Control
from bot.proof.controls.holding import hold
from bot.proof.controls.mutants import mutants
from bot.proof.controls.region import Region

__all__ = ["Control", "generate", "hold"]

Texts = Mapping[str, bytes]


def generate(
    asked: model.Controls, before: Texts, after: Texts, anchors: Sequence[Anchor]
) -> tuple[Control, ...]:
    """Make the controls of one target from the texts of its touched files: the same ones every time.

    A control that cannot be made, or would say what before, after or another control says, is not there.
    """
    changed = [one for path in sorted(after) for one in region.cut(path, before.get(path, b""), after[path])]
    out = [(one, what, text) for one in changed for what, text in ablations(one)]
    wrong = mutants(changed, [(one, text) for one, _, text in out]) if asked.mutants else ()
    return (
        *(shams(changed, before, anchors) if asked.sham else ()),
        *(made("ablation", after, one) for one in out if asked.ablation),
        *(made("mutant", after, one) for one in wrong),
    )


def shams(changed: Sequence[Region], before: Texts, anchors: Sequence[Anchor]) -> Iterator[Control]:
    """At most one, with a comment in each file that can take one."""
    files = {}
    for path in dict.fromkeys(one.path for one in changed if one.path in before):
        own = [one for one in changed if one.path == path]
        text = sham.commented(before[path], own, anchors)
        if text is not None:
            files[path] = text
    if files:
        yield Control(kind="sham", what="a comment only", files={**before, **files})


def made(kind: Literal["ablation", "mutant"], after: Texts, one: tuple[Region, str, bytes]) -> Control:
    where, what, text = one
    return Control(kind=kind, what=what, files={**after, where.path: where.whole(text)})
