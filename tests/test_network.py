"""The guard itself: what does not ask for the network does not get it."""

import socket
import subprocess
import urllib.request
from contextlib import suppress
from urllib.error import URLError

import pytest

#: Reserved for documentation: nobody answers there (RFC 5737, RFC 3849).
ELSEWHERE = ("192.0.2.1", "2001:db8::1")


@pytest.mark.parametrize("host", ELSEWHERE)
def test_a_connection_beyond_this_machine_fails_the_test(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as plug, pytest.raises(pytest.fail.Exception, match="asks the network"):
        plug.connect((host, 443))


def test_a_datagram_beyond_this_machine_fails_the_test() -> None:
    with (
        socket.socket(type=socket.SOCK_DGRAM) as plug,
        pytest.raises(pytest.fail.Exception, match="asks the network"),
    ):
        plug.sendto(b"", ("192.0.2.1", 53))


def test_a_foreign_name_is_not_even_looked_up() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"github\.com"):
        socket.getaddrinfo("github.com", 443)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_this_machine_can_be_asked(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection((host, server.getsockname()[1])).close()


def test_a_program_that_a_test_starts_finds_no_way_out() -> None:
    command = ["git", "ls-remote", "https://example.org/x.git"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode != 0
    assert "localhost" in done.stderr


def test_a_library_that_honours_proxies_finds_no_way_out() -> None:
    with pytest.raises(URLError, match="refused"):
        urllib.request.urlopen("https://example.org/")


@pytest.mark.pypi
def test_a_marked_test_is_let_through_to_the_operating_system() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as plug, suppress(OSError):
        plug.connect(("192.0.2.1", 9))  # sends nothing: it only names the other end
