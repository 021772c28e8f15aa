"""What a survey adds to the texts: history, blame, overlays, and what the probes show."""

from tests.mutate.mutation import switched_off

SURVEY = "tests/test_survey_command.py"
CASES = "tests/test_patch_cases.py"
LOST = (
    "tests/survey/test_walk.py::test_where_a_commit_lost_it_the_merge_that_brought_the_loss_is_not_to_blame"
)
REVERTED = f"{SURVEY}::test_p16_a_revert_is_an_overlay_with_both_commits"
REWRITTEN = f"{SURVEY}::test_p35_a_rewritten_branch_is_told_once_and_a_branch_that_vanished_too"
PROBED = f"{SURVEY}::test_probes_find_a_cure_in_other_words_and_confirm_the_defect_elsewhere"
EXPECTED = f"{SURVEY}::test_a_broken_expectation_and_a_branch_that_only_the_manifest_knows_are_red"
INVALID = f"{SURVEY}::test_p2_a_patch_that_the_linter_refuses_is_patch_invalid_everywhere"
RIVALS = f"{SURVEY}::test_p8_rivals_are_found_by_content_and_judged_by_the_tests"
WATCHED = f"{SURVEY}::test_watch_says_what_changed_since_the_last_time_and_what_needs_somebody"
LOOKS = "tests/carry/test_watching.py::test_what_needs_somebody"
MEANING = "tests/carry/test_watching.py::test_a_change_of_state_has_one_meaning"
SETTLED = (
    "tests/survey/test_settled.py::test_a_text_is_settled_where_the_changed_lines_can_only_be_in_one_place"
)
MOVED = f"{CASES}::test_p5_a_function_that_moved_to_another_file_conflicts_and_its_home_is_named"
RENAMED = f"{CASES}::test_p5_a_file_that_was_renamed_takes_the_patch_by_a_merge_that_follows_it"
PARTIAL = f"{CASES}::test_p32_a_partial_clone_is_unknown_and_a_url_is_asked_for_the_blob"
SHALLOW = f"{CASES}::test_p31_what_a_shallow_clone_cannot_tell_is_unknown"

MUTATIONS = (
    *switched_off(
        "bot/survey/walk.py",
        ("who lost it", "        if any(kept) and len(kept) == 1:\n            return commit\n", "", LOST),
    ),
    *switched_off(
        "bot/survey/settled.py",
        (
            "lines that stand once",
            "    return places(body, [*before(first, old), *first.old, *after(first, old)]) == 1 and all(",
            "    return all(",
            SETTLED,
        ),
        (
            "the same change elsewhere",
            " and not places(body, [*before(run, old), *run.new, *after(run, old)])",
            "",
            SETTLED,
        ),
        (
            "a run that can slide",
            "        is_fixed(run, old)",
            "        True",
            "tests/survey/test_settled.py::test_an_inserted_line_that_equals_its_neighbour_could_slide",
        ),
    ),
    *switched_off(
        "bot/survey/reverted.py",
        ("the overlay", "    if pair is None:\n", "    if True:\n", REVERTED),
    ),
    *switched_off(
        "bot/survey/rewritten.py",
        ("a rewritten branch", "    return not known\n", "    return False\n", REWRITTEN),
    ),
    *switched_off(
        "bot/survey/homes.py",
        ("a new home", "bool(anchors.find(text, symbol).spans)", "False", MOVED),
    ),
    *switched_off(
        "bot/survey/rehomed.py",
        ("a renamed file", "    if state in PROVABLE:\n", "    if False:\n", RENAMED),
    ),
    *switched_off(
        "bot/survey/absence.py",
        (
            "an object that is not stored",
            'else f"object {child.id} of {path} is not in the store"',
            'else ""',
            PARTIAL,
        ),
    ),
    *switched_off(
        "bot/survey/history.py",
        (
            "beyond a shallow boundary",
            'no = None if (store.path / "shallow").exists() else False',
            "no = False",
            SHALLOW,
        ),
    ),
    *switched_off(
        "bot/proof/verdict/equivalence.py",
        ("a cure in other words", "    return bool(probes) and all(", "    return False and all(", PROBED),
    ),
    *switched_off(
        "bot/carry/surveying.py",
        ("a broken expectation is red", "    return bool(made.broken) or any(", "    return any(", EXPECTED),
        (
            "a refused patch",
            "    if isinstance(order.patch, Refused):\n        return",
            "    if False:\n        return",
            INVALID,
        ),
    ),
    *switched_off(
        "bot/survey/rivals.py",
        ("only what it changed itself", "if began[full] in PROVABLE or", "if False or", RIVALS),
    ),
    *switched_off(
        "bot/carry/watching.py",
        (
            "what is lost again",
            "    if before in {State.UPSTREAM_IDENTICAL, State.UPSTREAM_EQUIVALENT}:\n",
            "    if False:\n",
            MEANING,
        ),
        (
            "what does not fit any more",
            "    if before in PROVABLE and after not in PROVABLE:\n",
            "    if False:\n",
            WATCHED,
        ),
        (
            "who must look",
            "return kind not in {Kind.MOVED, Kind.FIXED} and ",
            "return ",
            LOOKS,
        ),
    ),
)
