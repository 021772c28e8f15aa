"""`env`: build a patch's locked environment."""

import argparse

from bot.cli import progress


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    parser.add_argument("--check", action="store_true", help="only say whether it is there: 0 yes, 2 no")


def run(arguments: argparse.Namespace) -> int:
    from bot import catalog, config
    from bot.proof import environments

    settings = config.read(patches=arguments.patches)
    patch = catalog.load(settings.patches, arguments.patch)
    if not arguments.check:
        with progress.shown() as show:
            environments.ensure(patch, settings.cache, lambda text: show(0, 0, text))
    found = environments.find(patch, settings.cache)
    packages = found.facts["packages"]
    print(f"{patch.id}: Python {found.facts['python']} with {len(packages)} packages")
    for name, version in packages.items():
        print(f"  {name} {version}")
    return 0
