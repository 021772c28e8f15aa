"""A proven patch as a commit and a branch for each target, never over a person's work (DESIGN 7)."""

from bot.carry.backporting import recovery
from bot.carry.backporting.carrying import backport, refuse_unknown
from bot.carry.backporting.order import Order, Person, Place, Result, Row, is_red
from bot.carry.backporting.pushing import place

__all__ = [
    "Order",
    "Person",
    "Place",
    "Result",
    "Row",
    "backport",
    "is_red",
    "place",
    "recovery",
    "refuse_unknown",
]
