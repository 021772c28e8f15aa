"""Cures of the first patch's defect, wrong and right, as small edits of the real file in words of our own.

None of upstream's code is kept here but short anchors, most of them the patch's own lines: each edit finds
its place in the text that it is given, and fails when that is not there exactly once.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

Edit = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class Cure:
    """`noticed` is in the reason of the verdict: the test or check that tells this cure from the patch."""

    name: str
    edits: tuple[Edit, ...]
    verdict: str
    noticed: str

    @property
    def branch(self) -> str:
        return "cures/" + "-".join(self.name.replace(",", "").split())

    def rewrite(self, source: str) -> str:
        """Return the file with the function as this cure would have it."""
        start = source.index("def make_weakref(")
        end = source.index("\n\n\ndef ", start)
        function = source[start:end] + "\n"
        for edit in self.edits:
            function = edit(function)
        return source[:start] + function.removesuffix("\n") + source[end:]


def swap(old: str, new: str) -> Edit:
    def edit(text: str) -> str:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        return text.replace(old, new)

    return edit


def cut(first: str, last: str, new: str) -> Edit:
    """Replace all from `first` to the `last` that follows it, both included."""

    def edit(text: str) -> str:
        start = text.index(first)
        return text[:start] + new + text[text.index(last, start) + len(last) :]

    return edit


def lines(text: str) -> str:
    """Lines of a function's body, written here with any indentation."""
    return textwrap.indent(textwrap.dedent(text).lstrip("\n").rstrip() + "\n", "    ")


def whole(text: str) -> Edit:
    """Other lines in place of the `try` statement and of what follows it."""
    return cut("    try:\n", "    return wr\n", lines(text))


def handler(text: str) -> Edit:
    """Other lines in place of the handler and of what follows it."""
    return cut("    except RuntimeError:\n", "    return wr\n", lines(text))


def gate(condition: str) -> Edit:
    """Another condition for going on: without it the value comes back untouched."""
    return cut("    if not (", "):\n", f"    if not ({condition}):\n")


def inner(start: str, end: str) -> Edit:
    """Other lines in place of those that keep the weak reference in the tensor."""
    return cut("        if inplace:\n", "            wr = ten\n", textwrap.indent(start + end, "        "))


def kept(line: str) -> Edit:
    """A line after the warning, as indented as it is written."""
    return swap("            )\n\n    return wr\n", f"            )\n{line}\n\n    return wr\n")


NAMED, KEPT = swap("{arg.dtype}", "{ten.dtype}"), kept("        wr = ten")
V1 = (NAMED, KEPT)

RANK = "torch.distributed.get_rank()"
WARNING = 'logger.warning("a tensor of %s is kept", ten.dtype)'


def fallback(
    catch: str = " RuntimeError", *, on: str = f"{RANK} == 0", warning: str = WARNING, keep: str = "wr = ten"
) -> Edit:
    """The patch's own handler in words of ours, so that one of its parts can be another."""
    says = textwrap.indent(f"if {on}:\n" + textwrap.indent(warning, "    ") + "\n" + keep, "    ")
    return handler(f"except{catch}:\n{says}\n\nreturn wr")


HANDLER, ENGINE = "handler-keeps-tensor", "engine-refuses-dtype"
IN_PLACE, ITSELF = "weak-reference-comes-back-in-place", "weak-reference-itself-comes-back"
VALUE_ERROR, INTERRUPT = "value-error-escapes", "keyboard-interrupt-escapes"
ON_ZERO, ELSEWHERE = f"{HANDLER} rank 0", f"{HANDLER} rank 1"


def not_cured(name: str, *edits: Edit, by: str = ON_ZERO) -> Cure:
    return Cure(name=name, edits=edits, verdict="not_cured", noticed=by)


def partly(name: str, *edits: Edit, by: str = ON_ZERO) -> Cure:
    return Cure(name=name, edits=edits, verdict="partly_cured", noticed=by)


def breaks(name: str, *edits: Edit, by: str) -> Cure:
    return Cure(name=name, edits=edits, verdict="regression", noticed=by)


def doubtful(name: str, *edits: Edit, by: str = HANDLER) -> Cure:
    return Cure(name=name, edits=edits, verdict="inconclusive", noticed=by)


def right(name: str, *edits: Edit) -> Cure:
    return Cure(name=name, edits=edits, verdict="cured_uncontrolled", noticed="")


def moved(name: str, *edits: Edit, hazard: str) -> Cure:
    """A right cure after which something beside the defect is not what the patch's manifest declares."""
    return Cure(name=name, edits=edits, verdict="hazard_changed", noticed=f"hazard {hazard}")


