"""Controls made from small patches: each list is whole, so that nothing comes or goes unseen."""

import ast
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from bot import model
from bot.model import Anchor, Controls, Kind, Manifest, Outcome
from bot.proof import controls
from bot.proof.controls import Control

BEFORE = """\
import contextlib


def borrow(item, lent=True):
    \"\"\"Lend an item, or keep it.\"\"\"
    try:
        got = lend(item)
        if lent:
            item.got = got
            got = item
    except KeyError:
        # Nobody lends this one.
        if rank() == 0:
            warn(f"kept {thing.name}")

    return got


def untouched():
    return 1
"""
AFTER = BEFORE.replace("thing.name", "item.name").replace('name}")\n', 'name}")\n        got = item\n')


def made(before: str, after: str, symbol: str = "", path: str = "a.py", **asked: bool) -> tuple[Control, ...]:
    anchors = [Anchor(file=path, symbol=symbol)] if symbol else []
    files = {path: before.encode()}, {path: after.encode()}
    return controls.generate(Controls(**asked), *files, anchors)


def texts(found: tuple[Control, ...], path: str = "a.py") -> dict[str, str]:
    return {f"{one.kind}: {one.what}": one.files[path].decode() for one in found}


def mutants(before: str, after: str) -> list[str]:
    return [one.what for one in made(before, after, sham=False, ablation=False)]


def ablations(before: str, after: str, path: str = "a.py") -> list[str]:
    return [one.what for one in made(before, after, path=path, sham=False, mutants=False)]


def in_function(*lines: str) -> str:
    return "def act(item, other):\n" + "".join(f"    {line}\n" for line in lines)


def added(line: str, *around: str) -> list[str]:
    """The mutants of one line that is added to a function, before the lines around it."""
    return mutants(in_function(*around), in_function(line, *around))


def test_a_patch_of_two_lines_gives_these_controls_and_no_other() -> None:
    assert list(texts(made(BEFORE, AFTER, "borrow"))) == [
        "sham: a comment only",
        'ablation: left out: warn(f"kept {item.name}")',
        "ablation: left out: got = item",
        "mutant: the handler except KeyError dropped",
        "mutant: except Exception in place of except KeyError",
        "mutant: a bare except in place of except KeyError",
        'mutant: warn_(f"kept {item.name}"): an undefined name in place of warn',
        'mutant: warn(f"kept {item_.name}"): an undefined name in place of item',
        'mutant: warn(f"kept ") in place of warn(f"kept {item.name}")',
        'mutant: warn(f"kept {lent.name}"): lent in place of item',
        "mutant: got = item one level out",
        "mutant: got = item one level in",
        "mutant: got_ = item: another name in place of got",
        "mutant: got = item_: an undefined name in place of item",
        "mutant: return None in place of got = item",
        "mutant: got = None in place of got = item",
        'mutant: got = __import__("copy").copy(item) in place of got = item',
        "mutant: got = lent: lent in place of item",
    ]


def test_every_control_parses_and_no_two_say_the_same() -> None:
    found = texts(made(BEFORE, AFTER, "borrow"))
    said = [ast.dump(ast.parse(text)) for text in [BEFORE, AFTER, *list(found.values())[1:]]]
    assert len(set(said)) == len(said)
    assert ast.dump(ast.parse(found["sham: a comment only"])) == ast.dump(ast.parse(BEFORE))


def test_the_same_patch_gives_the_same_controls_again() -> None:
    assert made(BEFORE, AFTER, "borrow") == made(BEFORE, AFTER, "borrow")


def test_only_the_kinds_that_are_asked_for_are_made() -> None:
    assert {one.kind for one in made(BEFORE, AFTER, sham=False, mutants=False)} == {"ablation"}
    assert {one.kind for one in made(BEFORE, AFTER, ablation=False, mutants=False)} == {"sham"}
    assert made(BEFORE, AFTER, sham=False, ablation=False, mutants=False) == ()


class Item:
    name = "item"
    got: Any = None


def behaviour(text: str, lender: Any, rank: int, lent: bool) -> Any:
    """What a caller sees: which object comes back or what is raised, and what was warned."""
    warned: list[str] = []
    item, handed = Item(), object()
    names: dict[str, Any] = {
        "lend": lambda _: lender() or handed,
        "rank": lambda: rank,
        "warn": warned.append,
    }
    exec(text, names)  # noqa: S102 (the text is this file's)
    try:
        got = names["borrow"](item, lent)
    except BaseException as error:  # noqa: BLE001 (whatever is raised is what is compared)
        return type(error), warned
    return "item" if got is item else "handed" if got is handed else got, warned


