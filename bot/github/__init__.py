"""On the pull request: events and commands in, decisions and one report out."""
