"""The HTTP server: loopback only, any free port, every connection ended with it."""

import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bot.sandbox import answering
from bot.sandbox.world import World

#: Close at once and tell the other side so: it sees "connection reset".
ABORT = struct.pack("ii", 1, 0)
LARGEST = 16 << 20


class Server(ThreadingHTTPServer):
    """Serves one world; `stop` ends the thread, the port and all connections."""

    daemon_threads = True
    block_on_close = False
    #: Python leaves a port that was just used alone; a free one needs no such thing.
    allow_reuse_address = False

    def __init__(self, world: World) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.world = world
        self.connections: set[socket.socket] = set()
        self.guard = threading.Lock()
        self.thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        world.url = f"http://localhost:{self.server_address[1]}"

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.guard:
            self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self.guard:
            self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet when the other side has gone; a fault of ours is told."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def stop(self) -> None:
        self.shutdown()
        self.thread.join()
        with self.guard:
            left = list(self.connections)
        for one in left:
            super().shutdown_request(one)
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Reads a request, lets the world answer, writes the answer."""

    protocol_version = "HTTP/1.1"
    server: Server
    #: Small answers must not wait for the other side's acknowledgement.
    disable_nagle_algorithm = True
    server_version = "sandbox"
    sys_version = ""

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The header `Date` by the sandbox's own clock."""
        return super().date_time_string(self.server.world.clock.now() if timestamp is None else timestamp)

    def answer(self) -> None:
        size = min(int(self.headers.get("content-length") or 0), LARGEST)
        request = answering.Request(
            method=self.command,
            target=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            data=self.rfile.read(size),
        )
        reply = answering.reply(self.server.world, request)
        time.sleep(reply.wait)
        if reply.answer is None:
            self.abort()
            return
        self.send(reply)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do_HEAD = answer  # noqa: N815 (the library's names)

    def send(self, reply: answering.Reply) -> None:
        answer = reply.answer
        if answer is None:
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.status not in (204, 304):
            self.send_header("content-type", answer.kind)
        if answer.status != 204:  # noqa: PLR2004 (a status)
            self.send_header("content-length", str(len(reply.data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.data)

    def abort(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
        self.connection.close()

    def log_message(self, *args: object) -> None:
        """Say nothing: the world keeps the log."""
