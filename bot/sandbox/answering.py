"""From a request to its answer: faults, token, limits, route, page, tag, log."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from bot.sandbox import answers, events, heads, journal, page, paging, routes, rules
from bot.sandbox.answers import Answer, RefusedError
from bot.sandbox.asking import Asked, sees
from bot.sandbox.faults import Fault, Trouble
from bot.sandbox.records import Token
from bot.sandbox.world import World

HOUR = 3600
ANONYMOUS = 60


@dataclass(frozen=True, kw_only=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    data: bytes = b""

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What goes out; an answer of None: the connection dies. `wait` seconds first."""

    answer: Answer | None
    data: bytes = b""
    wait: float = 0.0


def reply(world: World, request: Request) -> Reply:
    """Answer one request, and log it. One at a time."""
    with world.changing():
        if shown := page.find(world, request.method, request.path):
            return Reply(answer=shown, data=paging.encode(shown))
        fault = world.faults.take(request.method, request.path)
        token, answer = None, None
        try:
            token = find_token(world, request.headers.get("authorization", ""))
            answer = play(world, request, token, fault)
        except RefusedError as refusal:
            answer = refusal.answer
        answer, data = finish(world, request, token, answer)
        broken = fault is not None and fault.trouble in (Trouble.RESET, Trouble.DEAD)
        note(world, request, token, fault, 0 if broken else answer.status)
        wait = fault.seconds if fault and fault.trouble is Trouble.SLOW else 0.0
        return Reply(answer=None if broken else answer, data=data, wait=wait)


def find_token(world: World, header: str) -> Token | None:
    """The token that is shown; 401 for one that is unknown or has run out."""
    value = header.partition(" ")[2].strip()
    if not value:
        return None
    token = world.tokens.get(value)
    if token is None or (token.expires is not None and token.expires <= world.clock.now()):
        raise answers.refused(401, "Bad credentials")
    return token


def play(world: World, request: Request, token: Token | None, fault: Fault | None) -> Answer:
    """The right answer, or the fault's in its place."""
    if fault is None:
        return respond(world, request, token, None)
    match fault.trouble:
        case Trouble.STATUS:
            return broken(fault)
        case Trouble.LIMITED:
            raise answers.limited(fault.status, fault.retry_after)
        case Trouble.RESET:
            return Answer(status=502)
        case Trouble.SPENT:
            spend(world, token)
            return respond(world, request, token, None)
        case Trouble.STALE:
            return respond(world, request, token, fault.tick)
        case Trouble.SLOW | Trouble.DEAD:
            return respond(world, request, token, None)


def broken(fault: Fault) -> Answer:
    """GitHub's own failures: a page, or JSON where a message was given."""
    if fault.message:
        raise answers.refused(fault.status, fault.message)
    if fault.status == 500:  # noqa: PLR2004 (a status)
        return Answer(status=500, text=b"")
    raise answers.refused(fault.status, "Server Error")


def spend(world: World, token: Token | None) -> None:
    who = token.owner.login if token else ""
    reset, _ = world.used.get(who, (world.clock.now() + HOUR, 0))
    world.used[who] = (reset, allowance(world, token))


def allowance(world: World, token: Token | None) -> int:
    return world.limit if token else min(ANONYMOUS, world.limit)


def charge(world: World, token: Token | None, request: Request) -> None:
    """Count a request against the hour of its owner; 403 when the hour is spent."""
    if request.path == "/rate_limit":
        return
    who = token.owner.login if token else ""
    now = world.clock.now()
    reset, used = world.used.get(who, (now + HOUR, 0))
    if reset <= now:
        reset, used = now + HOUR, 0
    if used >= allowance(world, token):
        world.used[who] = (reset, used)
        whose = f"user ID {token.owner.id}" if token else "127.0.0.1"
        raise answers.refused(403, f"API rate limit exceeded for {whose}.", docs=answers.PRIMARY_DOCS)
    world.used[who] = (reset, used + 1)


