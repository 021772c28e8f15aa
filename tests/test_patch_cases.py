"""The public cases about what a patch does to a branch, each by its id, through `survey`."""

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import BROKEN, CURED, FILE

if TYPE_CHECKING:
    from tests.conftest import Workshop

MOVED = "shop/money.py"
START = BROKEN.index("def convert")
END = BROKEN.index("def total")
CONVERT = BROKEN[START:END]
CURED_CONVERT = CURED[CURED.index("def convert") : CURED.index("def total")]


def row(workshop: "Workshop", name: str, *args: str, upstream: str = "") -> dict[str, Any]:
    where = upstream or str(workshop.upstream)
    done = workshop.run("survey", "till", "--upstream", where, "--branch", name, "--json", *args)
    assert done.code in (0, 1), done.err
    (found,) = json.loads(done.out)["rows"]
    return dict(found)


def on_branch(workshop: "Workshop", name: str, files: dict[str, str], subject: str = "Change it (#9)") -> str:
    commit = workshop.commit(name, files, subject)
    workshop.git("switch", "--quiet", "main")
    return commit


def test_p5_a_function_that_moved_to_another_file_conflicts_and_its_home_is_named(
    workshop: "Workshop",
) -> None:
    workshop.patch()
    commit = on_branch(workshop, "moved", {FILE: BROKEN[:START] + BROKEN[END:], MOVED: CONVERT})
    found = row(workshop, "moved")
    assert (found["state"], found["blame"]["commit"]) == ("conflicts", commit)
    assert found["detail"] == f"convert is not in {FILE}: convert is in {MOVED} now"


def test_p5_a_function_that_became_a_method_conflicts_and_its_scope_is_named(workshop: "Workshop") -> None:
    workshop.patch()
    method = "class Till:\n" + "".join(
        f"    {line}" if line.strip() else line for line in CONVERT.splitlines(True)
    )
    commit = on_branch(workshop, "method", {FILE: BROKEN[:START] + method + BROKEN[END:]})
    found = row(workshop, "method")
    assert (found["state"], found["blame"]["commit"]) == ("conflicts", commit)
    assert found["detail"].endswith(f"convert is defined in another scope of {FILE} now")


def test_p5_a_function_that_is_nowhere_is_not_affected_anymore_since_a_commit(workshop: "Workshop") -> None:
    workshop.patch()
    commit = on_branch(workshop, "gone", {FILE: BROKEN[:START] + BROKEN[END:], MOVED: f"'''{CONVERT}'''\n"})
    found = row(workshop, "gone")
    assert (found["state"], found["blame"]["commit"]) == ("not_affected_anymore", commit)


def test_p5_a_file_that_was_renamed_takes_the_patch_by_a_merge_that_follows_it(workshop: "Workshop") -> None:
    workshop.patch()
    workshop.git("switch", "--quiet", "--create", "renamed")
    workshop.git("mv", FILE, MOVED)
    workshop.git("commit", "--quiet", "--message", "Rename it")
    workshop.git("switch", "--quiet", "main")
    found = row(workshop, "renamed")
    assert (found["state"], found["hunks"][0]["file"]) == ("applies_merged", MOVED)
    assert found["detail"].startswith(f"{FILE} is {MOVED} now")


def test_p6_a_twin_of_a_rewritten_block_is_never_patched(workshop: "Workshop") -> None:
    workshop.patch()
    rewritten = CONVERT.replace(
        "    try:\n        rate = lookup(code)\n", "    rate = 3\n    try:\n        pass\n"
    )
    twin = CONVERT.replace("def convert", "def exchange")
    on_branch(workshop, "twin", {FILE: BROKEN[:START] + rewritten + twin + BROKEN[END:]})
    found = row(workshop, "twin")
    assert (found["state"], found["patched_blob"]) == ("ambiguous", None)


def test_p7_re_indented_python_conflicts_since_that_commit(workshop: "Workshop") -> None:
    workshop.patch()
    head, *body = CONVERT.rstrip("\n").split("\n")
    deeper = [head, "    if True:", *(f"    {line}" if line else line for line in body), "", ""]
    commit = on_branch(workshop, "deeper", {FILE: BROKEN[:START] + "\n".join(deeper) + "\n" + BROKEN[END:]})
    found = row(workshop, "deeper")
    assert (found["state"], found["blame"]["commit"]) == ("conflicts", commit)


def test_p10_a_fix_squashed_with_other_work_is_there(workshop: "Workshop") -> None:
    workshop.patch()
    on_branch(workshop, "squashed", {FILE: f"# more\n{CURED}", "other.txt": "more\n"})
    assert workshop.git("cherry", "squashed", "cure").startswith("+ ")
    assert row(workshop, "squashed")["state"] == "upstream_identical"