def raising(error: BaseException) -> Any:
    def lender() -> None:
        raise error

    return lender


def seen(text: str) -> list[Any]:
    lenders = [lambda: None, raising(KeyError()), raising(ValueError()), raising(KeyboardInterrupt())]
    cases = [(lender, rank, lent) for lender in lenders for rank in (0, 1) for lent in (True, False)]
    return [behaviour(text, *case) for case in cases]


def test_every_ablation_and_mutant_behaves_otherwise_than_the_cure_and_the_sham_as_before() -> None:
    sham, *others = texts(made(BEFORE, AFTER, "borrow")).items()
    assert seen(sham[1]) == seen(BEFORE)
    assert [name for name, text in others if seen(text) == seen(AFTER)] == []


@pytest.mark.parametrize("path", ["a.py", "deep/er/b.py"])
def test_all_touched_files_are_in_each_control_and_one_differs(path: str) -> None:
    before = {path: BEFORE.encode(), "z.txt": b"one\ntwo\n"}
    after = {path: AFTER.encode(), "z.txt": b"one\n2\n"}
    found = controls.generate(Controls(), before, after, [])
    sides = {"sham": before, "ablation": after, "mutant": after}
    for one in found:
        changed = [name for name, text in one.files.items() if text != sides[one.kind][name]]
        assert set(one.files) == {path, "z.txt"}
        assert len(changed) == 1
    assert found[3].what == "left out: 2"


# Sham


def test_the_sham_stands_beside_the_change_as_far_in_as_the_line_below() -> None:
    sham = texts(made(BEFORE, AFTER, "borrow"))["sham: a comment only"]
    assert sham == BEFORE.replace("            warn", "            # one more comment\n            warn")


def test_the_sham_keeps_out_of_a_text_over_several_lines() -> None:
    before = 'def act():\n    return f"""\n    {one}\n    """\n'
    sham = texts(made(before, before.replace("one", "two"), "act"))["sham: a comment only"]
    assert sham == before.replace("    return", "    # one more comment\n    return")


def test_the_sham_is_inside_the_anchor_also_when_other_places_change() -> None:
    before = "one = 1\n\n\ndef act():\n    return one\n"
    after = before.replace("1", "2").replace("return one", "return one + 0")
    sham = texts(made(before, after, "act"))["sham: a comment only"]
    assert sham == before.replace("    return", "    # one more comment\n    return")


def test_the_sham_of_a_nested_anchor_is_inside_it() -> None:
    before = "class Top:\n    def act(self):\n        return 1\n"
    sham = texts(made(before, before.replace("1", "2"), "Top.act"))["sham: a comment only"]
    assert sham == before.replace("        return", "        # one more comment\n        return")


def test_the_sham_ends_its_line_as_the_file_does() -> None:
    before = BEFORE.replace("\n", "\r\n")
    sham = texts(made(before, AFTER.replace("\n", "\r\n"), "borrow"))["sham: a comment only"]
    assert sham.count("\r\n") == sham.count("\n") == BEFORE.count("\n") + 1


def test_no_sham_is_made_where_the_anchor_is_not_or_where_the_text_is_not_python() -> None:
    assert not [one for one in made(BEFORE, AFTER, "lend") if one.kind == "sham"]
    assert not [one for one in made("a: 1\n", "a: 2\n", path="a.yml") if one.kind == "sham"]
    assert made("def act(:\n", "def act():\n    return 1\n", mutants=False, ablation=False) == ()


# Ablations


