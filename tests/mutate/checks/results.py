"""What the bot itself holds of trees, outcomes, caches and evidence files."""

from tests.mutate.mutation import switched_off

REACH = "tests/proof/test_hostile_reach.py"
EVIDENCE = "tests/proof/test_evidence_file.py"
OUTCOMES = "tests/proof/test_outcomes.py"
PROVE = "tests/proof/test_prove_command.py"
EDITED = f"{REACH}::test_v25_without_a_namespace_an_edited_tree_voids_its_outcomes"
STALE = f"{OUTCOMES}::test_v24_stale_bytecode_of_a_module_beside_is_not_run"
REFUSED = f"{EVIDENCE}::test_a_bad_file_is_refused_with_a_hint"
RERUN = f"{PROVE}::test_a_second_run_starts_no_process_and_a_changed_byte_in_a_probe_runs_again"
REPLAYED = f"{PROVE}::test_replay_says_that_the_verdicts_hold_and_notices_another_patch"
NO_DEVICE = f"{PROVE}::test_probes_that_no_launcher_or_device_can_run_are_said_to_be_not_run"
BAD_MOMENT = f"{OUTCOMES}::test_a_bad_moment_is_not_remembered"
SYMLINK = f"{OUTCOMES}::test_a_symbolic_link_of_upstream_leads_nowhere"

MUTATIONS = (
    *switched_off(
        "bot/proof/rounds.py",
        (
            "the tree after the run",
            "if trees.unchanged(Path(laid.family.root), laid.files):",
            "if True:",
            EDITED,
        ),
    ),
    *switched_off(
        "bot/proof/trees.py",
        ("no compiled files", " and path.suffix not in STALE", "", STALE),
        ("no symbolic links", "return entry.mode in REGULAR and harmless", "return harmless", SYMLINK),
    ),
    *switched_off(
        "bot/proof/cache.py",
        ("a bad moment is not kept", "if stored.target.verdict in PASSING:", "if False:", BAD_MOMENT),
        ("probes are part of the key", '        "probes": patch.probes_sha256,\n', "", RERUN),
    ),
    *switched_off(
        "bot/proof/devices.py",
        ("no device, no run", 'return "" if has_cuda() else "no CUDA device"', 'return ""', NO_DEVICE),
    ),
    *switched_off(
        "bot/proof/evidence.py",
        ("the id", "if not sound:", "if False:", REFUSED),
        ("the schema", "if schema != EVIDENCE_SCHEMA:", "if False:", REFUSED),
        ("the size", "if len(data) > LARGEST:", "if False:", REFUSED),
    ),
    *switched_off(
        "bot/carry/proving.py",
        (
            "the same patch",
            "if patch.patch_sha256 != old.patch_sha256 or patch.probes_sha256 != old.probes_sha256:",
            "if False:",
            REPLAYED,
        ),
    ),
)
