"""`prove` and `replay`: evidence made, and made again."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import options, progress
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.model import Evidence, Patch
    from bot.proof.rounds import Limits
    from bot.report import Context


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", metavar="PATCH")
    options.add_upstream(parser)
    options.add_targets(parser, otherwise=" (default: the affected ones)")
    parser.add_argument(
        "--proposal",
        action="append",
        default=[],
        metavar="REF",
        help="judge a pull request (its number), ref or commit instead; repeat for more",
    )
    parser.add_argument(
        "--base", action="append", default=[], metavar="B", help="the branch that the proposals are for"
    )
    options.add_runs(parser)
    parser.add_argument(
        "--no-controls",
        action="store_true",
        help="leave out the controls: the verdict is then cured_uncontrolled at best",
    )
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "gpu"),
        default="auto",
        help="where probes may run (default: auto)",
    )
    parser.add_argument(
        "--force", action="store_true", help="run the tests, before only, also where the patch does not apply"
    )
    add_common(parser)
    parser.add_argument("--fresh", action="store_true", help="do not use the evidence cache")


def add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("evidence", metavar="EVIDENCE", type=Path)
    parser.add_argument(
        "--upstream", default="", metavar="U", help="where the commits are (default: the evidence's upstream)"
    )
    add_common(parser)


def add_common(parser: argparse.ArgumentParser) -> None:
    options.add_jobs(parser)
    parser.add_argument(
        "--memory",
        type=options.at_least_one,
        default=8192,
        metavar="MIB",
        help="what one test may hold (default: 8192)",
    )
    parser.add_argument(
        "--setup-timeout",
        type=options.at_least_one,
        default=300,
        metavar="S",
        help="seconds that one tree's import may take (default: 300)",
    )
    parser.add_argument("--separate", action="store_true", help="let no two trees share an import; slower")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the evidence to FILE")
    parser.add_argument("--json", action="store_true", help="print the evidence instead of a report")


def run(arguments: argparse.Namespace) -> int:
    from bot import catalog, config
    from bot.carry import proving

    refuse_mixed(arguments)
    settings = config.read(patches=arguments.patches)
    patch = catalog.load(settings.patches, arguments.patch)
    order = proving.Order(
        patch=patch,
        spec=arguments.upstream or settings.upstream or proving.default_spec(patch),
        cache=settings.cache,
        branches=tuple(arguments.branch),
        refs=tuple(arguments.ref),
        proposals=tuple(arguments.proposal),
        base="".join(arguments.base),
        runs=arguments.runs,
        jobs=arguments.jobs,
        controls=not arguments.no_controls,
        device=arguments.device,
        fresh=arguments.fresh,
        force=arguments.force,
        limits=limits(arguments),
    )
    with progress.shown() as show:
        made = (proving.prove_proposals if order.proposals else proving.prove_branches)(order, show)
    deliver(made, patch, arguments)
    return (
        Exit.RED
        if any(proving.is_red(target.verdict, controls=order.controls) for target in made.targets)
        else Exit.OK
    )


def limits(arguments: argparse.Namespace) -> "Limits":
    from bot.proof.rounds import Limits

    return Limits(
        memory=arguments.memory << 20,
        setup_timeout=float(arguments.setup_timeout),
        separate=arguments.separate,
    )


def refuse_mixed(arguments: argparse.Namespace) -> None:
    """Proposals need one base, and are another question than branches."""
    if arguments.proposal and not arguments.base:
        raise BotError("--proposal needs --base", "name the branch that it is for, as in --base main")
    if arguments.base and not arguments.proposal:
        raise BotError("--base needs --proposal", "to prove the patch on a branch itself, use --branch")
    if len(arguments.base) > 1:
        raise BotError("--base is given more than once", "run prove once for each base")
    if arguments.proposal and (arguments.branch or arguments.ref):
        raise BotError("--proposal does not go with --branch and --ref", "run prove once for each question")


def deliver(made: "Evidence", patch: "Patch", arguments: argparse.Namespace) -> None:
    """Write the evidence where it was asked for, and print it or its report."""
    from bot import report
    from bot.proof import evidence

    if arguments.out:
        evidence.write(arguments.out, made)
    if arguments.json:
        sys.stdout.write(evidence.encode(made).decode())
        return
    report.FORMATS["text"](made, context(patch, arguments.out), sys.stdout)


def context(patch: "Patch", place: Path | None) -> "Context":
    from bot.report import Context

    proposal = patch.manifest.proposal
    return Context(
        title=patch.manifest.title,
        proposal=proposal.pull_request,
        rivals=proposal.rivals,
        replay=shlex.join(["upstream-bot", "replay", place.name if place.is_absolute() else str(place)])
        if place
        else "",
    )


def replay(arguments: argparse.Namespace) -> int:
    from bot import catalog, config
    from bot.carry import proving

    old = read_evidence(arguments.evidence)
    settings = config.read(patches=arguments.patches)
    patch = catalog.load(settings.patches, old.patch)
    order = proving.Order(
        patch=patch,
        spec=arguments.upstream or settings.upstream or replayable(old.upstream),
        cache=settings.cache,
        runs=old.runs,
        jobs=arguments.jobs,
        controls=any(target.controls for target in old.targets),
        fresh=True,
        limits=limits(arguments),
    )
    with progress.shown() as show:
        made = proving.prove_again(order, old, show)
    deliver(made, patch, arguments)
    changed = proving.differences(old, made)
    for line in changed or ["every verdict holds"]:
        print(line, file=sys.stderr if arguments.json else sys.stdout)
    return Exit.RED if changed else Exit.OK


def replayable(spec: str) -> str:
    """Return the evidence's upstream where it says enough to be found again."""
    if spec.startswith("local:"):
        raise BotError(
            "that evidence was made from a local clone", "name a clone or the repository with --upstream"
        )
    return spec


def read_evidence(path: Path) -> "Evidence":
    from bot.proof import evidence

    try:
        data = path.read_bytes()
    except OSError as error:
        raise BotError(
            f"{path} cannot be read: {error.strerror}",
            "give an evidence file made by `upstream-bot prove --out`",
        ) from None
    return evidence.decode(data)
