"""How far the tests' processes reach: environment, files, network, rights, and what they leave."""

from tests.mutate.mutation import switched_off

CODE = "tests/proof/test_hostile_code.py"
REACH = "tests/proof/test_hostile_reach.py"
UPSTREAM = "tests/proof/test_hostile_upstream.py"
OUTCOMES = "tests/proof/test_outcomes.py"
MEMORY = f"{CODE}::test_v17_what_holds_too_much_memory_is_stopped"
DEAD = "tests/proof/child/test_processes.py::test_who_has_ended_and_only_waits_to_be_reaped_counts_as_nobody"
LEFT = f"{CODE}::test_v23_what_a_test_leaves_running_is_killed_and_told"
SECRETS = f"{REACH}::test_v28_a_dump_of_environment_files_and_parents_finds_no_secret"
READ_ONLY = f"{REACH}::test_v25_trees_and_tests_are_read_only_and_stay_so"
RIGHTS = f"{REACH}::test_a_test_has_no_rights_network_or_way_to_those_above_it"
HARMLESS = f"{UPSTREAM}::test_what_an_import_leaves_in_its_process_changes_no_outcome"
LIMITS = f"{OUTCOMES}::test_a_test_writes_no_file_beyond_a_gibibyte_and_no_core"

MUTATIONS = (
    *switched_off(
        "bot/proof/child/processes.py",
        ("orphans are adopted", "prctl(PR_SET_CHILD_SUBREAPER, 1)", "pass", LEFT),
        ("the dead are not alive", '.split()[0] == "Z"', '.split()[0] == "?"', DEAD),
        ("shared memory counts", "Rss(?:Anon|Shmem)", "Rss(?:Anon)", MEMORY),
        ("memory is closed", "prctl(PR_SET_DUMPABLE, 0)", "pass", RIGHTS),
        ("children are heard of", "signal.signal(signal.SIGCHLD, signal.SIG_DFL)", "pass", HARMLESS),
    ),
    *switched_off(
        "bot/proof/child/forks.py",
        ("one end for each tree", "if other is not mine:", "if False:", SECRETS),
    ),
    *switched_off(
        "bot/proof/child/confine.py",
        ("large files", "limit(resource.RLIMIT_FSIZE, LARGEST_FILE)", "pass", LIMITS),
        ("core files", "limit(resource.RLIMIT_CORE, 0)", "pass", LIMITS),
        ("read-only mounts", "        close_file_systems(place)\n", "", READ_ONLY),
        (
            "kernel settings",
            "if point != work and (point in SETTINGS or not",
            "if point != work and (not",
            READ_ONLY,
        ),
        ("rights are given up", "        drop_capabilities(frozenset())\n", "", RIGHTS),
        ("no new rights", "processes.prctl(PR_SET_NO_NEW_PRIVS, 1)", "pass", RIGHTS),
    ),
    *switched_off(
        "bot/proof/engine.py",
        ("the environment", 'env=child_environment(Path(warmth.place, "work")),', "env=None,", SECRETS),
    ),
    *switched_off(
        "bot/proof/isolation.py",
        ("the namespace", "if wanted is Level.NAMESPACE else argv", "if False else argv", SECRETS),
    ),
)
