"""The sticky report's body in the order of DESIGN 7, from new facts and from our own earlier body."""

from collections.abc import Iterator

from bot.report import markdown, requests, stickies, vetted
from bot.report.comment import kept, marker
from bot.report.comment.facts import Facts
from bot.report.comment.kept import Marked
from bot.report.comment.marker import Marker
from bot.report.comment.results import Results, choose
from bot.report.escape import block, code, defuse, inline, shell
from bot.report.markdown import bullets

#: UTF-16 units of the longest body: GitHub refuses more than 65,536 characters, however it counts them.
LIMIT = 60_000
#: Room for what is added after the cut: characters that part a command.
SLACK = 500
#: Comments that look like approvals and are named, the latest first.
FEW = 5


def compose(facts: Facts, previous: str = "", limit: int = LIMIT) -> str:
    """The whole body. `previous` is our own earlier body, "" when there is none.

    Results of an older commit or an older run are kept, and never take the place of newer ones.
    """
    results = choose(facts, previous)
    first = marker.write(results.about)
    sections = [*run_sections(facts, results), *state_sections(facts, results.about), *tail(facts, results)]
    return defuse(f"{first}\n{markdown.fit(sections, limit - SLACK - len(first), units)}")


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_current(facts: Facts, results: Results) -> bool:
    return results.about.tested == facts.pull.head.commit


def run_sections(facts: Facts, results: Results) -> Iterator[Marked]:
    """From the verdict line to the objections."""
    if is_current(facts, results):
        headline, *others = results.of(*kept.LASTING)
        yield headline
        yield Marked(mark="base", title="", body=about_base(facts, results.about), whole=True)
        yield from others
        return
    head, tested = code(facts.pull.head.commit), results.about.tested
    patch = inline(facts.patch)
    line = stickies.moved(patch, head, code(tested)) if tested else stickies.none_yet(patch, head)
    yield Marked(mark="verdict", title="", body=f"{line}.", whole=True)
    yield Marked(mark="nothing", title="What was not run", body=stickies.NOTHING_RAN, whole=True)


def about_base(facts: Facts, about: Marker) -> str:
    """What the head was merged into, and whether that is still the base."""
    now = facts.base or facts.pull.base.commit
    say = stickies.older_base if about.base and about.base != now else stickies.about_base
    merge = code(about.merge) if about.merge else ""
    return say(code(facts.pull.base.branch), code(about.base or "an unknown commit"), merge)


def state_sections(facts: Facts, about: Marker) -> Iterator[Marked]:
    """What you would be vetting, what next, and how to run it again."""
    offer = bullets(vetted.lines(facts.offer), vetted.NO_OFFER) if facts.offer else vetted.NO_OFFER
    yield Marked(mark="vetting", title="What you would be vetting", body=offer)
    yield Marked(
        mark="next", title="What next, and whose turn", body="\n\n".join(next_lines(facts)), whole=True
    )
    yield Marked(mark="again", title="How to run it again", body=again(facts, about), whole=True)


def next_lines(facts: Facts) -> Iterator[str]:
    standing = facts.standing
    yield standing.next
    if standing.request:
        yield standing.request
    older = requests.older_results(standing.older, standing.vetted_head)
    if older:
        yield older
    looks = [requests.uncounted(one) for one in standing.approvals if one.uncounted][-FEW:]
    if looks and standing.request:
        yield bullets(looks, "")


def again(facts: Facts, about: Marker) -> str:
    """One command to paste where the patches are, and the digest of the evidence to compare with."""
    where = ("--upstream", facts.upstream) if facts.upstream else ()
    proposal = ("--proposal", str(facts.pull.number), "--base", facts.pull.base.branch)
    command = block(shell("upstream-bot", "prove", facts.patch, *where, *proposal))
    digest = (
        f"Evidence of {code(about.tested)}: {code(about.digest)}." if about.tested else stickies.NO_DIGEST
    )
    return f"{command}\n\n{digest}"


def tail(facts: Facts, results: Results) -> Iterator[Marked]:
    """What is folded away, and who writes this."""
    if is_current(facts, results):
        yield from results.of(*(name for name in kept.RESULTS if name not in kept.LASTING))
    elif results.about.tested:
        body = kept.together(results.sections)
        title = stickies.older_title(code(results.about.tested))
        yield Marked(mark="older", title=title, body=body, folded=True)
    rows = [history_row(one) for one in reversed(results.about.history)]
    if rows:
        yield Marked(mark="history", title="History", body=bullets(rows, ""), folded=True)
    yield Marked(mark="about", title="", body=stickies.ABOUT, whole=True)


def history_row(row: marker.Ran) -> str:
    return stickies.ran(
        inline(row.created, 40),
        code(row.head[:12]),
        code(row.base[:12]) if row.base else "",
        inline(row.outcome, 300),
        code(row.digest[:12]),
    )
