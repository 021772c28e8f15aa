"""How far a proof's processes are kept from us; evidence carries the level."""

#: `none`: they run as the same user, without our environment, and with no open file of ours.
LEVEL = "none"
