"""upstream-bot carries a fix upstream, with proof."""

VERSION = "0.1.0"
