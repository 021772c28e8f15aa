"""What runs inside the proof's processes: standard library, pytest and torch only, none of the bot."""
