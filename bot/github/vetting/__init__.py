"""Whether a vetter has approved the head commit for upstream's runners; the bot itself never vets."""

from bot.github.vetting.decide import decide
from bot.github.vetting.look import look
from bot.github.vetting.offering import read_offer
from bot.github.vetting.patience import mention_due

__all__ = ["decide", "look", "mention_due", "read_offer"]
