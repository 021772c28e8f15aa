"""Import modules from many trees: one fork of a process that has torch for each, some beside each other.

Run as `python imports.py ORDER`, where ORDER is JSON; prints the seconds of both parts as JSON.
"""

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any


def main(order: dict[str, Any]) -> None:
    began = time.monotonic()
    for name in order["preload"]:
        import_module(name)
    ready = time.monotonic()
    running: set[int] = set()
    for tree in order["trees"]:
        if len(running) >= order["at_a_time"]:
            wait_for_one(running)
        running.add(fork(order, tree))
    while running:
        wait_for_one(running)
    seconds = {"preload": ready - began, "imports": time.monotonic() - ready}
    sys.stdout.write(json.dumps(seconds))


def fork(order: dict[str, Any], tree: str) -> int:
    """Fork a process that imports from one tree and ends; 0 only if the modules are the tree's."""
    pid = os.fork()
    if pid:
        return pid
    try:
        import_from(order, tree)
        os._exit(0)
    finally:
        os._exit(1)


def import_from(order: dict[str, Any], tree: str) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    sys.dont_write_bytecode = True
    for name in order["stubs"]:
        sys.modules[name] = None  # type: ignore[assignment]  # an import then says that it is absent
    sys.path.insert(0, tree)
    for name in order["imports"]:
        assert Path(str(import_module(name).__file__)).is_relative_to(tree)


def wait_for_one(running: set[int]) -> None:
    pid, status = os.wait()
    running.discard(pid)
    if status:
        sys.exit("an import failed: see above")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