def respond(world: World, request: Request, token: Token | None, stale: int | None) -> Answer:
    charge(world, token, request)
    path = real_path(world, request)
    found = routes.find(request.method, path)
    if found is None:
        raise answers.missing()
    route, names = found
    asked = Asked(
        world=world, method=request.method, path=path, names=names, query=request.query,
        body=read_body(request), token=token, stale=stale,
    )  # fmt: skip
    write = request.method != "GET"
    if "repo" in names:
        catch_up(asked, world)
    rules.check_token(asked, route.areas, write=write)
    if "repo" in names:
        rules.check_reach(asked, asked.repo(), write=write)
    return paging.cut(route.call(asked), world.url + path, request.query)


def real_path(world: World, request: Request) -> str:
    """The path by name: numbers are looked up, and a repository's old name is answered with 301."""
    first, *parts = request.path.strip("/").split("/")
    if first == "repositories" and parts and parts[0].isdigit():
        repo = world.repositories.get(int(parts[0]))
        if repo is None or repo.deleted:
            raise answers.missing()
        return "/".join(["/repos", repo.full_name, *parts[1:]])
    if first == "repos" and len(parts) > 1 and (there := world.moved.get("/".join(parts[:2]).lower())):
        url = "/".join([f"{world.url}/repositories/{there}", *parts[2:]])
        query = urlsplit(request.target).query
        where = f"{url}?{query}" if query else url
        raise answers.refused(301, "Moved Permanently", url=where, headers={"location": where})
    return request.path.rstrip("/")


def catch_up(asked: Asked, world: World) -> None:
    """Let pushes show before anything is read; a head that moved is an event."""
    repo = world.find(f"{asked.names['owner']}/{asked.names['repo']}")
    if repo is None or not sees(asked.token, repo):
        raise answers.missing()
    for pull, before in heads.refresh(world, repo):
        events.moved(world, repo, pull, before)


def read_body(request: Request) -> dict[str, Any]:
    if not request.data:
        return {}
    try:
        body = json.loads(request.data)
    except ValueError:
        raise answers.refused(400, "Problems parsing JSON") from None
    if not isinstance(body, dict):
        raise answers.refused(400, "Body should be a JSON object")
    return body


def finish(world: World, request: Request, token: Token | None, answer: Answer) -> tuple[Answer, bytes]:
    """Add the headers that every answer has; 304 where the asker has this answer already."""
    data = paging.encode(answer)
    headers = {"x-github-request-id": str(uuid.uuid4()), **budget(world, token), **answer.headers}
    if request.method == "GET" and answer.status == 200:  # noqa: PLR2004 (a status)
        headers["etag"] = paging.tag(data)
        if headers["etag"] in request.headers.get("if-none-match", ""):
            refund(world, token)
            return Answer(status=304, headers={**headers, **budget(world, token)}), b""
    return replace(answer, headers=headers), data


def budget(world: World, token: Token | None) -> dict[str, str]:
    who = token.owner.login if token else ""
    reset, used = world.used.get(who, (world.clock.now() + HOUR, 0))
    limit = allowance(world, token)
    told = {"limit": limit, "remaining": max(0, limit - used), "used": used, "reset": int(reset)}
    return {f"x-ratelimit-{name}": str(value) for name, value in told.items()} | {
        "x-ratelimit-resource": "core"
    }


def refund(world: World, token: Token | None) -> None:
    """An answer that did not change costs nothing."""
    who = token.owner.login if token else ""
    reset, used = world.used.get(who, (world.clock.now() + HOUR, 1))
    world.used[who] = (reset, max(0, used - 1))


def note(world: World, request: Request, token: Token | None, fault: Fault | None, status: int) -> None:
    entry = journal.Entry(
        method=request.method,
        path=request.path,
        query=urlsplit(request.target).query,
        status=status,
        time=world.clock.now(),
        who=token.owner.login if token else "",
        fault=fault.trouble.value if fault else "",
        wrote=fault is not None and fault.trouble is Trouble.DEAD and request.method != "GET",
    )
    world.log.append(entry)
