"""Calls about check runs and workflow runs."""

from typing import Any

from bot.model.hub import Annotation
from bot.sandbox import answers, backing, clock, rules
from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.records import Check, Kind, Repository
from bot.sandbox.shapes import checks

CONCLUSIONS = (
    "action_required",
    "cancelled",
    "failure",
    "neutral",
    "success",
    "skipped",
    "stale",
    "timed_out",
)
STATUSES = ("queued", "in_progress", "completed")
LEVELS = ("notice", "warning", "failure")
SUMMARY = 65_535


def list_for_ref(asked: Asked) -> Answer:
    repo, query = asked.repo(), asked.query
    commit = backing.resolve(repo.git, asked.names["ref"])
    if commit is None:
        raise answers.refused(422, f"No commit found for SHA: {asked.names['ref']}")
    found = [
        one
        for one in asked.world.checks.values()
        if (one.repo, one.commit) == (repo.id, commit)
        and query.get("check_name") in (None, one.name)
        and query.get("status") in (None, one.status)
    ]
    if query.get("filter", "latest") == "latest":
        found = list({(one.app, one.name): one for one in found}.values())
    return Answer(body={"check_runs": [checks.check(asked.world, repo, one) for one in found]})


def get(asked: Asked) -> Answer:
    return Answer(body=checks.check(asked.world, asked.repo(), find(asked)))


def find(asked: Asked) -> Check:
    found = asked.world.checks.get(asked.number("check"))
    if found is None or found.repo != asked.repo().id:
        raise answers.missing()
    return found


def need_app(asked: Asked) -> None:
    """Only Apps write check runs."""
    if asked.token and asked.token.kind is Kind.FINE:
        rules.refuse_kind(asked.token)
    if not rules.acts_for_app(asked):
        raise answers.refused(403, "You must authenticate via a GitHub App.")


def create(asked: Asked) -> Answer:
    need_app(asked)
    repo, name, commit = asked.repo(), asked.text("name"), asked.text("head_sha")
    if backing.resolve(repo.git, commit) != commit:
        raise answers.refused(422, f"No commit found for SHA: {commit}")
    new = Check(id=0, repo=repo.id, commit=commit, name=name, app=asked.app, started=asked.world.clock.now())
    fill(asked, new)
    new.id = asked.world.new_id()
    asked.world.checks[new.id] = new
    return Answer(status=201, body=checks.check(asked.world, repo, new))


def update(asked: Asked) -> Answer:
    need_app(asked)
    found = find(asked)
    if found.app != asked.app:
        theirs = checks.app(asked.world, asked.app)["id"]
        message = (
            f"Invalid app_id `{theirs}` - check run can only be modified by the GitHub App that created it."
        )
        raise answers.refused(403, message)
    fill(asked, found)
    return Answer(body=checks.check(asked.world, asked.repo(), found))


def fill(asked: Asked, check: Check) -> None:
    """Take over what the body says, after all of it was found right."""
    body = asked.body
    conclusion, status = body.get("conclusion"), body.get("status")
    member(conclusion, CONCLUSIONS)
    member(status, STATUSES)
    if status == "completed" and not conclusion:
        raise answers.malformed('"conclusion" wasn\'t supplied.')
    output(check, body.get("output"))
    check.name = body.get("name", check.name)
    check.external = body.get("external_id", check.external)
    check.details = body.get("details_url", check.details)
    check.status = "completed" if conclusion else status or check.status
    if conclusion:
        check.conclusion = conclusion
        check.completed = ended(asked)


def ended(asked: Asked) -> float:
    told = asked.body.get("completed_at")
    try:
        return clock.seconds(told) if told else asked.world.clock.now()
    except ValueError:
        raise answers.malformed(f"{told!r} is not a date.") from None


def member(value: object, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise answers.malformed(f"{value!r} is not a member of {list(allowed)}.")


def output(check: Check, told: Any) -> None:
    """Annotations are added to those there, at most 50 a request; title and summary come together."""
    if told is None:
        return
    for name in ("title", "summary"):
        if not isinstance(told.get(name), str):
            raise answers.malformed(f'"{name}" wasn\'t supplied.')
    for name in ("summary", "text"):
        if len(told.get(name) or "") > SUMMARY:
            raise answers.malformed(
                f"Only {SUMMARY} characters are allowed; {len(told[name])} were supplied."
            )
    notes = told.get("annotations", [])
    if len(notes) > rules.ANNOTATIONS:
        message = f"No more than {rules.ANNOTATIONS} items are allowed; {len(notes)} were supplied."
        raise answers.malformed(message)
    added = [read_annotation(note) for note in notes]
    check.title, check.summary = told["title"], told["summary"]
    check.text = told.get("text", check.text)
    check.annotations.extend(added)


def read_annotation(note: dict[str, Any]) -> Annotation:
    for name in ("path", "start_line", "end_line", "annotation_level", "message"):
        if name not in note:
            raise answers.malformed(f'"{name}" wasn\'t supplied.')
    member(note["annotation_level"], LEVELS)
    return Annotation(
        path=note["path"],
        first_line=note["start_line"],
        last_line=note["end_line"],
        level=note["annotation_level"],
        title=note.get("title") or "",
        message=note["message"],
    )


def list_annotations(asked: Asked) -> Answer:
    found = find(asked)
    html = f"{asked.world.url}/{asked.repo().full_name}/blob/{found.commit}"
    return Answer(body=[checks.annotation(one, f"{html}/{one.path}") for one in found.annotations])


def list_runs(asked: Asked) -> Answer:
    """Newest first."""
    repo, query = asked.repo(), asked.query
    found = [
        one
        for one in asked.world.runs.values()
        if one.repo == repo.id
        and query.get("branch") in (None, one.branch)
        and query.get("head_sha") in (None, one.commit)
        and query.get("event") in (None, one.event)
        and query.get("status") in (None, one.status, one.conclusion)
    ]
    return Answer(body={"workflow_runs": [show(asked, repo, one.id) for one in reversed(found)]})


def show(asked: Asked, repo: Repository, number: int) -> dict[str, Any]:
    return checks.run(asked.world, repo, asked.world.runs[number])
