"""The trees of a proof: before, after and each control, as a base tree with some files' texts replaced."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import field

from bot import git
from bot.model import Launcher, Patch, Subject, Test, Value
from bot.proof import controls, plan

BEFORE, AFTER = "before", "after"


class Side(Value, frozen=True, kw_only=True):
    """One tree of one subject: `texts` in place of files of `tree`, and the tests that run on it.

    `blobs` are the expected ids of the files that must have been imported. `alone` keeps it from sharing
    imports with the others.
    """

    subject: str
    label: str
    tree: str
    texts: dict[str, bytes]
    blobs: dict[str, str]
    schedule: plan.Schedule
    alone: bool = False
    control: controls.Control | None = None
    digits: int = field(default=40)

    @property
    def content(self) -> tuple[object, ...]:
        """What makes two sides one run: the same bytes and the same tests."""
        ids = tuple(
            sorted((path, git.object_id("blob", text, self.digits)) for path, text in self.texts.items())
        )
        tests = tuple(test.id for test in self.schedule.tests)
        return (self.tree, ids, self.schedule.runs, tests, self.alone)


class Maker(Value, frozen=True, kw_only=True):
    """Makes the sides of subjects: `runs` of every test, with or without controls and shared imports."""

    patch: Patch
    store: git.Repo
    runs: int
    with_controls: bool
    separate: bool
    device: str

    def schedule(self, tests: tuple[Test, ...], runs: int) -> plan.Schedule:
        return plan.Schedule(tests=tests, runs=runs, device=self.device)

    def sides(self, subject: Subject) -> list[Side]:
        """All sides of one subject; only the before one where nothing changes it."""
        if subject.before_tree is None:
            return []
        changed = self.changed(subject)
        before = self.texts(changed[0], subject.before_blobs)
        made = [self.full(subject, BEFORE, subject.before_tree, before)]
        if subject.after_tree is None:
            return made
        shared = is_shared(changed)
        after = self.texts(changed[1] if shared else {}, subject.after_blobs)
        tree = subject.before_tree if shared else subject.after_tree
        made.append(self.full(subject, AFTER, tree, after, alone=not shared))
        return made + (self.control_sides(subject) if self.with_controls else [])

    def full(
        self, subject: Subject, label: str, tree: str, texts: dict[str, bytes], *, alone: bool = False
    ) -> Side:
        manifest = self.patch.manifest
        return Side(
            subject=subject.name,
            label=label,
            tree=tree,
            texts=texts,
            blobs=subject.after_blobs if label == AFTER else subject.before_blobs,
            schedule=self.schedule(manifest.probes + manifest.keep + manifest.hazards, self.runs),
            alone=alone or self.separate,
            digits=len(tree),
        )

    def texts(self, changed: Mapping[str, str], blobs: Mapping[str, str]) -> dict[str, bytes]:
        wanted = {**changed, **blobs}
        data = git.contents(self.store, wanted.values())
        return {path: data[blob] for path, blob in wanted.items()}

    def changed(self, subject: Subject) -> tuple[dict[str, str], dict[str, str]]:
        """What differs below the checkout between the two trees: blobs by path, on each side."""
        if subject.kind != "proposal" or subject.before_tree is None or subject.after_tree is None:
            return {}, {}
        paths = self.patch.manifest.environment.checkout
        trees = (subject.before_tree, subject.after_tree)
        before, after = (
            {entry.path: entry.id for entry in git.list_files(self.store, tree, paths)} for tree in trees
        )
        return (
            {path: blob for path, blob in before.items() if after.get(path) != blob},
            {path: blob for path, blob in after.items() if before.get(path) != blob},
        )

    def control_sides(self, subject: Subject) -> list[Side]:
        """One side for each control, made from the patch's own texts; every test once.

        Real ranks are left out where there are tests without: what they would notice, those notice too.
        """
        before, after = self.texts({}, subject.before_blobs), self.texts({}, subject.patched_blobs)
        if not after or subject.before_tree is None:
            return []
        manifest = self.patch.manifest
        required = tuple(test for test in manifest.probes + manifest.keep if test.required)
        tests = tuple(test for test in required if test.launcher is Launcher.FAKE) or required
        return [
            Side(
                subject=subject.name,
                label=f"control {number}",
                tree=subject.before_tree,
                texts=one.files,
                blobs={
                    path: git.object_id("blob", text, len(subject.before_tree))
                    for path, text in one.files.items()
                },
                schedule=self.schedule(tests, 1),
                alone=self.separate,
                control=one,
                digits=len(subject.before_tree),
            )
            for number, one in enumerate(
                controls.generate(manifest.controls, before, after, manifest.anchors)
            )
        ]


def is_shared(changed: tuple[Mapping[str, str], Mapping[str, str]]) -> bool:
    """Whether two trees differ in the texts of Python files only, so that they can share what comes first."""
    before, after = changed
    return before.keys() == after.keys() and all(PurePosixPath(path).suffix == ".py" for path in before)


def families(sides: Sequence[Side]) -> list[list[Side]]:
    """Group the sides that share imports: those of one tree, but each that is `alone` by itself."""
    grouped: dict[object, list[Side]] = {}
    for side in sides:
        grouped.setdefault(side.content if side.alone else side.tree, []).append(side)
    return list(grouped.values())
