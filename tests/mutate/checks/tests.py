"""What a sibling holds of its tests: from imports and reports to outcomes, and faults that fired."""

from tests.mutate.mutation import switched_off

CODE = "tests/proof/test_hostile_code.py"
UPSTREAM = "tests/proof/test_hostile_upstream.py"
OUTCOMES = "tests/proof/test_outcomes.py"
PROVE = "tests/proof/test_prove_command.py"
CRASH = f"{CODE}::test_v17_a_crash_names_its_signal_and_an_early_exit_is_no_pass"
OUTPUT = f"{CODE}::test_v27_output_is_never_read_however_much_and_whatever_it_says"
NO_OUTCOME = f"{CODE}::test_v27_what_is_no_outcome_is_no_result"
LEFT = f"{CODE}::test_v23_what_a_test_leaves_running_is_killed_and_told"
ENDED = f"{UPSTREAM}::test_an_import_that_ends_the_process_is_every_tests_outcome"
HARMLESS = f"{UPSTREAM}::test_what_an_import_leaves_in_its_process_changes_no_outcome"
SHADOWED = f"{UPSTREAM}::test_v24_a_module_that_shadows_the_tree_is_not_taken_for_it"
ODD = f"{UPSTREAM}::test_exceptions_that_are_hostile_when_looked_at_still_travel"
SYMBOL = f"{PROVE}::test_a_branch_without_the_symbol_is_not_applicable_and_forced_probes_say_symbol_missing"
OTHER_BLOB = f"{OUTCOMES}::test_v24_a_text_that_is_changed_before_its_import_is_not_the_expected_blob"
EVERY_KIND = f"{OUTCOMES}::test_each_kind_of_outcome_is_called_what_it_is"
NOT_COLLECTED = f"{OUTCOMES}::test_v9_what_is_not_collected_is_missing_and_a_broken_file_is_an_import_error"
NOTHING_RUN = f"{OUTCOMES}::test_a_test_that_never_reported_anything_is_missing"

MUTATIONS = (
    *switched_off(
        "bot/proof/child/family.py",
        (
            "an import error is final",
            'return outcome.of_exception("import_error", error)',
            "return None",
            ENDED,
        ),
        ("output goes nowhere", "os.dup2(null, stream)", "pass", OUTPUT),
    ),
    *switched_off(
        "bot/proof/child/sibling.py",
        (
            "the expected blob",
            "if blob_id(Path(str(module.__file__)).read_bytes(), len(blob)) != blob:",
            "if False:",
            OTHER_BLOB,
        ),
        (
            "imported from the tree",
            'raise NotTheTree(f"{path} was not imported from the tree")',
            "return",
            SHADOWED,
        ),
        ("the anchor is there", "return found is not None", "return True", SYMBOL),
        ("upstream sets nothing of pytest's", "        forget_imports(patch)\n", "", HARMLESS),
    ),
    *switched_off(
        "bot/proof/child/plugin.py",
        ("leftovers are killed", "left = processes.kill_below(os.getpid())", "left = 0", LEFT),
        ("a broken test file", "return self.broken_files.get(file) or ", "return ", NOT_COLLECTED),
        (
            "not collected is missing",
            'outcome.make("missing", f"not collected: {unit.test}")',
            'outcome.make("pass")',
            NOT_COLLECTED,
        ),
        (
            "what passes through pytest",
            'self.seen.append(outcome.of_exception("fail", error))',
            "pass",
            CRASH,
        ),
        (
            "nothing seen is no pass",
            'outcome.make("missing", "nothing was run")',
            'outcome.make("pass")',
            NOTHING_RUN,
        ),
        (
            "the worst counts",
            'return min(seen, key=lambda one: WORST.index(one["outcome"]))',
            "return seen[-1]",
            EVERY_KIND,
        ),
        ("xfail and xpass", 'if hasattr(report, "wasxfail"):', "if False:", EVERY_KIND),
        (
            "a strict xpass",
            'return outcome.make("xpass", str(report.longrepr))',
            'return outcome.make("pass")',
            EVERY_KIND,
        ),
        ("a skip is no pass", "    if report.skipped:\n", "    if False:\n", EVERY_KIND),
        ("a fault that never fired", "if isinstance(error, FaultNotFired):", "if False:", EVERY_KIND),
        ("setup and teardown", '"fail" if report.when == "call" else "setup_error"', '"fail"', EVERY_KIND),
    ),
    *switched_off(
        "bot/proof/child/faults.py",
        ("the fault check", "if any(fault.hits == 0 for fault in self.placed):", "if False:", EVERY_KIND),
        ("chosen calls", "if self.calls and self.seen not in self.calls:", "if False:", EVERY_KIND),
    ),
    *switched_off(
        "bot/proof/child/outcome.py",
        ("what is no outcome", "if not sound:", "if False:", NO_OUTCOME),
        ("what only the supervisor may say", "        and kind in KINDS\n", "", NO_OUTCOME),
        ("a message that raises", 'return f"<no message: {type(broken).__name__}>"', "raise", ODD),
        (
            "texts are cut",
            'return safe if len(safe) <= LONGEST else safe[:LONGEST] + "…"',
            "return text",
            ODD,
        ),
    ),
)
