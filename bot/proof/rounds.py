"""One round of runs: subjects become jobs, one tree each, and outcomes find their way back."""

import secrets
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from bot import git
from bot.errors import BotError
from bot.model import Outcome, Patch, Subject, Test, Value
from bot.proof import engine, evidence, plan, trees
from bot.proof.environments import Environment

#: Called with how many outcomes are there, of how many, and what is being done.
Progress = Callable[[int, int, str], None]
#: Seconds for importing upstream and collecting the tests; the import takes about five on two cores.
SETUP_TIMEOUT = 300.0


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
    fresh: bool = False
    force: bool = False

    @property
    def tests(self) -> tuple[Test, ...]:
        manifest = self.patch.manifest
        return manifest.probes + manifest.keep + manifest.hazards


class Side(Value, frozen=True, kw_only=True):
    """One tree of one subject: the job that runs on it and whose it is."""

    subject: str
    after: bool
    job: engine.Job


Found = dict[tuple[str, bool], dict[plan.Slot, Outcome]]


def run(ask: Ask, subjects: Sequence[Subject], place: Path, progress: Progress) -> Found:
    """Run all tests on both sides of every subject; outcomes by (subject, is after) and slot."""
    tests = copy_tests(ask.patch, place)
    sides = [side for subject in subjects for side in lay_out(ask, subject, tests, place)]
    where = plan.slots(ask.tests, ask.runs)
    by_key = {side.job.key: side for side in sides}
    found: Found = {(side.subject, side.after): {} for side in sides}
    total = len(sides) * len(where)

    def hear(event: engine.Event) -> None:
        side = by_key[event.key]
        if isinstance(event, engine.Seen):
            found[side.subject, side.after][where[event.unit, event.rank]] = clean(
                event.outcome, side.job.root
            )
            progress(
                sum(map(len, found.values())), total, f"{side.subject}: {side.job.units[event.unit].test}"
            )

    engine.run(request(ask, sides), ask.environment.python, place, hear)
    return found


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


def request(ask: Ask, sides: Sequence[Side]) -> engine.Request:
    jobs = tuple(side.job for side in sides)
    return engine.Request(
        preload=ask.patch.manifest.environment.preload,
        launchers=engine.launchers_of(jobs),
        at_a_time=ask.at_a_time,
        jobs=jobs,
    )


def lay_out(ask: Ask, subject: Subject, tests: Path, place: Path) -> list[Side]:
    """Lay out the subject's trees; only the before one where the patch changes nothing."""
    made = [
        (False, subject.before_tree, subject.before_blobs),
        (True, subject.after_tree, subject.after_blobs),
    ]
    return [side(ask, subject, (after, tree, blobs), tests, place) for after, tree, blobs in made if tree]


def side(
    ask: Ask, subject: Subject, half: tuple[bool, str, dict[str, str]], tests: Path, place: Path
) -> Side:
    after, tree, blobs = half
    manifest = ask.patch.manifest
    job = engine.Job(
        key=secrets.token_hex(8),
        root=str(trees.lay(ask.store, tree, manifest.environment.checkout, place)),
        tests=str(tests),
        blobs=blobs,
        anchors=tuple((anchor.file, anchor.symbol) for anchor in manifest.anchors),
        imports=manifest.environment.imports,
        stubs=manifest.environment.stubs,
        setup_timeout=SETUP_TIMEOUT,
        units=plan.units(ask.tests, ask.runs),
    )
    return Side(subject=subject.name, after=after, job=job)


def copy_tests(patch: Patch, place: Path) -> Path:
    """Copy the patch's tests to a root of their own, where no other configuration or conftest is found."""
    root = place / secrets.token_hex(8)
    try:
        shutil.copytree(
            patch.folder / "proofs", root / "proofs", ignore=shutil.ignore_patterns("__pycache__")
        )
        (root / "pytest.ini").write_text("[pytest]\n", encoding="ascii")
    except OSError as error:
        raise BotError(
            f"the tests of {patch.id} cannot be copied: {error}", "is there a proofs/ folder, and room?"
        ) from None
    return root