def test_p11_forward_and_reverse_are_ambiguous_unless_the_anchored_post_image_decides(
    workshop: "Workshop",
) -> None:
    workshop.patch()
    twin = CONVERT.replace("def convert", "def exchange")
    on_branch(workshop, "decided", {FILE: f"{CURED}\n\n{twin}"})
    assert row(workshop, "decided")["state"] == "upstream_identical"
    on_branch(workshop, "above", {FILE: CURED[:START] + twin + CURED[START:]})
    assert row(workshop, "above")["state"] == "ambiguous", "a merge would patch the twin"
    nested = CURED_CONVERT.rstrip("\n") + "\n\n" + CONVERT
    on_branch(workshop, "both", {FILE: BROKEN[:START] + nested + BROKEN[END:]})
    assert row(workshop, "both")["state"] == "ambiguous"


def test_p14_where_git_s_three_way_check_exits_with_0_a_real_merge_conflicts(workshop: "Workshop") -> None:
    folder = workshop.patch()
    rewritten = BROKEN.replace('print(f"no rate for {currency}")', 'print("no rate for", currency)')
    on_branch(workshop, "other", {FILE: rewritten})
    patch = folder / "v1" / "0001-till.patch"
    workshop.git("switch", "--quiet", "other")
    check = ["git", "apply", "--3way", "--check", str(patch)]
    done = subprocess.run(check, cwd=workshop.upstream, capture_output=True, check=False)
    assert done.returncode == 0
    assert row(workshop, "other")["state"] == "conflicts"


def test_p15_one_of_two_lines_is_partial(workshop: "Workshop") -> None:
    workshop.patch()
    on_branch(workshop, "one", {FILE: BROKEN.replace("{currency}", "{code}")})
    found = row(workshop, "one")
    assert found["state"] == "upstream_partial"
    assert found["detail"] == "1 of 2 changed lines is already in convert"


def test_p17_every_branch_has_its_own_state(workshop: "Workshop") -> None:
    workshop.patch(
        branches=[{"name": "main", "expect": "unknown"}, {"name": "release", "expect": "affected"}]
    )
    on_branch(workshop, "release", {"VERSION": "1\n"})
    workshop.commit("main", {FILE: CURED}, "Keep the amount (#3)")
    done = workshop.run("survey", "till", "--upstream", str(workshop.upstream), "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert {one["name"]: one["state"] for one in found["rows"]} == {
        "cure": "upstream_identical",
        "main": "upstream_identical",
        "release": "applies_exact",
    }


def test_p20_an_older_branch_with_another_defect_is_not_affected_yet(workshop: "Workshop") -> None:
    old = workshop.commit("old", {FILE: BROKEN.replace("def convert", "def exchange")}, "An older helper")
    workshop.git("branch", "main", old)
    base = workshop.commit("main", {FILE: BROKEN}, "The defect comes")
    workshop.git("switch", "--quiet", "main")
    workshop.patch(defect={"summary": "no rate", "introduced_by": [base]})
    found = row(workshop, "old")
    assert (found["state"], found["blame"]) == ("not_affected_yet", None)
    assert row(workshop, "main")["state"] == "applies_exact"


def test_p31_what_a_shallow_clone_cannot_tell_is_unknown(workshop: "Workshop") -> None:
    workshop.patch()
    on_branch(workshop, "gone", {FILE: BROKEN[:START] + BROKEN[END:]})
    shallow = workshop.root / "shallow.git"
    url = f"file://{workshop.upstream}"
    workshop.git("clone", "--quiet", "--bare", "--depth=1", "--no-single-branch", url, str(shallow))
    found = row(workshop, "gone", upstream=str(shallow))
    assert found["state"] == "unknown"
    assert "cannot tell" in found["detail"]


def test_p32_a_partial_clone_is_unknown_and_a_url_is_asked_for_the_blob(workshop: "Workshop") -> None:
    workshop.patch()
    workshop.git("config", "uploadpack.allowFilter", "true")
    workshop.git("config", "uploadpack.allowAnySHA1InWant", "true")
    partial, url = workshop.root / "partial.git", f"file://{workshop.upstream}"
    workshop.git("clone", "--quiet", "--bare", "--filter=blob:none", url, str(partial))
    found = row(workshop, "main", upstream=str(partial))
    assert found["state"] == "unknown"
    assert "is not in the store" in found["detail"]
    assert row(workshop, "main", upstream=url)["state"] == "applies_exact"


def test_p33_the_checkout_of_the_clone_does_not_matter(workshop: "Workshop") -> None:
    workshop.patch()
    workshop.git("sparse-checkout", "set", "--no-cone", "/nothing")
    assert not (workshop.upstream / FILE).exists()
    assert row(workshop, "main")["state"] == "applies_exact"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"{BROKEN}\n\ndef convert(amount):\n    return amount\n", "ambiguous"),
        (f"{BROKEN}\nx = (\n", "applies_exact"),
    ],
    ids=["defined twice", "syntax error elsewhere"],
)
def test_p40_an_unclear_anchor_is_no_crash(workshop: "Workshop", text: str, state: str) -> None:
    workshop.patch()
    on_branch(workshop, "odd", {FILE: text})
    assert row(workshop, "odd")["state"] == state
