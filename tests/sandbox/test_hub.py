"""The running sandbox: it starts, holds under many at once, tells, and ends without a trace."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot import sandbox
from bot.errors import BotError
from bot.sandbox import Event, Hub, events
from tests.sandbox.talking import PULL, SHOP, TALK, Client


def test_it_listens_on_loopback_alone_and_ends_with_its_block(tmp_path: Path) -> None:
    before = threading.active_count()
    with sandbox.started(tmp_path) as hub:
        port = urlsplit(hub.url).port
        with socket.create_connection(("127.0.0.1", port)) as idle:
            assert Client(hub=hub).get("/rate_limit").status == 200
            assert idle.getpeername()[0] == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=2)
    for thread in threading.enumerate():
        thread.join(2) if thread is not threading.current_thread() and thread.daemon else None
    assert threading.active_count() <= before


def test_it_ends_when_its_block_fails(tmp_path: Path) -> None:
    with ExitStack() as stack:
        stack.enter_context(suppress(ZeroDivisionError))
        hub = stack.enter_context(sandbox.started(tmp_path))
        stack.callback(lambda: 1 / 0)
    with pytest.raises(OSError, match="refused"):
        Client(hub=hub).get("/rate_limit")


def test_two_run_side_by_side(tmp_path: Path) -> None:
    with sandbox.started(tmp_path / "a") as one, sandbox.started(tmp_path / "b") as other:
        one.repo(SHOP)
        assert one.url != other.url
        assert Client(hub=one).get(f"/repos/{SHOP}").status == 200
        assert Client(hub=other).get(f"/repos/{SHOP}").status == 404


def test_many_at_once_lose_and_double_nothing(bob: Client) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: bob.post(TALK, body=str(number)).json["id"], range(48)))
    assert len(set(made)) == 48
    listed = bob.get(f"{TALK}?per_page=100").json
    assert sorted(int(one["body"]) for one in listed) == list(range(48))
    assert [one["id"] for one in listed] == sorted(made)


def test_who_hears_of_an_event_may_ask_back(hub: Hub, bob: Client) -> None:
    heard: list[int] = []
    hub.listen(lambda _: heard.append(bob.get(PULL).status))
    bob.post(TALK, body="/bot test")
    hub.say(SHOP, 1, "ada", "/bot test")
    assert heard == [200, 200]


def test_an_event_is_delivered_to_an_address(hub: Hub) -> None:
    got: list[tuple[str | None, bytes]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802 (the library's name)
            data = self.rfile.read(int(self.headers["content-length"]))
            got.append((self.headers["x-hub-signature-256"], data))
            self.send_response(202)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            del args

    hub.say(SHOP, 1, "ada", "hi")
    event = hub.events[-1]
    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert events.post(event, f"http://127.0.0.1:{server.server_port}/hook", "secret") == 202
        thread.join()
    assert got == [(event.headers("secret")["X-Hub-Signature-256"], event.data)]


def test_mistakes_in_seeding_are_sentences(hub: Hub) -> None:
    with pytest.raises(BotError, match="has no account"):
        hub.say(SHOP, 1, "nobody", "hi")
    with pytest.raises(BotError, match="has no repository"):
        hub.merge("acme/none", 1)
    with pytest.raises(BotError, match="has no pull request"):
        hub.lock(SHOP, 9)
    with pytest.raises(BotError, match="has no fork"):
        hub.open(SHOP, head="eve:fix", by="eve")
    with pytest.raises(BotError, match="already"):
        hub.repo(SHOP)


def test_events_come_in_order(hub: Hub) -> None:
    heard: list[Event] = []
    hub.listen(heard.append)
    for text in "abc":
        hub.say(SHOP, 1, "ada", text)
    assert tuple(heard) == hub.events[-3:]
