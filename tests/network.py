"""The guard that keeps every test, and the programs it starts, on this machine."""

import ipaddress
import sys
from collections.abc import Iterator
from typing import Any

import pytest

#: Where a program is sent that would leave this machine: nobody listens there.
NOWHERE = "http://localhost:9"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


class Network:
    """An audit hook that fails a test when it leaves this machine, whatever library it uses.

    The failure is pytest's own, which no `except Exception` of the code under test takes for a bad network.
    """

    def __init__(self) -> None:
        self.closed = False

    def __call__(self, event: str, values: tuple[Any, ...]) -> None:
        if self.closed and event.startswith("socket.") and not is_here(asked(event, values)):
            pytest.fail(f"this test asks the network ({event}: {asked(event, values)}); see the marker pypi")


def asked(event: str, values: tuple[Any, ...]) -> object:
    """Return the host that a socket's event names; None when it names none (a path, a socket of its own)."""
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        return values[0]
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg") and isinstance(values[1], tuple):
        return values[1][0]
    return None


def is_here(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not isinstance(host, str) or host in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@pytest.fixture(scope="session")
def network() -> Network:
    """Return the guard of this process; an audit hook cannot be taken out again."""
    guard = Network()
    sys.addaudithook(guard)
    return guard


@pytest.fixture(autouse=True)
def offline(
    request: pytest.FixtureRequest, network: Network, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Keep a test and the programs it starts on this machine, unless it is marked `pypi` or `npm`."""
    if any(request.node.get_closest_marker(name) for name in ("pypi", "npm")):
        yield
        return
    for name in PROXIES:
        monkeypatch.setenv(name, NOWHERE)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "localhost,127.0.0.1")
    network.closed = True
    yield
    network.closed = False
