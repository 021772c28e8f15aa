"""Where no merge need be tried: git's own merge never gives another text than the strict application."""

import difflib
import random
import re
import subprocess
from pathlib import Path

import pytest

from bot.model import Hunk
from bot.survey import apply, settled
from bot.survey.hunks import Body

HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
BASE = ["top", "a", "b", "c", "old", "d", "e", "f", "end"]


def hunks_of(before: list[str], after: list[str]) -> list[Hunk]:
    found: list[tuple[list[int], list[bytes]]] = []
    for line in list(difflib.unified_diff(before, after))[2:]:
        if (head := HEAD.match(line)) is not None:
            found.append(([int(number or 1) for number in head.groups()], []))
        else:
            found[-1][1].append(line.encode())
    return [
        Hunk(old_start=a, old_count=b, new_start=c, new_count=d, lines=tuple(lines))
        for (a, b, c, d), lines in found
    ]


def lines(words: list[str]) -> list[str]:
    return [f"{word}\n" for word in words]


def is_settled(before: list[str], after: list[str], target: list[str]) -> bool:
    body, changes = Body("".join(target).encode()), hunks_of(before, after)
    return settled.settled(body, changes, apply.apply_to(body, changes))


def edited(rng: random.Random, text: list[str], letters: list[str]) -> list[str]:
    """Lines put in, taken out, moved and doubled: what makes a merge go astray."""
    text = list(text)
    for _ in range(rng.randint(1, 4)):
        at, start, size = rng.randrange(len(text) + 1), rng.randrange(len(text)), rng.randint(1, 8)
        block = text[start : start + size]
        match rng.randrange(4):
            case 0:
                text[at:at] = rng.choices(letters, k=rng.randint(1, 3))
            case 1 if len(text) > size + 1:
                del text[at : at + rng.randint(1, 3)]
            case 2:
                text[at:at] = block
            case _ if len(text) > size + 1:
                del text[start : start + size]
                text[at:at] = block
    return text


def merged(folder: Path, base: list[str], ours: list[str], theirs: list[str]) -> bytes | None:
    names = []
    for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
        (folder / name).write_text("".join(text))
        names.append(str(folder / name))
    done = subprocess.run(["git", "merge-file", "-p", "-q", *names], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


@pytest.mark.parametrize("seed", range(4))
def test_git_merges_a_settled_text_as_the_strict_application_does_or_not_at_all(
    seed: int, tmp_path: Path
) -> None:
    rng, seen, conflicts = random.Random(seed), 0, 0
    while seen < 100:
        letters = lines(list("abcdefghijklmnopqrst"[: rng.choice([3, 5, 8, 20])]))
        base = rng.choices(letters, k=rng.choice([12, 20, 40]))
        after, at = list(base), rng.randrange(1, len(base) - 1)
        after[at : at + rng.randint(0, 2)] = rng.choices([*letters, "new\n"], k=rng.randint(0, 2))
        target = edited(rng, base, letters)
        if after == base or not is_settled(base, after, target):
            continue
        body = Body("".join(target).encode())
        clean = merged(tmp_path, base, target, after)
        assert clean in {None, apply.apply_to(body, hunks_of(base, after)).data}
        seen, conflicts = seen + 1, conflicts + (clean is None)
    assert conflicts < seen / 4


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (BASE, True),
        (["more", *BASE], True),
        ([*BASE, "c", "old", "d"], False),  # its lines stand twice
        ([*BASE, "c", "new", "d"], False),  # somebody made the same change elsewhere
        ([*BASE[:4], "other", *BASE[5:]], False),  # it does not apply
    ],
)
def test_a_text_is_settled_where_the_changed_lines_can_only_be_in_one_place(
    target: list[str], expected: bool
) -> None:
    after = [word if word != "old" else "new" for word in BASE]
    assert is_settled(lines(BASE), lines(after), lines(target)) is expected


@pytest.mark.parametrize("word", ["c", "d"])
def test_an_inserted_line_that_equals_its_neighbour_could_slide(word: str) -> None:
    before = [one for one in BASE if one != "old"]
    after = [*before[:4], word, *before[4:]]
    assert not is_settled(lines(before), lines(after), lines(before))
