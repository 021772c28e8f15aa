"""`survey`: what the patch is to every branch."""

import argparse
import sys
from typing import TYPE_CHECKING

from bot.cli import options, progress
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.carry.surveying import Surveyed, SurveyOrder
    from bot.catalog import Refused
    from bot.model import Patch, Survey


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    options.add_upstream(parser)
    options.add_targets(parser)
    parser.add_argument(
        "--probe",
        action="store_true",
        help="run the probes where the patch does not fit: is the branch cured in other words?",
    )
    parser.add_argument(
        "--rivals",
        action="store_true",
        help="look for other proposals with a change of the same lines; with --probe, judge them",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a report")


def run(arguments: argparse.Namespace) -> int:
    from msgspec import structs

    from bot.carry import surveying

    order = order_of(arguments)
    with progress.shown() as show:
        done = surveying.survey_refs(order, show)
        made = further(arguments, done, order, show)
        made, failed = probed(arguments, structs.replace(done, survey=made), order, show)
    if failed:
        print(f"upstream-bot: not probed: {failed.message}\nhint: {failed.hint}", file=sys.stderr)
    deliver(made, as_json=arguments.json)
    return Exit.RED if failed or surveying.is_red(made) else Exit.OK


def further(
    arguments: argparse.Namespace,
    done: "Surveyed",
    order: "SurveyOrder",
    show: progress.Show,
) -> "Survey":
    """Look for rivals, where that was asked for."""
    from msgspec import structs

    from bot.model import Patch

    if not isinstance(order.patch, Patch) or not arguments.rivals:
        return done.survey
    from bot.carry import rivalry

    show(0, 0, "looking for rivals")
    return structs.replace(done.survey, rivals=rivalry.rivals(order.patch, done))


def probed(
    arguments: argparse.Namespace,
    done: "Surveyed",
    order: "SurveyOrder",
    show: progress.Show,
) -> tuple["Survey", BotError | None]:
    """Run the probes, where that was asked for; what keeps them from running takes no survey away."""
    from bot.model import Patch

    if not isinstance(order.patch, Patch) or not arguments.probe:
        return done.survey, None
    from bot.carry import probing, proving

    asked = proving.Order(patch=order.patch, spec=order.spec, cache=order.cache)
    try:
        return probing.probed(asked, done, show), None
    except BotError as error:
        return probing.unprobed(done.survey, error.message), error


def order_of(arguments: argparse.Namespace) -> "SurveyOrder":
    """What the arguments ask for. Raises BotError."""
    from bot import catalog, config
    from bot.carry import surveying

    settings = config.read(patches=arguments.patches)
    patch = catalog.judge(settings.patches, arguments.patch)
    return surveying.SurveyOrder(
        patch=patch,
        spec=arguments.upstream or settings.upstream or default_spec(patch),
        cache=settings.cache,
        branches=tuple(arguments.branch),
        refs=tuple(arguments.ref),
    )


def default_spec(patch: "Patch | Refused") -> str:
    """The manifest's own upstream. Raises BotError when it names none."""
    place = patch.manifest.upstream
    if place.repo or place.pypi:
        return place.repo or f"pypi:{place.pypi}"
    raise BotError(f"{patch.manifest.id} names no upstream", "give one with --upstream")


def deliver(made: "Survey", *, as_json: bool) -> None:
    if as_json:
        import msgspec

        sys.stdout.write(msgspec.json.encode(made).decode() + "\n")
        return
    from rich.console import Console

    from bot.report import surveys

    surveys.render(made, Console(file=sys.stdout, highlight=False))