def test_a_replaced_line_is_put_back_and_an_added_one_is_gone() -> None:
    found = texts(made(BEFORE, AFTER, sham=False, mutants=False))
    assert list(found.values()) == [
        AFTER.replace("item.name", "thing.name"),
        AFTER.replace('name}")\n        got = item\n', 'name}")\n'),
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["a()", "b()"], ["a()"], ["put back: b()"]),
        (["a()"], ["a()", "# why", "", "b()"], ["left out: b()"]),
        (["a()"], ['"""Why."""', "a()"], []),
        (["a()", "b()"], ["a()  # why", "b()"], []),
        (["a()"], ["if item:", "    b()", "a()"], ["left out: if item: and 1 more line"]),
        (["a()"], ["b(", "    item,", ")", "a()"], ["left out: b( and 2 more lines", "left out: item,"]),
        (["a(item)"], ["a(other)", "b()"], ["left out: a(other)", "left out: b()"]),
        (["a(item)"], ["b()", "a(other)"], ["left out: b()", "left out: a(other)"]),
        (
            ["return a()"],
            ["try:", "    return a()", "except KeyError:", "    return b()"],
            ["left out: try: and 3 more lines"],
        ),
    ],
)
def test_what_is_left_out(before: list[str], after: list[str], expected: list[str]) -> None:
    assert ablations(in_function(*before), in_function(*after)) == expected


def test_a_text_that_is_not_python_is_ablated_by_its_lines() -> None:
    assert ablations("a: 1\n", "a: 2\n\nb: 3\n", path="a.yml") == ["left out: a: 2", "left out: b: 3"]


def test_lines_far_apart_are_left_out_one_by_one() -> None:
    before = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    after = before.replace("return", "return 3 *")
    assert ablations(before, after) == ["left out: return 3 * 1", "left out: return 3 * 2"]


def test_a_new_file_has_controls_but_no_sham() -> None:
    found = controls.generate(Controls(), {}, {"a.py": b"one = 1\n"}, [])
    assert [f"{one.kind}: {one.what}" for one in found] == [
        "ablation: left out: one = 1",
        "mutant: one_ = 1: another name in place of one",
        "mutant: one = None in place of one = 1",
    ]


def test_nothing_changed_gives_nothing() -> None:
    assert made(BEFORE, BEFORE, "borrow") == ()


# Mutants


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "return item",
            [
                "return item_: an undefined name in place of item",
                "return None in place of return item",
                "return other: other in place of item",
            ],
        ),
        ("return None", []),
        (
            "self.on = True",
            [
                "self_.on = True: an undefined name in place of self",
                "return None in place of self.on = True",
                "self.on = None in place of self.on = True",
                "self.on = False in place of self.on = True",
            ],
        ),
        (
            "assert item and other",
            [
                "assert item_ and other: an undefined name in place of item",
                "assert item and other_: an undefined name in place of other",
                "assert not (item and other) in place of assert item and other",
                "assert item or other in place of assert item and other",
                "assert other and other: other in place of item",
                "assert item and item: item in place of other",
            ],
        ),
        ("item: other.kind", ["item_: other.kind: another name in place of item"]),
        ('"item other"', []),
        ("# item", []),
        ("", []),
    ],
)
def test_the_mutants_of_one_added_line(line: str, expected: list[str]) -> None:
    assert added(line, "pass") == expected


def test_a_condition_is_negated_and_a_loop_is_not() -> None:
    asked = mutants(in_function("if item:", "    a()"), in_function("if other:", "    a()"))
    assert "if not (other): in place of if other:" in asked
    looped = mutants(in_function("while item:", "    a()"), in_function("while other:", "    a()"))
    assert not [what for what in looped if "not" in what]


def test_a_handler_with_a_name_is_widened_with_its_name() -> None:
    lines = ["try:", "    a()", "except (KeyError, OSError) as error:", "    b(error)"]
    found = mutants(in_function(*lines), in_function(*lines, "    c()"))
    assert [what for what in found if "except" in what] == [
        "the handler except (KeyError, OSError) as error dropped",
        "except Exception as error in place of except (KeyError, OSError) as error",
        "except BaseException as error in place of except (KeyError, OSError) as error",
    ]


def test_an_added_try_has_its_handler_dropped() -> None:
    lines = ["try:", "    a()", "except KeyError: pass"]
    found = texts(made(in_function("a()"), in_function(*lines), sham=False, ablation=False))
    assert found["mutant: the handler except KeyError dropped"] == in_function(
        *lines[:2], "except KeyError: raise"
    )


@pytest.mark.parametrize("handler", ["except Exception:", "except BaseException:", "except:"])
def test_a_handler_that_catches_all_is_not_widened(handler: str) -> None:
    lines = ["try:", "    a()", handler, "    b()"]
    found = mutants(in_function(*lines), in_function(*lines, "    c()"))
    assert not [what for what in found if "in place of except" in what]


