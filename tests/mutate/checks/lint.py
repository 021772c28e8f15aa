"""What the patch linter refuses: each kind of path, header and count."""

from bot.catalog import diff
from tests.mutate.mutation import Mutation, switched_off

LINT = "tests/test_lint_command.py"
PATHS = "tests/catalog/test_paths.py"
DIFF = "tests/catalog/test_diff.py"
DAMAGED = f"{DIFF}::test_a_damaged_patch_is_refused"
TEXT_ONLY = f"{LINT}::test_what_is_more_than_a_change_of_text_is_refused"
AGREE = f"{LINT}::test_p25_the_three_lines_that_name_a_file_must_agree"
ELSEWHERE = f"{PATHS}::test_p25_b45_a_path_that_leads_elsewhere_is_refused"
STEERS = f"{PATHS}::test_c54_files_that_steer_the_host_are_refused"
CONTEXT = f"{LINT}::test_p39_thin_context_which_git_applies_at_a_stale_line_is_refused"


def headers() -> tuple[Mutation, ...]:
    """Every row of the list of header lines that mean more than a change of text."""
    return tuple(
        Mutation(
            name=f"lint header {start.decode().strip()}",
            file="bot/catalog/diff.py",
            old=f'    (b"{start.decode()}", "{why}"),\n',
            new="",
            tests=(LINT, DIFF),
        )
        for start, why in diff.REFUSED
    )


MUTATIONS = (
    *headers(),
    *switched_off(
        "bot/catalog/paths.py",
        ("where a path begins", 'if path.startswith(("/", "~", "-")):', "if False:", ELSEWHERE),
        ("backslash and colon", 'if "\\\\" in path or ":" in path or', "if", ELSEWHERE),
        (
            "out of the tree",
            'if any(part in {"", ".", ".."} for part in path.split("/")):',
            "if False:",
            ELSEWHERE,
        ),
        (
            "git's own directory",
            'if any(part_of_git(part) for part in path.split("/")):',
            "if False:",
            ELSEWHERE,
        ),
        (
            "names of careless file systems",
            'return IGNORED.sub("", part).casefold()',
            "return part",
            ELSEWHERE,
        ),
        ("workflows", "if SHORT_GITHUB.fullmatch(parts[0]):", "if False:", STEERS),
        ("owners", "if SHORT_OWNERS.fullmatch(parts[-1]):", "if False:", STEERS),
        ("submodules", "if SHORT_MODULES.fullmatch(parts[-1]):", "if False:", STEERS),
    ),
    *switched_off(
        "bot/catalog/diff.py",
        (
            "links and submodules",
            'if line.endswith(b" " + mode):',
            "if False:",
            f"{LINT}::test_p26_a_change_of_a_link_that_is_there_is_refused",
        ),
        (
            "the lines that name a file",
            'if take_header(cursor) not in {name, name + b"\\t"}:',
            "if take_header(cursor) is None:",
            AGREE,
        ),
        (
            "no hunk",
            "    if not hunks:\n",
            "    if False:\n",
            f"{DIFF}::test_a_file_without_a_hunk_is_refused",
        ),
        (
            "order and context",
            "        if why:\n            raise PatchProblem(first + 1",
            "        if False:\n            raise PatchProblem(first + 1",
            CONTEXT,
        ),
    ),
)
