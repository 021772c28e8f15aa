"""GitHub as the environment names it: the token and the address of its API, read in one place."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.github.port import Hub

ADDRESS = "https://api.github.com"


def token() -> str:
    """The token of the environment; "" where there is none."""
    return os.environ.get("GH_TOKEN", "")


def address() -> str:
    return os.environ.get("GITHUB_API_URL") or ADDRESS


def connect() -> "Hub":
    """Nothing is asked yet. Raises BotError for a wrong address."""
    from bot.github import api

    return api.connect(token(), address())