WRONG = (
    # Where the two lines stand, and what they name.
    breaks("outdented", NAMED, kept("    wr = ten"), by=ITSELF),
    partly("indented", NAMED, kept("            wr = ten"), by=ELSEWHERE),
    not_cured("line 1 only", NAMED),
    partly("line 2 only", KEPT),
    partly("the unbound result named", swap("{arg.dtype}", "{wr.dtype}"), KEPT),
    breaks("an undefined name bound", NAMED, kept("        wr = tensor"), by="undefined-names"),
    not_cured("another name bound", NAMED, kept("        weak = ten")),
    # What comes back.
    not_cured("None comes back", fallback(keep="return None")),
    not_cured("a clone comes back", fallback(keep="wr = ten.clone()")),
    not_cured("a detached tensor comes back", fallback(keep="wr = ten.detach()")),
    not_cured("a tensor of float32 comes back", fallback(keep="wr = ten.float()")),
    partly("made float32 in place", fallback(keep="ten.data = ten.float()\nwr = ten")),
    not_cured("raised again", fallback(keep="raise")),
    # What is caught.
    not_cured(
        "handler removed",
        whole("wr = make_weak_ref(ten)\nif inplace:\n    ten.data = wr\n    wr = ten\n\nreturn wr"),
    ),
    not_cured("handler narrowed", fallback(" NotImplementedError")),
    breaks("handler for Exception", fallback(" Exception"), by=VALUE_ERROR),
    breaks("handler for BaseException", fallback(" BaseException"), by=INTERRUPT),
    breaks("bare except", fallback(""), by=INTERRUPT),
    breaks("handler for ValueError too", fallback(" (RuntimeError, ValueError)"), by=VALUE_ERROR),
    breaks("handler for KeyboardInterrupt too", fallback(" (RuntimeError, KeyboardInterrupt)"), by=INTERRUPT),
    breaks(
        "returned from finally",
        handler(f"except RuntimeError:\n    if {RANK} == 0:\n        {WARNING}\nfinally:\n    return ten"),
        by=INTERRUPT,
    ),
    # What is said, and where.
    partly("no warning", handler("except RuntimeError:\n    wr = ten\n\nreturn wr")),
    partly("a warning on every rank", fallback(on="torch.distributed.is_initialized()"), by=ELSEWHERE),
    not_cured("a warning on rank 1", fallback(on=f"{RANK} == 1")),
    partly("two warnings", fallback(warning=f"{WARNING}\n{WARNING}")),
    partly("a warning without the dtype", fallback(warning='logger.warning("a tensor is kept")')),
    partly(
        "a warning that always says float64",
        fallback(warning=WARNING.replace("ten.dtype", "torch.float64")),
        by=ENGINE,
    ),
    partly("a message below warning", fallback(warning=WARNING.replace("warning", "info"))),
    partly("a warning of the root logger", fallback(warning=WARNING.replace("logger.", "logging."))),
    partly(
        "suppressed",
        whole(
            """
            wr = ten
            with suppress(RuntimeError):
                wr = make_weak_ref(ten)
                if inplace:
                    ten.data = wr
                    wr = ten

            return wr
            """
        ),
        swap("    wr = ten\n    with", "    from contextlib import suppress\n\n    wr = ten\n    with"),
    ),
    # What is let through at once.
    breaks(
        "tensors outside the pool let in",
        gate("HAVE_TE_GRAPHS and torch.is_tensor(ten)"),
        *V1,
        by="outside-pool-passes",
    ),
    breaks(
        "the engine not asked for",
        gate('torch.is_tensor(ten) and getattr(ten, "is_from_global_mempool", False)'),
        *V1,
        by="no-engine-passes",
    ),
    breaks(
        "marked things that are no tensors let in",
        gate('HAVE_TE_GRAPHS and getattr(ten, "is_from_global_mempool", False)'),
        *V1,
        by="non-tensors-pass",
    ),
    not_cured(
        "float64 returned at once",
        swap("    try:\n", "    if ten.dtype == torch.float64:\n        return ten\n\n    try:\n"),
    ),
    partly(
        "float64 alone kept",
        NAMED,
        kept("        if ten.dtype == torch.float64:\n            wr = ten"),
        by=ENGINE,
    ),
    # What succeeds.
    breaks("inplace turned round", swap("if inplace:", "if not inplace:"), *V1, by=IN_PLACE),
    breaks("always in place", swap("if inplace:", "if ten.is_from_global_mempool:"), *V1, by=ITSELF),
    breaks("never in place", inner("", ""), *V1, by=IN_PLACE),
    breaks("not in place by default", swap("inplace=True", "inplace=False"), *V1, by=IN_PLACE),
    breaks("the data not replaced", inner("if inplace:\n", "    wr = ten\n"), *V1, by=IN_PLACE),
    breaks(
        "in place the reference comes back", inner("if inplace:\n", "    ten.data = wr\n"), *V1, by=IN_PLACE
    ),
    breaks("the tensor always comes back", NAMED, swap("return wr", "return ten"), by=ITSELF),
    # What goes on afterwards.
    breaks(
        "no weak reference ever again",
        fallback(keep='globals()["HAVE_TE_GRAPHS"] = False\nwr = ten'),
        by="weak-references-go-on",
    ),
    breaks(
        "the mark taken away",
        fallback(keep="ten.is_from_global_mempool = False\nwr = ten"),
        by="refused-tensor-stays-marked",
    ),
    # What changes nothing.
    not_cured(
        "a comment only",
        swap("    try:\n", "    # Keep the tensor where there is no weak reference.\n    try:\n"),
    ),
    not_cured("a blank line only", swap("    try:\n", "    try:\n\n")),
    # What is no cure at all.
    breaks("deleted", lambda _: "MAKES_WEAK_REFERENCES = False\n", by=ITSELF),
    breaks(
        "renamed with an alias",
        swap("def make_weakref(", "def weakly("),
        lambda text: f"{text}\n\nmake_weakref = weakly\n",
        by="undefined-names",
    ),
    breaks("a syntax error", NAMED, kept("        wr = = ten"), by=ITSELF),
    not_cured("the process told to exit", fallback(keep="raise SystemExit(0)")),
    doubtful("the process gone", fallback(keep="os._exit(0)")),
    doubtful("a skip in place of the cure", fallback(keep='__import__("pytest").skip("no cure")')),
)

