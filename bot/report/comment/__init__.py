"""The one sticky report on a pull request: its body, its marker, and our own earlier body read again."""

from bot.report.comment.body import LIMIT, compose
from bot.report.comment.facts import Facts, Finished
from bot.report.comment.marker import Marker, newer, parse

__all__ = ["LIMIT", "Facts", "Finished", "Marker", "compose", "newer", "parse"]
