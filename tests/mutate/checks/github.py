"""Commands, the gate and vetting: what is no command, who may, and what counts as an approval."""

from tests.mutate.mutation import switched_off

GRAMMAR = "tests/github/test_grammar.py"
GATE = "tests/github/test_gate.py"
STATES = "tests/github/vetting/test_vetting_states.py"

MUTATIONS = (
    *switched_off(
        "bot/github/grammar.py",
        ("three commands a comment", " and len(chosen) == MOST:", " and False:", GRAMMAR),
        ("plain as it was written, too", "    if plainly and raw != clean:\n", "    if False:\n", GRAMMAR),
        (
            "no option",
            '    if any(word.startswith("-") for word in words):\n',
            "    if False:\n",
            GRAMMAR,
        ),
        (
            "no quotes",
            '    return "" if QUOTES.isdisjoint(text) else replies.QUOTED\n',
            '    return ""\n',
            GRAMMAR,
        ),
    ),
    *switched_off(
        "bot/github/plain.py",
        (
            "the top level only",
            'before.type == "paragraph_open" and before.level == 0',
            'before.type == "paragraph_open"',
            GRAMMAR,
        ),
        ("no open element", "if mark and not opened and", "if mark and", GRAMMAR),
        ("no mathematics", " and dollars % 2 == 0:", ":", GRAMMAR),
        (
            "what a line above holds",
            "    free = marks.keys() - held(rows)\n",
            "    free = marks.keys()\n",
            GRAMMAR,
        ),
    ),
    *switched_off(
        "bot/github/gate.py",
        (
            "an edited comment",
            "    if was_edited(event.comment):\n",
            "    if False:\n",
            f"{GATE}::test_c9_edits_never_act",
        ),
        ("our own comments", "    if replies.is_ours(event.comment.body):\n", "    if False:\n", GATE),
        ("what was answered", "    if not FINAL.isdisjoint(facts.reactions):\n", "    if False:\n", GATE),
        ("a locked conversation", "    if pull.locked:\n", "    if False:\n", GATE),
        ("the stage of the pull request", "    if stage not in row.stages:\n", "    if False:\n", GATE),
        (
            "a fork that is gone",
            "    if row.needs_head and pull.head.repository is None:\n",
            "    if False:\n",
            GATE,
        ),
        (
            "two accounts of the head",
            "return replies.UNSETTLED if row.needs_head and mirror != pull.head.commit else",
            "return replies.UNSETTLED if False else",
            GATE,
        ),
    ),
    *switched_off(
        "bot/github/rights.py",
        ("who writes", "facts.permission in WRITERS", 'facts.permission != "none"', GATE),
        (
            "the operator",
            "operator = facts.me is not None and facts.me.id == comment.author.id",
            "operator = True",
            GATE,
        ),
    ),
    *switched_off(
        "bot/github/frozen.py",
        (
            "a head that moved",
            "    if other := next((head for head in heads if head != old.head), None):\n",
            "    if other := None:\n",
            f"{GATE}::test_c1_a_head_that_moved_stops_the_later_step",
        ),
    ),
    *switched_off(
        "bot/github/cooldown.py",
        (
            "the same again within a minute",
            "    if len(same) > 1 or len(recent) > MOST:\n",
            "    if False:\n",
            f"{GATE}::test_c57_of_thirty_in_a_minute_one_runs_and_one_is_answered",
        ),
    ),
    *switched_off(
        "bot/github/vetting/approvals.py",
        ("the gatekeeper is no person", 'account.kind == "Bot" and ', "", STATES),
        (
            "an approval of an older commit",
            "    if not seen.pull.head.commit.startswith(commit):\n",
            "    if False:\n",
            STATES,
        ),
        (
            "the gatekeeper's answer",
            "    return None if answered else Uncounted.NO_REACTION\n",
            "    return None\n",
            STATES,
        ),
    ),
    *switched_off(
        "bot/github/vetting/patience.py",
        (
            "one mention for each head",
            "    if any(first_line(one.body) == marker for one in ours):\n",
            "    if False:\n",
            "tests/github/vetting/test_patience.py",
        ),
    ),
    *switched_off(
        "bot/github/vetting/decide.py",
        (
            "vetted means the mirror",
            "vetted = seen.mirror == pull.head.commit or",
            "vetted = True or",
            STATES,
        ),
        ("a draft asks nobody", "    if pull.draft and not vetted:\n", "    if False:\n", STATES),
        ("the label stale", '    if "stale" in labels(seen):\n', "    if False:\n", STATES),
        (
            "runs that wait for a button",
            "    if not gated and (held or silent):\n",
            "    if False:\n",
            STATES,
        ),
        ("a release that is missing", 'if missing and "carried" not in seen.untold:', "if False:", STATES),
        (
            "nothing ran",
            '    if nothing and not seen.vetting.mirror_ref and "runs" not in seen.untold:\n',
            "    if False:\n",
            STATES,
        ),
        (
            "results of the older commit",
            "older_results(seen) if judged.stage in ASKING else None",
            "None",
            STATES,
        ),
    ),
)
