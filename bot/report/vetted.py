"""The section “what you would be vetting”: lines of Markdown about files, commits and what is new since."""

from collections.abc import Iterator, Sequence

from bot.model.hub import ChangedFile, Commit
from bot.model.vetting import Area, Likeness, Offer
from bot.report.escape import code, inline

#: Paths, commits and people that one line names.
FEW = 12
#: Where GitHub's own lists end.
FILES_END, COMMITS_END = 3_000, 250

AREAS = {
    Area.WORKFLOWS: "workflows",
    Area.BUILD: "build",
    Area.TESTS: "tests",
    Area.OWNERS: "owners (CODEOWNERS)",
    Area.LOCKS: "lock files",
    Area.SUBMODULES: "submodules",
}
LIKENESS = {
    Likeness.SAME: "The change is the same as the version that was proven.",
    Likeness.OTHER_WORDS: "The change is **not** the version that was proven, "
    "but a right cure in other words.",
    Likeness.DIFFERENT: "The change is **not** the version that was proven.",
    Likeness.UNKNOWN: "Whether the change is the same as the version that was proven was not compared.",
}
NO_OFFER = "GitHub did not tell what this pull request changes."


def lines(offer: Offer) -> Iterator[str]:
    """One line for each thing a vetter looks at; what GitHub did not tell is never called harmless."""
    if "files" not in offer.hidden:
        yield from of_files(offer)
    if "commits" not in offer.hidden:
        yield from of_commits(offer)
    yield LIKENESS[offer.likeness]
    yield since(offer)
    if offer.hidden:
        yield f"GitHub did not tell: {', '.join(map(inline, offer.hidden))}."


def of_files(offer: Offer) -> Iterator[str]:
    end = ", where GitHub's list ends" if len(offer.files) >= FILES_END else ""
    yield f"{count(len(offer.files), 'file')}{end}, {sizes(offer.files)}: {listed(offer.files)}."
    for area, paths in offer.touched.items():
        if paths:
            yield f"**Touches {AREAS[area]}**: {few(paths)}."
    untouched = [AREAS[area] for area in Area if not offer.touched.get(area)]
    if untouched:
        yield f"Does not touch {', '.join(untouched)}."


def of_commits(offer: Offer) -> Iterator[str]:
    commits = offer.commits
    end = ", where GitHub's list ends" if len(commits) >= COMMITS_END else ""
    authors = [inline(one, 60) for one in dict.fromkeys(map(author, commits))]
    yield f"{count(len(commits), 'commit')}{end}, by {few_of(authors) or 'nobody'}."
    unverified = [one.id for one in commits if not one.verified]
    yield verdict("Signatures verified by GitHub", len(commits), unverified)
    yield verdict("Signed off by their author (DCO)", len(commits), offer.unsigned)


def author(commit: Commit) -> str:
    """The account, else the name in the commit, which anyone can write."""
    if commit.account:
        return commit.account.login
    return f"{commit.author.partition('<')[0].strip()} (no account)"


def verdict(what: str, total: int, lacking: Sequence[str]) -> str:
    if not lacking:
        return f"{what}: all {total}."
    return f"{what}: {total - len(lacking)} of {total}; **not** {few([one[:12] for one in lacking])}."


def since(offer: Offer) -> str:
    """What changed since a vetter last looked."""
    if offer.vetted_head is None:
        return "No commit of this pull request was vetted before."
    place = f"the last vetted head {code(offer.vetted_head[:12])}"
    if offer.since is None:
        return f"What changed since {place} is not known."
    if not offer.since:
        return f"Nothing changed since {place}."
    total = count(len(offer.since), "file")
    return f"Changed since {place}: {total}, {sizes(offer.since)}: {listed(offer.since)}."


def listed(files: Sequence[ChangedFile]) -> str:
    return few_of([f"{code(one.path)} ({inline(one.status, 20)})" for one in files[:FEW]], len(files))


def few(names: Sequence[str]) -> str:
    return few_of([code(name) for name in names[:FEW]], len(names))


def few_of(words: Sequence[str], total: int = 0) -> str:
    """The first words, and how many more there are."""
    total = total or len(words)
    more = f" and {total - FEW} more" if total > FEW else ""
    return f"{', '.join(words[:FEW])}{more}"


def sizes(files: Sequence[ChangedFile]) -> str:
    return f"+{sum(one.additions for one in files)} -{sum(one.deletions for one in files)} lines"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
