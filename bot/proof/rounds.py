"""One round of runs: sides are laid out and run, and outcomes find their way back."""

import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import field

from bot import git
from bot.errors import BotError
from bot.model import Kind as OutcomeKind
from bot.model import Outcome, Patch, Subject, Value
from bot.proof import compiling, engine, evidence, isolation, plan, trees
from bot.proof.environments import Environment
from bot.proof.sides import Maker, Side, families

#: Called with how many outcomes are there, of how many, and what is being done.
Progress = Callable[[int, int, str], None]


class Limits(Value, frozen=True, kw_only=True):
    """What a test may take: `memory` in bytes, `setup_timeout` in seconds for the import and for collecting.

    `separate` lets no two trees share an import.
    """

    memory: int = 8 << 30
    setup_timeout: float = 300.0
    separate: bool = False


class Ask(Value, frozen=True, kw_only=True):
    """How to prove: `runs` of every test, `at_a_time` trees beside each other.

    `force` runs the tests on the before side also where the patch does not apply.
    """

    patch: Patch
    store: git.Repo
    environment: Environment
    cache: Path
    runs: int
    at_a_time: int
    controls: bool = False
    device: str = "auto"
    fresh: bool = False
    force: bool = False
    limits: Limits = Limits()

    @property
    def schedule(self) -> plan.Schedule:
        """Every test on one side."""
        manifest = self.patch.manifest
        tests = manifest.probes + manifest.keep + manifest.hazards
        return plan.Schedule(tests=tests, runs=self.runs, device=self.device)

    @property
    def maker(self) -> Maker:
        return Maker(
            patch=self.patch,
            store=self.store,
            runs=self.runs,
            with_controls=self.controls,
            separate=self.limits.separate,
            device=self.device,
        )


class Laid(Value, frozen=True, kw_only=True):
    """A family laid out: its tree's files with their ids, and the sides by the key of their sibling."""

    family: engine.Family
    files: dict[str, str]
    sides: dict[str, Side]


class Round(Value, frozen=True, kw_only=True):
    """What came out so far: outcomes by sibling key and slot; `keys` finds the sibling of a content.

    `sides` are every subject's, by its name.
    """

    sides: dict[str, tuple[Side, ...]]
    laid: tuple[Laid, ...]
    isolation: isolation.Level
    keys: dict[tuple[object, ...], str]
    found: dict[str, dict[plan.Slot, Outcome]] = field(default_factory=dict)

    @property
    def roots(self) -> tuple[Path, ...]:
        """Where the common trees lie."""
        return tuple(Path(one.family.root) for one in self.laid)

    def of(self, side: Side) -> dict[plan.Slot, Outcome]:
        """The outcomes of a side, whichever equal side ran for it."""
        return self.found.get(self.keys.get(side.content, ""), {})


def run(ask: Ask, subjects: Sequence[Subject], place: Path, progress: Progress) -> Round:
    """Run all tests on all sides of the subjects, each distinct content once.

    The warm parent starts first: what it imports takes as long as laying out the trees.
    """
    (place / "work").mkdir()
    warmth = warm(ask, place)
    with engine.started(warmth, ask.environment.python) as parent:
        sides = {subject.name: tuple(ask.maker.sides(subject)) for subject in subjects}
        done = lay_all_out(ask, sides, place, warmth.isolation)
        with compiling.started(done.roots, ask.environment.python, warmth.isolation):
            parent.run([one.family for one in done.laid], Hearer(done, progress))
    for one in done.laid:
        distrust_changed(one, done)
    return done


def warm(ask: Ask, place: Path) -> engine.Warmth:
    return engine.Warmth(
        preload=ask.patch.manifest.environment.preload,
        launchers=tuple(sorted({unit.launcher for unit in ask.schedule.units()})),
        at_a_time=ask.at_a_time,
        place=str(place),
        isolation=isolation.level(),
    )


def lay_all_out(
    ask: Ask, sides: Mapping[str, tuple[Side, ...]], place: Path, level: isolation.Level
) -> Round:
    tests = copy_tests(ask.patch, place)
    distinct = {side.content: side for made in sides.values() for side in made}
    laid = tuple(lay_out(ask, group, tests, place) for group in families(list(distinct.values())))
    keys = {side.content: key for one in laid for key, side in one.sides.items()}
    return Round(sides=dict(sides), laid=laid, isolation=level, keys=keys)


