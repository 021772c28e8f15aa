"""Run the command line in this process; write its own peak memory and the programs that it started.

Run as `python alone.py FILE ARGUMENT…`; FILE gets JSON. What the kernel tells a parent about a child that has
ended counts that child's own children in, so the process has to look at itself.
"""

import json
import sys
from pathlib import Path
from typing import Any

from bot.__main__ import main


def peak() -> int:
    """The largest resident set so far, in KiB (`VmHWM` in proc(5))."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


class Started:
    """An audit hook that keeps the command line of every program that is started."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def __call__(self, event: str, values: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen":
            self.commands.append(" ".join(map(str, values[1])))


if __name__ == "__main__":
    place = Path(sys.argv.pop(1))
    started = Started()
    sys.addaudithook(started)
    code = main()
    place.write_text(json.dumps({"peak_kib": peak(), "started": started.commands}), encoding="utf-8")
    sys.exit(code)
