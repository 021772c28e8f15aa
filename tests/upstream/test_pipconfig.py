"""Which index is asked: pip's environment over pip's files, in pip's order."""

import os
from pathlib import Path

import pytest

from bot.errors import BotError
from bot.upstream import pipconfig

DEFAULT = "https://pypi.org/simple"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def read(tmp_path: Path, **more: str) -> pipconfig.Config:
    places = {"HOME": str(tmp_path / "home"), "PIP_CONFIG_FILE": str(tmp_path / "own.conf")}
    return pipconfig.read(places | more, etc=tmp_path / "etc")


def test_without_configuration_it_is_pypi() -> None:
    assert pipconfig.read({"PIP_CONFIG_FILE": os.devnull}).indexes == (DEFAULT,)
    assert pipconfig.read({"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": " "}).indexes == (DEFAULT,)


def test_later_files_win_and_the_environment_wins_over_all(tmp_path: Path) -> None:
    write(tmp_path / "etc/xdg/pip/pip.conf", "[global]\nindex-url = http://one/simple\ncert = /bundle\n")
    config = read(tmp_path)
    assert (config.indexes, config.certificates) == (("http://one/simple",), "/bundle")
    write(tmp_path / "etc/pip.conf", "[global]\nindex-url = http://etc/simple\n")
    assert read(tmp_path).indexes == ("http://etc/simple",)
    write(tmp_path / "home/.config/pip/pip.conf", "[global]\nindex_url = http://two/simple/\n")
    assert read(tmp_path).indexes == ("http://two/simple",)
    write(tmp_path / "own.conf", "[global]\nindex-url = http://three/100%/simple\n")
    assert read(tmp_path).indexes == ("http://three/100%/simple",)
    config = read(tmp_path, PIP_INDEX_URL="http://four/simple")
    assert config.indexes == ("http://four/simple",)


def test_a_configuration_file_that_is_named_replaces_the_user_s(tmp_path: Path) -> None:
    write(tmp_path / "home/.pip/pip.conf", "[global]\nindex-url = http://user/simple\n")
    own = write(tmp_path / "own.conf", "[install]\nindex-url = http://other/simple\n")
    assert read(tmp_path).indexes == (DEFAULT,)
    own.unlink()
    assert read(tmp_path).indexes == ("http://user/simple",)


def test_extra_indexes_come_after_the_main_one_and_each_once(tmp_path: Path) -> None:
    extra = "\n  http://a/simple\n  file:///srv/simple\n  http://main/simple\n"
    write(tmp_path / "own.conf", f"[global]\nindex-url = http://main/simple\nextra-index-url ={extra}")
    assert read(tmp_path).indexes == ("http://main/simple", "http://a/simple")


def test_credentials_are_not_shown(tmp_path: Path) -> None:
    config = read(tmp_path, PIP_INDEX_URL="https://me:s3cret@main/simple")
    assert config.shown == ("https://main/simple",)


def test_what_cannot_be_read_or_asked_stops(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="no web address"):
        read(tmp_path, PIP_INDEX_URL="file:///srv/simple")
    write(tmp_path / "own.conf", "index-url = no section\n")
    with pytest.raises(BotError, match="pip's configuration") as caught:
        read(tmp_path)
    assert caught.value.hint