class Hearer:
    """Takes the engine's events into a round, and shows progress."""

    def __init__(self, done: Round, progress: Progress) -> None:
        self.done = done
        self.progress = progress
        self.sides = {key: side for laid in done.laid for key, side in laid.sides.items()}
        self.roots = {key: laid.family.root for laid in done.laid for key in laid.sides}
        self.slots = {key: side.schedule.slots() for key, side in self.sides.items()}
        self.total = sum(map(len, self.slots.values()))
        self.count = 0

    def __call__(self, event: engine.Event) -> None:
        found = self.done.found.setdefault(event.key, {})
        slots = self.slots[event.key]
        if isinstance(event, engine.Leak):
            for (unit, _), slot in slots.items():
                if unit == event.unit and slot in found:
                    found[slot] = leaked(found[slot], event.left)
            return
        slot, side = slots[event.unit, event.rank], self.sides[event.key]
        found[slot] = clean(event.outcome, self.roots[event.key])
        self.count += 1
        self.progress(self.count, self.total, f"{side.subject} {side.label}: {slot.test}")


def leaked(outcome: Outcome, left: int) -> Outcome:
    told = f"it left {left} processes behind, which were killed"
    return msgspec.structs.replace(outcome, reason="; ".join(filter(None, (outcome.reason, told))))


def clean(outcome: Outcome, root: str) -> Outcome:
    """Keep paths, addresses and control characters out of what upstream code said."""

    def cleaned(text: str | None) -> str | None:
        return None if text is None else evidence.clean(text, root)

    return msgspec.structs.replace(
        outcome,
        reason=cleaned(outcome.reason),
        exception=cleaned(outcome.exception),
        message=cleaned(outcome.message),
        function=cleaned(outcome.function),
    )


def distrust_changed(laid: Laid, done: Round) -> None:
    """Void a family's outcomes when the tests changed what they ran on."""
    if trees.unchanged(Path(laid.family.root), laid.files):
        return
    void = Outcome(outcome=OutcomeKind.MISSING, reason="the tree was changed while the tests ran")
    for key in laid.sides:
        done.found[key] = dict.fromkeys(done.found.get(key, {}), void)


def lay_out(ask: Ask, sides: Sequence[Side], tests: Path, place: Path) -> Laid:
    """Lay out the family's common tree and, beside it, each side's own files."""
    manifest = ask.patch.manifest
    root, files = trees.lay(ask.store, sides[0].tree, manifest.environment.checkout, place)
    by_key = {secrets.token_hex(8): side for side in sides}
    family = engine.Family(
        root=str(root),
        tests=str(tests),
        place=str(place / "work"),
        anchors=tuple((anchor.file, anchor.symbol) for anchor in manifest.anchors),
        imports=manifest.environment.imports,
        stubs=manifest.environment.stubs,
        setup_timeout=ask.limits.setup_timeout,
        memory=ask.limits.memory,
        siblings=tuple(sibling(key, side, sides, place, root) for key, side in by_key.items()),
    )
    return Laid(family=family, files=files, sides=by_key)


def sibling(key: str, side: Side, family: Sequence[Side], place: Path, root: Path) -> engine.Sibling:
    own = trees.write(place / secrets.token_hex(8), side.texts)
    trees.link_neighbours(own, root, side.texts)
    differing = {path for other in family for path in other.texts}
    return engine.Sibling(
        key=key,
        files={path: str((own if path in side.texts else root) / path) for path in sorted(differing)},
        blobs=side.blobs,
        units=side.schedule.units(),
    )


def copy_tests(patch: Patch, place: Path) -> Path:
    """Copy the patch's tests to a root of their own, where no other configuration or conftest is found."""
    root = place / secrets.token_hex(8)
    try:
        shutil.copytree(
            patch.folder / "proofs", root / "proofs", ignore=shutil.ignore_patterns("__pycache__")
        )
        (root / "pytest.ini").write_text("[pytest]\n", encoding="ascii")
    except OSError as error:
        hint = "is there a proofs/ folder, and room in TMPDIR?"
        raise BotError(f"the tests of {patch.id} cannot be copied: {error.strerror}", hint) from None
    return root
