"""10,000 generated texts and patches: the applier in the process makes what `git apply --cached` makes."""

import difflib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from bot import git
from bot.model import Hunk
from bot.survey import hunks
from bot.survey.apply import apply

if TYPE_CHECKING:
    from tests.survey.conftest import Plant

BATCHES, SIZE = 10, 1000
#: Few different lines, so that twins, overlaps and several places are the rule.
WORDS = ["a", "b", "c", "", "  a", "}", "a\r", "return x"]
Lines = list[str]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A text in git's index under its own name, and a patch of that name."""

    name: str
    text: bytes
    patch: bytes
    hunks: tuple[Hunk, ...]


def pairs(plant: "Plant", seed: int) -> list[Pair]:
    source = random.Random(seed)
    made: list[Pair] = []
    while len(made) < SIZE:
        before, context = lines(source), source.choice([3, 3, 3, 3, 2, 1, 0])
        after = edited(source, before, source.randint(1, 4))
        if before != after:
            name = f"f{len(made)}"
            patch = unified(before, after, name, context)
            text = "".join(moved(source, before, after)).encode()
            pair = Pair(name=name, text=text, patch=patch, hunks=tuple(plant.hunks(patch)))
            made += [] if glued(pair) else [pair]
    return made


def lines(source: random.Random) -> Lines:
    """A text of up to 60 lines; one in eight has no line feed at its end."""
    made = [f"{source.choice(WORDS)}\n" for _ in range(source.choice([1, 4, 9, 20, 60]))]
    if source.random() < 0.3:
        made = [f"{number}\n" if source.random() < 0.8 else line for number, line in enumerate(made)]
    bare = made[-1].removesuffix("\n")
    return [*made[:-1], bare] if bare and source.random() < 0.125 else made


def edited(source: random.Random, before: Sequence[str], times: int) -> Lines:
    """Some lines cut out, put in or changed; only the last one may lack its line feed."""
    made = list(before)
    for _ in range(times):
        at = source.randint(0, len(made))
        made[at : at + source.choice([0, 0, 1, 1, 2, 6])] = [
            f"{source.choice([*WORDS, 'new'])}\n" for _ in range(source.choice([0, 1, 1, 2, 5]))
        ]
    return [line if line.endswith("\n") else f"{line}\n" for line in made[:-1]] + made[-1:]


def moved(source: random.Random, before: Lines, after: Lines) -> Lines:
    """What a branch may have made of the text: lines above and below, edits, twins, halves swapped."""
    top = [f"{source.choice(WORDS)}\n" for _ in range(source.choice([0, 1, 3, 9]))]
    whole = [*before[:-1], before[-1].removesuffix("\n") + "\n"]
    cut = source.randint(0, len(before))
    ways = (
        before, after, top + before, top + before, whole + top, whole + before, whole[cut:] + whole[:cut],
        edited(source, before, 1), edited(source, top + before, 2),
    )  # fmt: skip
    return source.choice(ways)


def unified(before: Lines, after: Lines, name: str, context: int) -> bytes:
    head = f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n"
    body = list(difflib.unified_diff(before, after, n=context))[2:]
    ended = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in body)
    return (head + "".join(ended)).encode()


def indexed(store: git.Repo, batch: Sequence[Pair], env: dict[str, str]) -> None:
    """Put all texts into the index: one pack, one tree."""
    stream = b"commit refs/heads/fuzz\ncommitter A <a@b.c> 0 +0000\ndata 0\n"
    for pair in batch:
        stream += b"M 100644 inline %s\ndata %d\n%s\n" % (pair.name.encode(), len(pair.text), pair.text)
    git.must(store, "fast-import", "--quiet", "--force", data=stream)
    git.must(store, "read-tree", "refs/heads/fuzz", env=env)


def git_made(store: git.Repo, batch: Sequence[Pair]) -> dict[str, str]:
    """The blob id that `git apply --cached` leaves for each pair that it takes: two processes for all.

    The first asks which ones fail, for one failure would stop all the others too.
    """
    env = {"GIT_INDEX_FILE": str(store.path / "fuzz-index")}
    indexed(store, batch, env)
    told = git.call(store, "apply", "--check", "--cached", "-", data=joined(batch), env=env).err
    failing = set(re.findall(rb"^error: (f\d+): patch does not apply$", told, re.MULTILINE))
    taken = [pair for pair in batch if pair.name.encode() not in failing]
    git.must(store, "apply", "--cached", "-", data=joined(taken), env=env)
    listed = git.must(store, "ls-files", "--stage", env=env).text.splitlines()
    ids = {line.partition("\t")[2]: line.split(" ")[1] for line in listed}
    return {pair.name: ids.get(pair.name, "deleted") for pair in taken}


def joined(batch: Sequence[Pair]) -> bytes:
    return b"".join(pair.patch for pair in batch)


def differences(batch: Sequence[Pair], theirs: dict[str, str]) -> Iterator[Pair]:
    for pair in batch:
        data = apply(pair.text, pair.hunks).data
        ours = git.object_id("blob", data, 40) if data is not None else None
        if ours != theirs.get(pair.name):
            yield pair


def glued(pair: Pair) -> bool:
    """Whether git may take the beginning of a line for the last line without feed that the patch asks for.

    It then drops the line feed, or glues the rest of the line on: that is no full context, and the applier
    never does it.
    """
    old = b"".join(hunks.old_image(pair.hunks[-1]))
    begun = re.search(rb"^" + re.escape(old) + rb"\s", pair.text, re.MULTILINE)
    return not old.endswith(b"\n") and begun is not None


@pytest.mark.parametrize("seed", range(BATCHES))
def test_a_thousand_generated_pairs_come_out_as_git_makes_them(plant: "Plant", seed: int) -> None:
    batch = pairs(plant, seed)
    theirs = git_made(plant.store, batch)
    assert SIZE / 5 < len(theirs) < SIZE * 4 / 5, "both outcomes must be common"
    different = list(differences(batch, theirs))
    assert not different, (len(different), different[0])


def test_where_git_glues_two_lines_together_the_applier_refuses(plant: "Plant") -> None:
    before, text = ["a\n", "b\n", "end"], b"a\nb\nend\nmore\nlast"
    patch = unified(before, ["a\n", "new\n", "b\n", "end"], "f0", 3)
    pair = Pair(name="f0", text=text, patch=patch, hunks=tuple(plant.hunks(patch)))
    (made,) = git_made(plant.store, [pair]).values()
    assert git.contents(plant.store, [made])[made] == b"a\nnew\nb\nendmore\nlast"
    assert glued(pair)
    assert apply(text, pair.hunks).data is None
