"""What is taken from a wheel, and which wheels are refused whole."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from bot.upstream import unpack
from bot.upstream.unpack import Refused, sources


def packed(tmp_path: Path, names: list[str], mode: int = stat.S_IFREG | 0o644) -> Path:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo("placeholder")
            entry.filename = entry.orig_filename = name
            entry.external_attr = mode << 16
            archive.writestr(entry, name)
    path = tmp_path / "wheel.zip"
    path.write_bytes(buffer.getvalue())
    return path


def test_sources_are_taken_and_what_is_no_source_is_left_out(tmp_path: Path) -> None:
    taken = sources(
        packed(
            tmp_path,
            [
                "demo/a.py", "demo/data.json", "demo/native.cpython-313-x86_64-linux-gnu.so",
                "demo/lib.so.1", "demo-1.dist-info/RECORD", "demo-1.data/scripts/run",
                "demo-1.data/purelib/demo/b.py", 'demo/od"dé .py',
            ],
        )
    )  # fmt: skip
    assert taken == {
        "demo/a.py": b"demo/a.py",
        "demo/data.json": b"demo/data.json",
        "demo/b.py": b"demo-1.data/purelib/demo/b.py",
        'demo/od"dé .py': 'demo/od"dé .py'.encode(),
    }


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd", "../up.py", "demo/../../up.py", "demo/./x.py", "demo//x.py", "C:/x.py",
        "demo\\..\\x.py", ".git/config", "demo/.GIT/hooks/x", "demo/git~1/x", "demo/.git./x",
        "demo/.g\u200cit/x", "demo/\nx.py", "demo-1.data/purelib/../x.py", "demo-1.data/purelib/.git/config",
    ],
)  # fmt: skip
def test_p25_a_path_that_leads_elsewhere_refuses_the_wheel(tmp_path: Path, name: str) -> None:
    refused = sources(packed(tmp_path, ["demo/a.py", name]))
    assert isinstance(refused, Refused)
    assert "no path to unpack to" in refused.reason
    assert "\n" not in refused.reason


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_p26_links_and_devices_refuse_the_wheel(tmp_path: Path, kind: int) -> None:
    refused = sources(packed(tmp_path, ["demo/a.py"], kind | 0o777))
    assert refused == Refused(reason="the wheel is refused: 'demo/a.py' is no plain file")


def test_a_file_that_is_in_it_twice_refuses_the_wheel(tmp_path: Path) -> None:
    refused = sources(packed(tmp_path, ["demo/a.py", "demo-1.data/platlib/demo/a.py"]))
    assert refused == Refused(reason="the wheel is refused: a file is in it twice")


def test_a_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(5):
            archive.writestr(f"demo/{number}.py", bytes(unpack.LARGEST_TREE // 4))
    refused = sources(path)
    assert isinstance(refused, Refused)
    assert "larger than 64 MiB" in refused.reason


@pytest.mark.parametrize("damage", [b"", b"no zip at all"])
def test_what_is_no_zip_file_is_refused(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "x").write_bytes(damage)
    assert isinstance(sources(tmp_path / "x"), Refused)


def test_a_damaged_entry_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path, ["demo/a.py"])
    path.write_bytes(
        path.read_bytes().replace(b"demo/a.pyd", b"demo/a.pyX", 1).replace(b"PK\x03\x04", b"PKxx")
    )
    assert isinstance(sources(path), Refused)
