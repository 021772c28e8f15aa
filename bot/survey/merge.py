"""Clean three-way merges from the recorded base, made by git outside every repository."""

import os
from collections.abc import Sequence
from pathlib import Path

from bot import git
from bot.errors import BotError
from bot.survey.places import Base

#: The exit code of `git merge-file` is the number of conflicts, at most this; above are its own failures.
MOST_CONFLICTS = 127


def merge(store: git.Repo, base: Base | None, texts: Sequence[bytes]) -> list[bytes | None]:
    """Each text with the patch of the base; None where they conflict, and for all when there is no base.

    Raises BotError when git itself fails (a full disk, say).
    """
    if base is None or not texts:
        return [None] * len(texts)
    import tempfile
    from concurrent.futures import ThreadPoolExecutor

    with tempfile.TemporaryDirectory(prefix="upstream-bot-merge-") as scratch:
        folder = Path(scratch)
        (folder / "base").write_bytes(base.before)
        (folder / "theirs").write_bytes(base.after)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            others = {
                text: pool.submit(merge_file, store, folder, text) for text in texts if text != base.before
            }
        return [others[text].result() if text in others else base.after for text in texts]


def merge_file(store: git.Repo, folder: Path, text: bytes) -> bytes | None:
    if b"\0" in text:  # git merges no binary file
        return None
    ours = folder / git.object_id("blob", text, git.SHA1_DIGITS)
    ours.write_bytes(text)
    done = git.call(store, "merge-file", "-p", "-q", *map(str, (ours, folder / "base", folder / "theirs")))
    if done.code > MOST_CONFLICTS or done.code < 0:
        raise BotError(f"git merge-file failed: {done.complaint}", git.storage_hint(done.complaint))
    return done.out if done.code == 0 else None
