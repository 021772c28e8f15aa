"""GitHub's payloads become values; what null means there is decided here, once."""

from bot.github import payloads
from bot.model import hub

#: Whom GitHub shows where an account was deleted. No account has the number 0.
GHOST = hub.Account(id=0, login="ghost")
ROLES = frozenset({"admin", "maintain", "write", "triage", "read", "none"})


def account(user: payloads.User | None) -> hub.Account:
    return hub.Account(id=user.id, login=user.login, kind=user.type) if user else GHOST


def repository(told: payloads.Repo) -> hub.Repository:
    return hub.Repository(id=told.id, name=told.full_name, default_branch=told.default_branch or "")


def permission(told: payloads.Role) -> str:
    return told.role_name if told.role_name in ROLES else told.permission


def side(end: payloads.End) -> hub.Side:
    return hub.Side(branch=end.ref, commit=end.sha, repository=repository(end.repo) if end.repo else None)


def pull(told: payloads.Pull) -> hub.Pull:
    return hub.Pull(
        number=told.number,
        title=told.title,
        body=told.body or "",
        author=account(told.user),
        base=side(told.base),
        head=side(told.head),
        open=told.state == "open",
        merged=told.merged or told.merged_at is not None,
        draft=told.draft,
        locked=told.locked,
        labels=tuple(one.name for one in told.labels),
        merge_commit=told.merge_commit_sha,
        created=told.created_at,
        url=told.html_url,
    )


def comment(told: payloads.Comment) -> hub.Comment:
    return hub.Comment(
        id=told.id,
        author=account(told.user),
        body=told.body or "",
        created=told.created_at,
        updated=told.updated_at,
        url=told.html_url,
    )


def reaction(told: payloads.Reaction) -> hub.Reaction:
    return hub.Reaction(id=told.id, author=account(told.user), content=told.content)


def commit(told: payloads.Commit) -> hub.Commit:
    seal = told.commit.verification or payloads.Verification()
    return hub.Commit(
        id=told.sha,
        message=told.commit.message,
        author=person(told.commit.author),
        committer=person(told.commit.committer),
        account=taken(told.author),
        verified=seal.verified,
        verification=seal.reason,
    )


def taken(told: payloads.Taken | None) -> hub.Account | None:
    return hub.Account(id=told.id, login=told.login, kind=told.type) if told and told.id else None


def person(told: payloads.Person | None) -> str:
    return f"{told.name or ''} <{told.email or ''}>" if told else " <>"


def changed_file(told: payloads.File) -> hub.ChangedFile:
    return hub.ChangedFile(
        path=told.filename,
        status=told.status,
        additions=told.additions,
        deletions=told.deletions,
        previous=told.previous_filename or "",
    )


def check_run(told: payloads.Check) -> hub.CheckRun:
    return hub.CheckRun(
        id=told.id,
        name=told.name,
        status=told.status,
        conclusion=told.conclusion or "",
        app=(told.app.slug or "") if told.app else "",
        commit=told.head_sha,
        url=told.html_url or "",
    )


def workflow_run(told: payloads.Run) -> hub.WorkflowRun:
    return hub.WorkflowRun(
        id=told.id,
        name=told.name or "",
        event=told.event,
        branch=told.head_branch or "",
        commit=told.head_sha,
        status=told.status or "",
        conclusion=told.conclusion or "",
        attempt=told.run_attempt,
        created=told.created_at,
        url=told.html_url,
    )


def annotation(told: payloads.Note) -> hub.Annotation:
    return hub.Annotation(
        path=told.path,
        first_line=told.start_line,
        last_line=told.end_line,
        level=told.annotation_level or "",
        title=told.title or "",
        message=told.message or "",
    )


def payload(note: hub.Annotation) -> dict[str, object]:
    shown: dict[str, object] = {
        "path": note.path,
        "start_line": note.first_line,
        "end_line": note.last_line,
        "annotation_level": note.level,
        "message": note.message,
    }
    return shown | ({"title": note.title} if note.title else {})
