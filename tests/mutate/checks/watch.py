"""What the supervisor holds of a sibling: who may speak, what weighs more, deadlines, memory, processes."""

from tests.mutate.mutation import switched_off

CODE = "tests/proof/test_hostile_code.py"
UPSTREAM = "tests/proof/test_hostile_upstream.py"
OUTCOMES = "tests/proof/test_outcomes.py"
HANG = f"{CODE}::test_v15_a_hang_in_python_and_in_native_code_ends_at_the_deadline"
CRASH = f"{CODE}::test_v17_a_crash_names_its_signal_and_an_early_exit_is_no_pass"
MEMORY = f"{CODE}::test_v17_what_holds_too_much_memory_is_stopped"
CROWD = f"{CODE}::test_a_test_that_starts_too_many_processes_is_stopped"
FORGED = f"{CODE}::test_v27_messages_on_inherited_descriptors_speak_for_no_other_test_rank_or_tree"
NO_OUTCOME = f"{CODE}::test_v27_what_is_no_outcome_is_no_result"
LEFT = f"{CODE}::test_v23_what_a_test_leaves_running_is_killed_and_told"
KILLS = f"{CODE}::test_a_test_that_kills_those_above_it_ends_its_own_tree_only"
ENDED = f"{UPSTREAM}::test_an_import_that_ends_the_process_is_every_tests_outcome"
IMPORT_HANGS = f"{UPSTREAM}::test_v15_an_import_that_hangs_ends_at_its_deadline"
LAST_WORD = f"{OUTCOMES}::test_v17_how_a_process_ended_weighs_more_than_what_it_said"
BESIDE = f"{OUTCOMES}::test_v27_no_rank_speaks_for_another_that_runs_beside_it"
NONSENSE = f"{OUTCOMES}::test_v27_a_sibling_that_talks_nonsense_is_believed_no_more"

SAID = "self.said.setdefault(((unit, rank), heard.sender), outcome.checked(made))"
BY_ITSELF = "said = self.said.get((slot, self.pid or 0)) or self.said.get((slot, pid or 0))"
BY_ANYBODY = "said = next((made for (what, _), made in self.said.items() if what == slot), None)"

MUTATIONS = (
    *switched_off(
        "bot/proof/child/watch.py",
        ("a death by signal is a crash", "elif os.WIFSIGNALED(status):", "elif False:", CRASH),
        ("an exit code undoes a pass", "elif said is None or status:", "elif said is None:", LAST_WORD),
        ("what was killed is no crash", "if slot in self.killed:", "if False:", HANG),
        (
            "the first word stands",
            SAID,
            "self.said[(unit, rank), heard.sender] = outcome.checked(made)",
            FORGED,
        ),
        ("an outcome is checked", SAID, SAID.replace("outcome.checked(made)", "made"), NO_OUTCOME),
        ("only itself speaks for a rank", BY_ITSELF, BY_ANYBODY, BESIDE),
        (
            "only the family speaks for births",
            "heard.sender == self.parent:",
            "heard.sender != self.pid:",
            FORGED,
        ),
        (
            "only the sibling speaks for its tests",
            "case message if heard.sender == self.pid:",
            "case message:",
            FORGED,
        ),
        (
            "nonsense ends belief",
            'self.condemn(outcome.make("missing", "the tests\' process sent what is no message of ours"))',
            "return",
            NONSENSE,
        ),
        ("ready before the first test only", '"ready"} if not self.started:', '"ready"}:', NONSENSE),
        (
            "each starts once",
            "if slot not in self.started:",
            "if True:",
            NONSENSE,
        ),
        (
            "an end has a status",
            '"status": int(status)} if 0 <= status < MANY:\n                self.end(',
            '"status": int(status)}:\n                self.end(',
            NONSENSE,
        ),
        ("nothing left is not told", "if 0 < left < MANY:", "if left < MANY:", LEFT),
        ("the deadline", "if left is None or left > 0:", "if True:", HANG),
        ("the crowd", "if len(below) > CROWD:", "if False:", CROWD),
        ("the memory look", "elif processes.memory(below) > self.family.memory:", "elif False:", MEMORY),
        ("who is not believed is killed", "processes.kill_tree(sibling)", "pass", NONSENSE),
        ("a sibling's death by signal", "        if os.WIFSIGNALED(status):", "        if False:", ENDED),
        (
            "an early end closes what is open",
            'self.close_all(outcome.make("missing", "the process that collects the tests ended early"))',
            "pass",
            ENDED,
        ),
    ),
    *switched_off(
        "bot/proof/child/running.py",
        (
            "the deadline of a common import",
            "if time.monotonic() > self.deadline:",
            "if False:",
            IMPORT_HANGS,
        ),
    ),
    *switched_off(
        "bot/proof/child/channel.py",
        ("deep nonsense", "except (ValueError, RecursionError):", "except ValueError:", FORGED),
    ),
)
