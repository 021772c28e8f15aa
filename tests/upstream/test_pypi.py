"""Releases on a package index become commits: listed, chosen, verified and brought once."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot import git
from bot.errors import BotError, Exit
from bot.upstream import Upstream, open_upstream

if TYPE_CHECKING:
    from tests.upstream.conftest import PackageIndex

Open = Callable[[Path | str], Upstream]
PURE = "py3-none-any.whl"
LINUX = "manylinux_2_28_x86_64.whl"


@pytest.fixture
def demo(index: "PackageIndex", opened: Open) -> Upstream:
    """1.0, 1.1 (yanked), 1.10, and 2.0 that has no wheel."""
    for version in ("1.10", "1.0", "1.1"):
        index.add(f"demo-{version}-{PURE}")
    index.files["demo-2.0.tar.gz"] = b"an sdist"
    index.yanked[f"demo-1.1-{PURE}"] = "wrong\nversion"
    return opened("pypi:Demo")


def files(upstream: Upstream, head: str | None) -> list[str]:
    return [entry.path for entry in git.list_files(upstream.store, head or "")]


def brought(upstream: Upstream, name: str) -> str:
    (ref,) = upstream.fetch(upstream.find([name], []))
    return ref.head or ref.problem


def test_releases_are_listed_by_version_with_what_is_worth_telling(demo: Upstream) -> None:
    assert demo.spec == "pypi:demo"
    assert not demo.has_history
    listed = [(ref.name, ref.head, ref.note, ref.problem) for ref in demo.refs()]
    assert listed == [
        ("pypi/1.0", None, "", ""),
        ("pypi/1.1", None, "yanked: wrong version", ""),
        ("pypi/1.10", None, "", ""),
        ("pypi/2.0", None, "", "the release has no wheel"),
    ]


def test_a_release_becomes_a_commit_with_its_sources(demo: Upstream) -> None:
    (ref,) = demo.fetch(demo.find(["1.0"], []))
    assert (ref.full, ref.problem) == ("refs/heads/pypi/1.0", "")
    assert files(demo, ref.head) == ["demo/__init__.py"]
    shown = git.must(demo.store, "show", "-s", "--format=%an|%at|%ct|%s|%P", ref.head or "").text
    assert shown == f"upstream-bot|0|0|demo-1.0-{PURE}|"
    demo.bring_files(ref.head or "", ["demo"])
    assert demo.bring_commit(ref.head or "")
    assert not demo.bring_commit("1" * 40)


def test_the_commit_is_the_same_on_every_machine(demo: Upstream, tmp_path: Path) -> None:
    elsewhere = open_upstream("pypi:demo", cache=tmp_path / "elsewhere", notice=print)
    assert brought(demo, "1.0") == brought(elsewhere, "1.0")
    assert brought(demo, "1.0") != brought(demo, "1.10")


@pytest.mark.parametrize(
    ("branches", "patterns", "names"),
    [
        (["1.0", "pypi/1.0"], [], ["pypi/1.0"]),
        (["1.1*"], [], ["pypi/1.1", "pypi/1.10"]),
        ([], ["refs/heads/pypi/1.?"], ["pypi/1.0", "pypi/1.1"]),
        ([], [], ["pypi/1.0", "pypi/1.1", "pypi/1.10", "pypi/2.0"]),
    ],
)
def test_releases_are_asked_for_with_and_without_the_prefix(
    demo: Upstream, branches: list[str], patterns: list[str], names: list[str]
) -> None:
    assert [ref.name for ref in demo.find(branches, patterns)] == names


def test_a_mistyped_release_stops_with_the_nearest(demo: Upstream) -> None:
    with pytest.raises(BotError) as caught:
        demo.find(["1.00"], [])
    assert "pypi/1.0" in caught.value.hint
    (gone,) = demo.recall(["pypi/9.9"])
    assert gone.missing
    assert demo.fetch([gone]) == (gone,)


def test_a_second_run_asks_the_index_for_nothing_it_has(
    demo: Upstream, index: "PackageIndex", opened: Open
) -> None:
    first = demo.fetch(demo.find(["1.0", "1.1"], []))
    index.asked.clear()
    again = opened("pypi:demo")
    assert again.fetch(again.find(["1.0", "1.1"], [])) == first
    assert again.recall(["pypi/1.0"]) == first[:1]
    assert index.asked == []
    assert again.fetch(again.find(["1.*"], []))[2].name == "pypi/1.10"
    assert index.asked == ["/simple/demo/", f"/files/demo-1.10-{PURE}"]


def test_two_opened_at_once_download_once(demo: Upstream, index: "PackageIndex", opened: Open) -> None:
    other = opened("pypi:demo")
    asked, same = demo.find(["1.0"], []), other.find(["1.0"], [])
    assert demo.fetch(asked) == other.fetch(same)
    assert index.asked.count(f"/files/demo-1.0-{PURE}") == 1


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([f"cp313-cp313-{LINUX}", PURE], PURE),
        ([f"cp39-cp39-{LINUX}", f"cp313-cp313-{LINUX}", f"cp312-cp312-{LINUX}"], f"cp313-cp313-{LINUX}"),
        (["cp313-cp313-win_amd64.whl", f"cp313-cp313-{LINUX}"], f"cp313-cp313-{LINUX}"),
        (["cp313-cp313-manylinux_2_28_aarch64.whl", f"cp313-cp313-{LINUX}"], f"cp313-cp313-{LINUX}"),
        (["cp313-cp313-win_arm64.whl", "cp313-cp313-win_amd64.whl"], "cp313-cp313-win_amd64.whl"),
        (["nonsense.whl", f"cp312-cp312-{LINUX}"], f"cp312-cp312-{LINUX}"),
    ],
)
def test_one_wheel_stands_for_a_release_whatever_python_runs_here(
    index: "PackageIndex", opened: Open, offered: list[str], chosen: str
) -> None:
    for tags in offered:
        index.add(f"demo-1.0-{tags}")
    assert len(brought(opened("pypi:demo"), "1.0")) == 40
    assert index.asked[1:] == [f"/files/demo-1.0-{chosen}"]


def test_a_release_is_yanked_only_when_all_its_files_are(index: "PackageIndex", opened: Open) -> None:
    index.add(f"demo-1.0-{PURE}")
    index.files["demo-1.0.tar.gz"] = b"an sdist"
    index.yanked["demo-1.0.tar.gz"] = ""
    (ref,) = opened("pypi:demo").refs()
    assert ref.note == ""
    index.yanked[f"demo-1.0-{PURE}"] = ""
    (ref,) = opened("pypi:demo").refs()
    assert ref.note == "yanked"


def test_a_wheel_that_is_not_the_one_listed_is_a_problem_and_the_rest_stand(
    demo: Upstream, index: "PackageIndex"
) -> None:
    index.digests[f"demo-1.0-{PURE}"] = "0" * 64
    bad, good = demo.fetch(demo.find(["1.0", "1.10"], []))
    assert (bad.head, good.problem) == (None, "")
    assert "digest" in bad.problem
    assert len(good.head or "") == 40


def test_a_wheel_that_is_gone_or_broken_is_a_problem(demo: Upstream, index: "PackageIndex") -> None:
    refs = demo.find(["1.0", "1.1", "2.0"], [])
    del index.files[f"demo-1.0-{PURE}"]
    gone, there, none = demo.fetch(refs)
    assert "404" in gone.problem
    assert there.head
    assert none.problem == "the release has no wheel"


def test_wheels_are_unpacked_only_in_the_cache(demo: Upstream, cache: Path) -> None:
    brought(demo, "1.0")
    assert [path.name for path in (cache / "stores").iterdir() if ".new-" in path.name] == []


def test_an_unknown_name_stops_with_a_hint(index: "PackageIndex", opened: Open) -> None:
    with pytest.raises(BotError, match="no distribution 'nothing'") as caught:
        opened("pypi:nothing").refs()
    assert caught.value.code is Exit.USAGE
    assert index.url in caught.value.hint


@pytest.mark.parametrize("name", ["", "../../etc", "a b", "-x", "demo/../x"])
def test_what_is_no_distribution_s_name_stops(opened: Open, name: str) -> None:
    with pytest.raises(BotError, match="no name of a distribution"):
        opened(f"pypi:{name}")


def test_an_index_that_cannot_be_asked_stops_without_showing_credentials(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:s3cret@127.0.0.1:9/simple")
    with pytest.raises(BotError, match="cannot be read") as caught:
        opened("pypi:demo").find(["*"], [])
    assert caught.value.code is Exit.USAGE
    assert "PIP_INDEX_URL" in caught.value.hint
    assert "s3cret" not in caught.value.message


def test_an_answer_that_is_no_listing_stops(
    opened: Open, index: "PackageIndex", monkeypatch: pytest.MonkeyPatch
) -> None:
    index.files["demo/"] = b"not a listing"
    monkeypatch.setenv("PIP_INDEX_URL", index.url.replace("/simple", "/files"))
    with pytest.raises(BotError, match="cannot be read"):
        opened("pypi:demo").refs()


@pytest.mark.pypi
def test_the_released_wheel_has_the_defect_s_function(
    monkeypatch: pytest.MonkeyPatch, pip_settings: dict[str, str], user_cache: Path
) -> None:
    for name, value in pip_settings.items():
        monkeypatch.setenv(name, value)
    upstream = open_upstream("pypi:megatron-core", cache=user_cache, notice=print)
    (ref,) = upstream.fetch(upstream.find(["0.19.2"], []))
    path = "megatron/core/transformer/cuda_graphs.py"
    entry = git.look_up(upstream.store, [f"{ref.head}:{path}"]).popitem()[1]
    assert entry is not None
    assert b"def make_weakref(" in git.contents(upstream.store, [entry.id])[entry.id]
