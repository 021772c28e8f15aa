"""Entry of the warm parent (`<this file> <descriptor>`) and of torchrun's ranks (`… worker <order>`)."""

import sys
import types
from pathlib import Path


def adopt_package(name: str, folder: Path) -> None:
    """Make `name` a package without running its `__init__`: what the bot needs may not be installed here."""
    module = types.ModuleType(name)
    module.__path__ = [str(folder)]
    sys.modules[name] = module


def main(arguments: list[str]) -> None:
    here = Path(__file__).resolve().parent
    adopt_package("bot", here.parents[1])
    adopt_package("bot.proof", here.parent)
    if arguments[0] == "worker":
        from bot.proof.child import worker

        worker.main(arguments[1])
    else:
        from bot.proof.child import server

        server.main(int(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
