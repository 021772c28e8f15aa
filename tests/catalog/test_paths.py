"""Which paths a patch may name."""

import pytest

from bot.catalog import paths


@pytest.mark.parametrize(
    "path", ["a.py", "a/b.py", "with space/ä.py", "gitlab/x", ".gitattributes", "a..b/c"]
)
def test_a_plain_relative_path_is_taken(path: str) -> None:
    assert paths.objection(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "", "../x", "a/../../x", "/etc/passwd", "./x", "a//b", "a/", "~/x", "-x", "--git-dir=x",
        ".git/config", ".GIT/config", "a/.Git/x", "GIT~1/x", "git~2", ".git./x", ".git /x", ".git..",
        ".g\u200cit/config", "C:/x", ".git::$INDEX_ALLOCATION/x", "a\\b", "a\nb", "a\x1b[0m",
    ],
)  # fmt: skip
def test_p25_b45_a_path_that_leads_elsewhere_is_refused(path: str) -> None:
    assert paths.objection(path)


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/x.yml",
        ".GitHub/x",
        "CODEOWNERS",
        "docs/CodeOwners",
        "sub/.gitmodules",
        ".github./x",
        "GITHUB~1/x",
        "CODEOW~1",
        "CODEOWNERS ",
        "GITMOD~1",
        "gi7eba~1",
        ".gitmod\u200cules",
    ],
)
def test_c54_files_that_steer_the_host_are_refused(path: str) -> None:
    assert paths.host_objection(path)


def test_a_plain_source_file_steers_nothing() -> None:
    assert paths.host_objection("src/github/x.py") == ""


def test_a_place_holds_itself_and_what_lies_below_it() -> None:
    assert paths.within("src/a.py", ["src"])
    assert paths.within("src/a.py", ["src/"])
    assert paths.within("src/a.py", ["src/a.py"])
    assert not paths.within("src2/a.py", ["src"])
    assert not paths.within("src/a.py", [])
