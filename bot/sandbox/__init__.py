"""An embedded GitHub on loopback that keeps GitHub's rules, for the tests and the demo."""

from bot.sandbox.events import Event
from bot.sandbox.hub import Hub, started

__all__ = ["Event", "Hub", "started"]
