"""`patches`: what there is, one line each."""

import argparse


def add(parser: argparse.ArgumentParser) -> None:
    """`patches` takes no arguments of its own."""


def run(arguments: argparse.Namespace) -> int:
    from bot import catalog, config
    from bot.report import escape

    folder = config.read(patches=arguments.patches).patches
    for name in catalog.names(folder):
        patch = catalog.load(folder, name)
        print(f"{patch.id}  {patch.version.id}  {escape.terminal(patch.manifest.title)}")
    return 0
