"""Times of GitHub's, which its payloads and its client write in two ways."""

from datetime import UTC, datetime


def instant(text: str) -> datetime:
    """A time in UTC; the earliest there is when the text is none."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
