"""The next version of a patch on a branch that moved: made, tried in a copy, and published whole."""

from bot.carry.refreshing.drafting import Draft, Refused, Unmoved, Wish
from bot.carry.refreshing.publishing import publish
from bot.carry.refreshing.trial import Trial, attempt, objection

__all__ = ["Draft", "Refused", "Trial", "Unmoved", "Wish", "attempt", "objection", "publish"]
