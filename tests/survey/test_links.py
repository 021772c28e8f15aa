"""A symbolic link whose target is the very text of the file, and anchors of one name in two files."""

from hashlib import sha256
from typing import Any

from bot import git
from tests.conftest import BROKEN, CURED, FILE, Workshop

OTHER = "shop/change.py"


def link(workshop: Workshop, name: str, target: str) -> None:
    """A branch on which the file is a symbolic link to `target`."""
    blob = workshop.git("hash-object", "-w", "--stdin", data=target)
    workshop.git("switch", "--quiet", "--create", name)
    workshop.git("update-index", "--cacheinfo", f"120000,{blob},{FILE}")
    workshop.git("commit", "--quiet", "--message", "Link it")
    workshop.git("switch", "--quiet", "--force", "main")


def rows(workshop: Workshop, *args: str) -> dict[str, dict[str, Any]]:
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream), "--json", *args)
    return {row["name"]: row for row in done.json["rows"]}


def test_p26_a_link_whose_target_reads_like_the_file_is_never_patched(workshop: Workshop) -> None:
    workshop.patch()
    link(workshop, "broken", BROKEN)
    link(workshop, "cured", CURED)
    link(workshop, "real", "other.py")
    found = rows(workshop)
    assert found["main"]["state"] == "applies_exact"
    for name in ("broken", "cured"):
        assert (found[name]["state"], found[name]["patched_blob"]) == ("unknown", None)
        assert found[name]["detail"] == f"{FILE} is a symbolic link there, whose target reads like the file"
    assert found["real"]["state"] == "not_affected_anymore"


def test_p26_a_link_whose_target_reads_like_the_file_is_never_proven(workshop: Workshop) -> None:
    workshop.patch()
    link(workshop, "broken", BROKEN)
    done = workshop.prove("--branch", "broken")
    (target,) = done.json["targets"]
    assert (done.code, target["state"], target["after_tree"]) == (1, "unknown", None)


def test_anchors_of_one_name_in_two_files_are_told_apart(workshop: Workshop) -> None:
    workshop.commit("main", {FILE: BROKEN, OTHER: BROKEN}, "start")
    base = workshop.git("rev-parse", "main")
    workshop.commit("cure", {FILE: CURED, OTHER: CURED}, "Keep the amount")
    diff = workshop.git(
        "format-patch", "-1", "--stdout", "--full-index", "--zero-commit", "--no-signature", "cure"
    )
    workshop.git("switch", "--quiet", "main")
    workshop.patch()
    mail = workshop.patches / "till" / "v1" / "0001-till.patch"
    mail.write_text(diff + "\n", encoding="utf-8")
    blobs = dict.fromkeys((FILE, OTHER), workshop.git("rev-parse", f"{base}:{FILE}"))
    file = {"path": "v1/0001-till.patch", "sha256": sha256(mail.read_bytes()).hexdigest()}
    version = {"id": "v1", "base": {"commit": base, "blobs": blobs}, "files": [file]}
    anchors = [{"file": path, "symbol": "convert"} for path in (FILE, OTHER)]
    workshop.manifest(base, anchors=anchors, versions=[version])
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream), "--branch", "cure", "--json")
    (row,) = done.json["rows"]
    assert row["detail"] == f"the change is already in convert of {FILE} and convert of {OTHER}"


def test_modes_are_read_for_many_paths_at_once_and_what_is_not_there_is_left_out(workshop: Workshop) -> None:
    workshop.commit("main", {FILE: BROKEN, "top.txt": "1\n"})
    link(workshop, "link", "top.txt")
    store = git.Repo(path=workshop.upstream / ".git")
    main, other = (workshop.git("rev-parse", name) for name in ("main", "link"))
    wanted = [f"{main}:{FILE}", f"{other}:{FILE}", f"{main}:top.txt", f"{main}:no/file", f"{main}:none"]
    assert git.modes_of(store, wanted) == {wanted[0]: b"100644", wanted[1]: b"120000", wanted[2]: b"100644"}
