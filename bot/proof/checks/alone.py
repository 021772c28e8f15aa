"""Runs inside a tool's process: lets the tool see the standard library and what it needs itself, no more.

Upstream's own linting job installs nothing but the tools. Pylint follows imports into every package that it
can find; into torch, that takes longer than all else, and what it finds would depend on this environment.
"""

import re
import runpy
import sys
import sysconfig
from importlib import metadata
from pathlib import Path


def main(view: str, tool: str, *arguments: str) -> None:
    """Run `tool` as a module. `view` is a directory to make, of links to what it needs."""
    Path(view).mkdir()
    for needed in closure(tool):
        link(metadata.distribution(needed), Path(view))
    library = sysconfig.get_path("stdlib")
    own = [place for place in sys.path if Path(place).is_relative_to(library) and "-packages" not in place]
    sys.path[:] = [*own, view]
    sys.argv[:] = [tool, *arguments]
    runpy.run_module(tool, run_name="__main__", alter_sys=True)


def closure(tool: str) -> set[str]:
    """Name the tool's distribution and, as far as they are installed, all that it requires."""
    found: set[str] = set()
    todo = [tool]
    while todo:
        name = todo.pop()
        try:
            requires = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        if name not in found:
            found.add(name)
            todo += [needed for line in requires if (needed := required(line))]
    return found


def required(line: str) -> str:
    """Return the name in a requirement; empty for one of an extra."""
    name = re.match(r"[\w.-]+", line)
    return name[0] if name and "extra ==" not in line else ""


def link(one: metadata.Distribution, view: Path) -> None:
    """Link every module, package and metadata directory of a distribution."""
    tops = {path.parts[0] for path in one.files or () if path.parts[0] not in ("..", "__pycache__")}
    for top in tops - {place.name for place in view.iterdir()}:
        (view / top).symlink_to(str(one.locate_file(top)))


if __name__ == "__main__":
    main(*sys.argv[1:])
