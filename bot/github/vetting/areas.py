"""Which paths a vetter looks at first: what runs, builds, judges, pins or owns."""

import re
from collections.abc import Iterable

from bot.catalog.paths import plain
from bot.model.hub import ChangedFile
from bot.model.vetting import Area

#: Matched against the whole path, as the most careless file system reads it.
AREAS = {
    Area.WORKFLOWS: re.compile(
        r"\.github/.*|\.gitlab(?:-ci.*|/.*)|\.circleci/.*|\.buildkite/.*|azure-pipelines.*|(?:.*/)?jenkinsfile"
        r"|(?:.*/)?action\.ya?ml|(?:.*/)?\.pre-commit-config\.ya?ml"
    ),
    Area.BUILD: re.compile(
        r"(?:.*/)?(?:setup\.(?:py|cfg)|pyproject\.toml|manifest\.in|makefile|gnumakefile|cmakelists\.txt"
        r"|.*\.(?:mk|cmake|cu|cuh|cpp|pth)|meson\.build|build\.(?:bazel|sh|py)|dockerfile.*|.*\.dockerfile"
        r"|docker-compose.*|requirements.*\.(?:txt|in)|constraints.*\.txt|tox\.ini|noxfile\.py|package\.json"
        r"|cargo\.toml|go\.mod|sitecustomize\.py|usercustomize\.py)|(?:.*/)?docker/.*|(?:.*/)?requirements/.*"
    ),
    Area.TESTS: re.compile(
        r"(?:.*/)?tests?/.*|(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py|(?:.*/)?conftest\.py|(?:.*/)?pytest\.ini"
    ),
    Area.OWNERS: re.compile(r"(?:.*/)?codeowners|\.github/copy-pr-bot\.ya?ml|(?:.*/)?owners"),
    Area.LOCKS: re.compile(
        r"(?:.*/)?(?:[^/]*\.lock|[^/]*-lock\.(?:json|ya?ml)|[^/]*\.lockb?|npm-shrinkwrap\.json|go\.sum"
        r"|requirements.*\.txt|constraints.*\.txt)"
    ),
    Area.SUBMODULES: re.compile(r"(?:.*/)?\.gitmodules"),
}


def touched(files: Iterable[ChangedFile]) -> dict[Area, tuple[str, ...]]:
    """For each area the paths of it that change, by their old or their new name."""
    paths = dict.fromkeys(path for file in files for path in (file.path, file.previous) if path)
    return {
        area: tuple(path for path in paths if pattern.fullmatch(folded(path)))
        for area, pattern in AREAS.items()
    }


def folded(path: str) -> str:
    return "/".join(plain(part) for part in path.split("/"))