def test_a_handler_further_out_or_of_another_line_is_left_alone() -> None:
    lines = ["try:", "    a()", "except KeyError:", "    b()"]
    assert not [what for what in added("c()", *lines) if "except" in what]


# Mutants that would run as the cure does


@pytest.mark.parametrize(
    "assignment", ["other = item", "other = item.part", "if other is item: pass", "other = f(item)"]
)
def test_no_name_is_put_for_one_that_may_be_the_same(assignment: str) -> None:
    found = mutants(in_function(assignment), in_function(assignment, "return item"))
    assert "return other: other in place of item" not in found


@pytest.mark.parametrize(
    ("above", "moved"),
    [
        (["if item:", "    a()"], ["out", "in"]),
        (["if item:", "    return a()", "else:", "    a()"], []),
        (["if item:", "    b()", "else:", "    a()"], ["out", "in"]),
        (["try:", "    return b()", "except KeyError:", "    a()"], []),
        (["try:", "    b()", "except KeyError:", "    a()"], ["out", "in"]),
        (["try:", "    b()", "except KeyError:", "    raise", "else:", "    a()"], []),
        (["try:", "    b()", "finally:", "    a()"], []),
        (["with item:", "    a()"], []),
        (["for one in item:", "    a()"], ["out", "in"]),
        (["def one():", "    a()"], []),
    ],
)
def test_a_move_is_made_only_where_another_way_leads_past_it(above: list[str], moved: list[str]) -> None:
    inside = mutants(in_function(*above, "d()"), in_function(*above, "    other.x()", "d()"))
    behind = mutants(in_function(*above, "d()"), in_function(*above, "other.x()", "d()"))
    ways = [
        *(what for what in inside if what.endswith("out")),
        *(what for what in behind if what[-2:] == "in"),
    ]
    assert ways == [f"other.x() one level {way}" for way in moved]


@pytest.mark.parametrize(
    ("lines", "copied"),
    [
        (["item.x = 1", "got = item", "return got"], True),
        (["item[0] = 1", "got = item", "return got"], True),
        (["item.x = 1", "got = item", "return got.x"], False),
        (["got = item", "return got"], False),
    ],
)
def test_a_copy_is_given_back_only_where_callers_can_tell(lines: list[str], copied: bool) -> None:
    without = [line for line in lines if line != "got = item"]
    found = mutants(in_function(*without), in_function(*lines))
    assert ('got = __import__("copy").copy(item) in place of got = item' in found) is copied


@pytest.mark.parametrize("value", ["None", "False", "0", '""', "[]", "()", "{}"])
def test_none_is_not_put_for_a_value_that_is_as_false(value: str) -> None:
    assert f"self.x = None in place of self.x = {value}" not in added(f"self.x = {value}", "pass")


def test_code_that_was_only_moved_in_keeps_its_names_and_values() -> None:
    after = in_function("if other:", "    got = item", "    return got")
    found = mutants(in_function("got = item", "return got"), after)
    assert not [what for what in found if "got" in what]


def test_a_return_is_not_moved_out_of_its_function() -> None:
    assert not [what for what in added("return item", "pass") if "level" in what]


def test_there_are_no_more_than_24_and_every_kind_has_its_turn() -> None:
    lines = [f"got{at} = item.part{at}" for at in range(30)]
    found = mutants(
        in_function("try:", "    pass", "except KeyError:", "    pass"),
        in_function("try:", "    pass", "except KeyError:", *(f"    {line}" for line in lines)),
    )
    assert len(found) == 24
    words = ("dropped", "bare except", "one level out", "undefined", "return None", "= None", "other.part")
    assert [word for word in words if not any(word in what for what in found)] == []


def test_texts_that_this_python_cannot_read_have_no_mutants() -> None:
    assert mutants("a =\n", "b =\n") == []
    assert mutants("a: 1\n", "a: 2\n") != []
    assert made("a: 1\n", "a: 2\n", path="a.yml", sham=False, ablation=False) == ()


# Who noticed

PASS, SIGN = Outcome(outcome=Kind.PASS), Outcome(outcome=Kind.FAIL, exception="NameError", message="arg")
OTHER = Outcome(outcome=Kind.FAIL, exception="TypeError")


