"""Entry of the warm parent: `python -P -s <this file> <descriptor>`; no other part of the bot is loaded."""

import sys
import types
from pathlib import Path


def adopt_package(name: str, folder: Path) -> None:
    """Make `name` a package without running its `__init__`: what the bot needs may not be installed here."""
    module = types.ModuleType(name)
    module.__path__ = [str(folder)]
    sys.modules[name] = module


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    adopt_package("bot", here.parents[1])
    adopt_package("bot.proof", here.parent)
    from bot.proof.child import server

    server.main(int(sys.argv[1]))
