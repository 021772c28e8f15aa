"""Small git verbs over the process launcher. Each names its repository; none uses a working tree."""

from bot.git.calling import Repo, call, must, storage_hint
from bot.git.history import Merged, count_commits, is_ancestor, merge_bases, merge_commits
from bot.git.objects import (
    SHA1_DIGITS,
    Entry,
    contents,
    copy_objects,
    look_up,
    object_id,
    write_blob,
    write_blobs,
    write_objects,
)
from bot.git.trees import (
    Child,
    TreeEntry,
    changed_between,
    changed_files,
    files_of,
    list_files,
    modes_of,
    tree_entries,
    trees_with,
)

__all__ = [
    "SHA1_DIGITS",
    "Child",
    "Entry",
    "Merged",
    "Repo",
    "TreeEntry",
    "call",
    "changed_between",
    "changed_files",
    "contents",
    "copy_objects",
    "count_commits",
    "files_of",
    "is_ancestor",
    "list_files",
    "look_up",
    "merge_bases",
    "merge_commits",
    "modes_of",
    "must",
    "object_id",
    "storage_hint",
    "tree_entries",
    "trees_with",
    "write_blob",
    "write_blobs",
    "write_objects",
]