NO_GROUP, ASSIGNMENT = "no-process-group", "failing-data-assignment"

RIGHT = (
    right("returned from the handler", NAMED, kept("        return ten")),
    moved("bound before the try", swap("    try:\n", "    wr = ten\n    try:\n"), NAMED, hazard=ASSIGNMENT),
    moved(
        "assigned in an else",
        whole(
            f"""
            try:
                wr = make_weak_ref(ten)
            except RuntimeError:
                if {RANK} == 0:
                    {WARNING}
                wr = ten
            else:
                if inplace:
                    ten.data = wr
                    wr = ten

            return wr
            """
        ),
        hazard=ASSIGNMENT,
    ),
    moved(
        "the warning by upstream's helper",
        handler(
            """
            except RuntimeError:
                log_single_rank(logger, logging.WARNING, f"a tensor of {ten.dtype} is kept")
                wr = ten

            return wr
            """
        ),
        hazard=NO_GROUP,
    ),
    right(
        "the old words by percent",
        NAMED,
        KEPT,
        swap('f"Could', '"Could'),
        swap('{ten.dtype}; "', '%s; "'),
        swap('f"keeping', '"keeping'),
        swap('overhead."\n', 'overhead.",\n                ten.dtype,\n'),
    ),
    right(
        "the dtype in a variable",
        fallback(warning="dtype = ten.dtype\n" + WARNING.replace("ten.dtype", "dtype")),
    ),
    right(
        "the rank in a variable",
        fallback(on="rank == 0"),
        swap("except RuntimeError:\n", f"except RuntimeError:\n        rank = {RANK}\n"),
    ),
    right(
        "the other ranks first",
        handler(
            f"""
            except RuntimeError:
                if {RANK} != 0:
                    return ten
                {WARNING}
                return ten

            return wr
            """
        ),
    ),
    right("a handler for a tuple", fallback(" (RuntimeError,)")),
    right(
        "the error in the warning",
        fallback(
            " RuntimeError as error",
            warning=WARNING.replace('kept"', 'kept (%s)"').replace("ten.dtype", "ten.dtype, error"),
        ),
    ),
    right("the level as an argument", fallback(warning=WARNING.replace("warning(", "log(logging.WARNING, "))),
    right(
        "a result bound early",
        whole(
            f"""
            result = ten
            try:
                weak = make_weak_ref(ten)
                if inplace:
                    ten.data = weak
                else:
                    result = weak
            except RuntimeError:
                if {RANK} == 0:
                    {WARNING}

            return result
            """
        ),
    ),
    right(
        "a flag",
        whole(
            f"""
            refused = False
            try:
                wr = make_weak_ref(ten)
                if inplace:
                    ten.data = wr
            except RuntimeError:
                refused = True
            if refused and {RANK} == 0:
                {WARNING}

            return ten if inplace or refused else wr
            """
        ),
    ),
    right(
        "a function of its own",
        fallback(),
        cut(
            f"        if {RANK}",
            "        wr = ten\n\n    return",
            "        wr = strong_ref(ten)\n\n    return",
        ),
        lambda text: (
            "def strong_ref(ten):\n"
            + lines(
                f'"""Keep the tensor itself, and say so once."""\nif {RANK} == 0:\n    {WARNING}\nreturn ten'
            )
            + f"\n\n{text}"
        ),
    ),
    right(
        "a function inside",
        whole(
            f"""
            def weak():
                ""\"The weak reference, held by the tensor where that is asked for.""\"
                found = make_weak_ref(ten)
                if not inplace:
                    return found
                ten.data = found
                return ten

            try:
                return weak()
            except RuntimeError:
                if {RANK} == 0:
                    {WARNING}
                return ten
            """
        ),
    ),
    right("another name for the result", *V1, lambda text: text.replace("wr", "reference")),
    right(
        "renamed and cured, with an alias",
        *V1,
        swap("def make_weakref(", "def weakly("),
        lambda text: f"{text}\n\nmake_weakref = weakly\n",
    ),
)

#: The patch's own text.
PATCH = Cure(name="the patch itself", edits=V1, verdict="cured_uncontrolled", noticed="")
