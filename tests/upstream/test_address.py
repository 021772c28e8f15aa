"""Addresses: what is taken for a git upstream, what is refused, and that credentials never show."""

from pathlib import Path

import pytest

from bot.errors import BotError
from bot.upstream.address import is_address, parse


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("https://example.org/o/r.git", "https://example.org/o/r.git"),
        ("https://me:t0ken@example.org/o/r", "https://example.org/o/r"),
        ("https://t0ken@example.org:8443/o/r?private_token=x#y", "https://example.org:8443/o/r"),
        ("ssh://git:pa55@example.org:22/o/r", "ssh://git@example.org:22/o/r"),
        ("git@example.org:o/r.git", "git@example.org:o/r.git"),
        ("git://example.org/r", "git://example.org/r"),
        ("file:///srv/some%20where/r.git", "local:r.git"),
    ],
)
def test_an_address_is_shown_without_credentials_and_paths(spec: str, shown: str) -> None:
    assert is_address(spec)
    assert parse(spec).shown == shown
    assert parse(spec).url == spec


@pytest.mark.parametrize(
    "spec",
    [
        "ext::sh -c touch% x", "fd::17", "https::https://example.org/r",
        "ftp://example.org/r", "ssh://-oProxyCommand=x/r", "git@-oProxyCommand=x:r", "https://[::1/r",
    ],
)  # fmt: skip
def test_addresses_that_run_programs_or_hide_options_are_refused(spec: str) -> None:
    assert is_address(spec)
    with pytest.raises(BotError, match="refused") as caught:
        parse(spec)
    assert caught.value.hint


def test_a_refusal_shows_no_credentials() -> None:
    with pytest.raises(BotError) as caught:
        parse("ftp://me:s3cret@example.org/r")
    assert "s3cret" not in caught.value.message


def test_what_git_says_about_an_address_is_redacted() -> None:
    address = parse("https://me:t%2Fken@example.org/o/r")
    for said in (
        "fatal: unable to access 'https://me:t%2Fken@example.org/o/r/'",
        "fatal: Authentication failed for 'https://me@example.org/o/r'",
        "remote: token t/ken has expired",
    ):
        redacted = address.redact(said)
        assert not any(secret in redacted for secret in ("t%2Fken", "t/ken", "me:", "me@"))


def test_an_existing_path_wins_over_host_and_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "host:path").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not is_address("host:path")
    assert is_address("other:path")
    assert not is_address("./host:other")
    assert not is_address(str(tmp_path))
