"""The private channel: one JSON object per datagram, so that many writers never mix."""

import json
import socket
from contextlib import suppress
from typing import Any

Message = dict[str, Any]
#: Bytes of one message; texts are cut long before.
LARGEST = 1 << 17


def pair() -> tuple[socket.socket, socket.socket]:
    """Two connected ends. Message boundaries are kept; that all writers are gone reads as empty."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return ours, theirs


def send(end: socket.socket, message: Message) -> None:
    """Send one message; a reader that has gone is no error here: the supervisor notices."""
    with suppress(BrokenPipeError, ConnectionResetError):
        end.sendall(json.dumps(message).encode())


def receive(end: socket.socket, *, wait: bool = True) -> Message | None:
    """Receive the next message; None when every writer has closed, or none is there and we do not wait.

    Raises ValueError on what is no JSON object.
    """
    try:
        data = end.recv(LARGEST, 0 if wait else socket.MSG_DONTWAIT)
    except (ConnectionResetError, BlockingIOError):
        return None
    if not data:
        return None
    message = json.loads(data)
    if not isinstance(message, dict):
        raise ValueError("a message must be an object")  # noqa: TRY004 (like what is no JSON at all)
    return message
