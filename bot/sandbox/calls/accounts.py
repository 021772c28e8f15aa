"""Calls about accounts, limits and Apps' tokens."""

from bot.sandbox import answers, rules
from bot.sandbox.answers import Answer
from bot.sandbox.asking import Asked
from bot.sandbox.clock import iso
from bot.sandbox.records import ACTIONS_RIGHTS, Kind, Token
from bot.sandbox.shapes import accounts

HOUR = 3600


def get_me(asked: Asked) -> Answer:
    if asked.token and asked.token.kind in (*rules.INTEGRATIONS, Kind.JWT):
        rules.refuse_kind(asked.token)
    return Answer(body=accounts.public(asked.world, asked.me))


def get_user(asked: Asked) -> Answer:
    found = asked.world.account(asked.names["login"])
    if found is None:
        raise answers.missing()
    return Answer(body=accounts.public(asked.world, found))


def get_rate(asked: Asked) -> Answer:
    """Asking for it costs nothing."""
    who = asked.token.owner.login if asked.token else ""
    reset, used = asked.world.used.get(who, (asked.world.clock.now() + HOUR, 0))
    limit = asked.world.limit
    rate = {"limit": limit, "used": used, "remaining": max(0, limit - used), "reset": int(reset)}
    return Answer(body={"resources": {"core": rate, "search": rate}, "rate": rate})


def make_installation_token(asked: Asked) -> Answer:
    """A token that lasts an hour, for the App whose JWT asks."""
    token = asked.token
    if token is None or token.kind is not Kind.JWT:
        raise answers.refused(401, "A JSON web token could not be decoded")
    world = asked.world
    value, ends = f"ghs_{world.new_id():036d}", world.clock.now() + HOUR
    rights = dict(asked.body.get("permissions") or token.rights or ACTIONS_RIGHTS)
    world.tokens[value] = Token(
        value=value,
        owner=token.owner,
        kind=Kind.APP,
        app=token.app,
        rights=rights,
        repositories=token.repositories,
        expires=ends,
    )
    body = {"token": value, "expires_at": iso(ends), "permissions": rights, "repository_selection": "all"}
    return Answer(status=201, body=body)
