"""The report as Markdown: evidence in, one document out, in the order of DESIGN 7."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

import msgspec

from bot.model import Evidence, TargetEvidence, Value, Verdict
from bot.proof.verdict.words import seen
from bot.report import rows, sentences
from bot.report.context import Context
from bot.report.escape import block, code, defuse, inline, shell
from bot.report.objections import against, gaps

#: Characters of the longest document; GitHub refuses a comment of more than 65,536.
LIMIT = 60_000
#: A section of no more characters is kept or left out as a whole.
SMALL = 1_000


class Section(Value, frozen=True, kw_only=True):
    """`whole`: it is of no use, or no valid Markdown, with its last lines cut off."""

    title: str
    body: str
    folded: bool = False
    whole: bool = False

    def __str__(self) -> str:
        if self.folded:
            return f"<details><summary>{self.title}</summary>\n\n{self.body}\n\n</details>\n"
        return f"### {self.title}\n\n{self.body}\n" if self.title else f"{self.body}\n"


def render(evidence: Evidence, context: Context, limit: int = LIMIT) -> str:
    """At most `limit` characters: long folded sections go first, then long lists are cut, with a note."""
    sections = [
        Section(title="", body=headline(evidence, context), whole=True),
        Section(title="Targets", body=table(evidence)),
        Section(title="What was proven", body=proven(evidence)),
        Section(title="What was not run", body=bullets(gaps(evidence), sentences.NOTHING_LEFT_OUT)),
        Section(
            title="The strongest objections",
            body=bullets(against(evidence, context), sentences.NO_OBJECTION),
        ),
        Section(title="How to run it again", body=again(evidence, context), whole=True),
        Section(title="Controls", body=bullets(controls(evidence), "None ran."), folded=True),
        Section(title="Environment", body=bullets(environment(evidence), "Not named."), folded=True),
        Section(title="Isolation", body=isolation(evidence), folded=True),
        Section(title="Outcomes", body=bullets(outcomes(evidence), sentences.NO_OUTCOMES), folded=True),
    ]
    return defuse(fit(sections, limit))


def fit(sections: Sequence[Section], limit: int, size: Callable[[str], int] = len) -> str:
    """The sections as one text of at most `limit`, in the units that `size` counts."""
    text = "\n".join(map(str, sections))
    longest = max(sections, key=weight)
    if size(text) <= limit or longest.body == sentences.CUT:
        return text
    shorter = [shorten(section) if section is longest else section for section in sections]
    return fit(shorter, limit, size)


def weight(section: Section) -> tuple[bool, int]:
    """Long folded sections go first, then the longest."""
    return section.folded and len(section.body) > SMALL, len(section.body)


def shorten(section: Section) -> Section:
    """The first half of the lines of a table or list, none of anything else, and a note."""
    kept: list[str] = []
    if not section.folded and not section.whole and len(section.body) > SMALL:
        room = accumulate(len(line) + 1 for line in section.body.splitlines())
        kept = [
            line
            for line, end in zip(section.body.splitlines(), room, strict=True)
            if end < len(section.body) / 2
        ]
    body = "\n".join((*kept, "", sentences.CUT)) if kept else sentences.CUT
    return msgspec.structs.replace(section, body=body)


def bullets(lines: Iterable[str], otherwise: str) -> str:
    return "\n".join(f"- {line}" for line in lines) or otherwise


def headline(evidence: Evidence, context: Context) -> str:
    verdicts = [target.verdict for target in evidence.targets]
    title = f" — {inline(context.title)}" if context.title else ""
    place = f" (proposed as pull request {context.proposal})" if context.proposal else ""
    name = f"{inline(evidence.patch)} {inline(evidence.version)}"
    return f"{sentences.overall(verdicts)} **{name}: {sentences.summary(verdicts)}**{title}{place}"


def table(evidence: Evidence) -> str:
    place = environment_name(evidence)
    head = "| | target | environment | state | verdict | why |\n|---|---|---|---|---|---|\n"
    body = "\n".join(table_row(target, place) for target in evidence.targets)
    verdicts = dict.fromkeys(target.verdict for target in evidence.targets)
    states = dict.fromkeys(target.state for target in evidence.targets)
    legend = [f"`{state}`: {sentences.STATES[state]}." for state in states]
    legend += [f"`{verdict}`: {sentences.VERDICTS[verdict]}." for verdict in verdicts]
    return f"{head}{body}\n\n{bullets(legend, 'No target was judged.')}"


def table_row(target: TargetEvidence, place: str) -> str:
    head = f" at {code(target.head[:12])}" if target.head else ""
    kept = " (from the cache)" if target.cached else ""
    cells = (
        sentences.mark(target.verdict),
        f"{code(target.name)}{head}",
        place,
        f"`{target.state}`",
        f"`{target.verdict}`{kept}",
        inline(target.reason, 500),
    )
    return f"| {' | '.join(cells)} |"


def environment_name(evidence: Evidence) -> str:
    python = evidence.environment.get("python")
    digest = code(evidence.environment_sha256[:12])
    return f"Python {inline(python, 40)}, {digest}" if isinstance(python, str) else digest


def proven(evidence: Evidence) -> str:
    marked = {target.name: sentences.mark(target.verdict) for target in evidence.targets}
    lines = []
    for line, names in rows.by_target(evidence.targets, lambda target: target.probes).items():
        on = ", ".join(f"{marked[name]} {code(name)}" for name in names)
        lines.append(f"{code(line.test)} {line.ranks}: {inline(line.change)} ({on})")
    for target in evidence.targets:
        good, total = rows.passing(target.keep)
        if total:
            lines.append(f"{code(target.name)}: {good} of {total} keep-tests pass with the patch")
    any_proven = any(target.verdict is Verdict.PROVEN for target in evidence.targets)
    lead = "" if any_proven or not lines else f"{sentences.NOTHING_PROVEN}\n\n"
    return lead + bullets(lines, sentences.NO_OUTCOMES)


def again(evidence: Evidence, context: Context) -> str:
    command = context.replay or prove_command(evidence)
    upstream = f"Upstream: {code(evidence.upstream)}."
    maker = f"made by {inline(evidence.bot, 60)}"
    return f"{block(command)}\n\n{upstream} Evidence: {code(evidence.id)}, {maker}."


def prove_command(evidence: Evidence) -> str:
    """The command that proves the same targets anew, when nobody gave one that replays the evidence."""
    names = [target.name for target in evidence.targets if target.kind == "branch"]
    branches = [word for name in names for word in ("--branch", name)]
    where = ("--upstream", evidence.upstream) if evidence.upstream else ()
    return shell("upstream-bot", "prove", evidence.patch, *where, *branches, "--runs", str(evidence.runs))


def controls(evidence: Evidence) -> Iterable[str]:
    for target in evidence.targets:
        for row in target.controls:
            word = "held" if row.held else "**failed**"
            by = f", noticed by {', '.join(map(code, row.noticed_by))}" if row.noticed_by else ""
            yield f"{code(target.name)}, {inline(row.kind)}: {inline(row.what)}: {word}{by}"


def environment(evidence: Evidence) -> Iterable[str]:
    for key, value in evidence.environment.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield f"{inline(key, 60)}: {inline(text, 1_000)}"
    yield f"digest of all this: {code(evidence.environment_sha256)}"
    yield f"patch: {code(evidence.patch_sha256)}"
    yield f"probes: {code(evidence.probes_sha256)}"


def isolation(evidence: Evidence) -> str:
    told = sentences.ISOLATION.get(evidence.isolation, sentences.UNKNOWN_ISOLATION)
    return f"{code(evidence.isolation)}: {told}"


def outcomes(evidence: Evidence) -> Iterable[str]:
    for target in evidence.targets:
        for row in rows.all_rows(target):
            for side, runs in (("before", row.before), ("after", row.after)):
                where = f"{code(target.name)}, {code(row.id)} rank {row.rank} {side}"
                words = Counter(map(seen, runs))
                told = "; ".join(f"{rows.TIMES}{count} {inline(word)}" for word, count in words.items())
                yield f"{where}: {told or 'no outcome'}"
