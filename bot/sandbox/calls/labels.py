"""Calls about labels of a conversation."""

from bot.sandbox import answers, events, rules
from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.calls.conversation import find_pull
from bot.sandbox.records import Label, Repository
from bot.sandbox.shapes import pulls
from bot.sandbox.world import World

LONGEST = 50


def list_all(asked: Asked) -> Answer:
    repo, pull = find_pull(asked)
    return Answer(body=pulls.labels(asked.world, repo, pull))


def add(asked: Asked) -> Answer:
    """A label that is not there yet is made, which needs write permission."""
    repo, pull = find_pull(asked)
    rules.need(asked, repo, "triage")
    names = wanted(asked)
    if any(name not in repo.labels for name in names):
        rules.need(asked, repo, "write")
    for name in names:
        ensure(asked.world, repo, name)
        if name not in pull.labels:
            pull.labels.append(name)
            events.labelled(asked.world, repo, pull, repo.labels[name], asked.me)
    return Answer(body=pulls.labels(asked.world, repo, pull))


def wanted(asked: Asked) -> list[str]:
    names = asked.body.get("labels", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise answers.malformed("For 'properties/labels', it is not an array of strings.")
    for name in names:
        if not 0 < len(name) <= LONGEST:
            raise answers.invalid("Label", "invalid", "name")
    return names


def ensure(world: World, repo: Repository, name: str) -> None:
    if name not in repo.labels:
        repo.labels[name] = Label(id=world.new_id(), name=name)


def remove(asked: Asked) -> Answer:
    repo, pull = find_pull(asked)
    rules.need(asked, repo, "triage")
    name = asked.names["name"]
    if name not in pull.labels:
        raise answers.refused(404, "Label does not exist")
    pull.labels.remove(name)
    events.labelled(asked.world, repo, pull, repo.labels[name], asked.me)
    return Answer(body=pulls.labels(asked.world, repo, pull))