def a_manifest() -> Manifest:
    plain = {
        "schema": 1,
        "id": "fix",
        "title": "A fix",
        "upstream": {},
        "versions": [
            {"id": "v1", "base": {"commit": "0" * 40}, "files": [{"path": "p", "sha256": "0" * 64}]}
        ],
        "probes": [
            {"id": "probe", "test": "t", "world": 2, "before": [{"exception": "NameError", "match": "arg"}]},
            {"id": "gpu", "test": "t", "required": False, "before": [{"exception": "NameError"}]},
        ],
        "keep": [{"id": "keep", "test": "t"}],
    }
    return msgspec.convert(plain, Manifest)


def rows(name: str, *ranks: Any) -> Iterator[model.TestRow]:
    for rank, side in enumerate(ranks):
        after = side if isinstance(side, list) else [side] * 3
        yield model.TestRow(
            id=name,
            rank=rank,
            world=len(ranks),
            launcher="fake",
            required=name != "gpu",
            after=tuple(Outcome(outcome=one) if isinstance(one, Kind) else one for one in after),
        )


def judged(kind: Any, probe: tuple[Any, ...], keep: Any, gpu: Any = Kind.NOT_RUN) -> tuple[bool, Any]:
    control = Control(kind=kind, what="what", files={})
    row = controls.hold(
        control, a_manifest(), (*rows("probe", *probe), *rows("gpu", gpu)), tuple(rows("keep", keep))
    )
    assert (row.kind, row.what) == (kind, "what")
    return row.held, row.noticed_by


@pytest.mark.parametrize("kind", ["ablation", "mutant"])
@pytest.mark.parametrize(
    ("probe", "keep", "noticed_by"),
    [
        ((PASS, PASS), PASS, ()),
        ((SIGN, SIGN), PASS, ("probe",)),
        ((SIGN, OTHER), OTHER, ("keep", "probe")),
        ((PASS, OTHER), PASS, ("probe rank 1",)),
        ((SIGN, PASS), PASS, ("probe rank 0",)),
        (([PASS, PASS, SIGN], PASS), PASS, ("probe rank 0",)),
        ((PASS, PASS), Kind.TIMEOUT, ("keep",)),
        ((PASS, PASS), Kind.MISSING, ()),
        (([], []), [], ()),
        ((), PASS, ()),
    ],
)
def test_who_notices_a_control(kind: str, probe: Any, keep: Any, noticed_by: tuple[str, ...]) -> None:
    assert judged(kind, probe, keep) == (bool(noticed_by), noticed_by)


@pytest.mark.parametrize("kind", list(Kind))
def test_which_outcomes_are_a_notice(kind: Kind) -> None:
    silent = {Kind.PASS, Kind.MISSING, Kind.NOT_RUN, Kind.SKIP, Kind.XFAIL, Kind.XPASS}
    assert judged("mutant", (PASS, PASS), kind)[0] is (kind not in silent)


def test_a_test_that_is_not_required_notices_nothing() -> None:
    assert judged("mutant", (PASS, PASS), PASS, gpu=OTHER) == (False, ())
    assert judged("sham", (SIGN, SIGN), PASS, gpu=OTHER) == (True, ())


@pytest.mark.parametrize(
    ("probe", "keep", "held", "flipped"),
    [
        ((SIGN, SIGN), PASS, True, ()),
        ((SIGN, SIGN), Kind.NOT_RUN, True, ()),
        ((PASS, SIGN), PASS, False, ("probe rank 0",)),
        ((SIGN, [SIGN, SIGN, PASS]), PASS, False, ("probe rank 1",)),
        ((OTHER, OTHER), PASS, False, ("probe",)),
        ((SIGN, SIGN), OTHER, False, ("keep",)),
        ((SIGN, SIGN), Kind.SKIP, False, ("keep",)),
        ((SIGN, SIGN), Kind.MISSING, False, ("keep",)),
        ((SIGN, SIGN), [], False, ("keep",)),
        ((SIGN, Kind.NOT_RUN), PASS, False, ("probe rank 1",)),
        ((SIGN,), PASS, False, ("probe rank 1",)),
        ((), PASS, False, ("probe",)),
        ((Kind.NOT_RUN, Kind.NOT_RUN), PASS, False, ()),
    ],
)
def test_a_sham_holds_when_nothing_flips(probe: Any, keep: Any, held: bool, flipped: tuple[str, ...]) -> None:
    assert judged("sham", probe, keep) == (held, flipped)
