"""The private channel: one JSON object per datagram, so that many writers never mix."""

import json
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]
#: Bytes of one message; texts are cut long before.
LARGEST = 1 << 17
#: What the kernel says of a sender: process, user, group (unix(7)).
CREDENTIALS = struct.Struct("3i")


@dataclass(frozen=True, kw_only=True)
class Heard:
    """One datagram: the process that sent it, as the kernel says, and its object; None where it is none."""

    sender: int
    message: Message | None


def pair() -> tuple[socket.socket, socket.socket]:
    """Two connected ends. Message boundaries are kept; that all writers are gone reads as None."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def send(end: socket.socket, message: Message) -> None:
    """Send one message; a reader that has gone is no error here, nor is one too large: it is missed there."""
    data = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    if len(data) <= LARGEST:
        with suppress(BrokenPipeError, ConnectionResetError):
            end.sendall(data)


def hear(end: socket.socket, *, wait: bool = True) -> Heard | None:
    """Hear the next datagram; None when every writer has closed, or none is there and we do not wait."""
    room = socket.CMSG_SPACE(CREDENTIALS.size)
    try:
        data, told, _, _ = end.recvmsg(LARGEST, room, 0 if wait else socket.MSG_DONTWAIT)
    except (ConnectionResetError, BlockingIOError):
        return None
    if not data and not told:  # an empty datagram, which anybody can send, still tells its sender
        return None
    sender = next(
        (CREDENTIALS.unpack(what)[0] for _, kind, what in told if kind == socket.SCM_CREDENTIALS), 0
    )
    return Heard(sender=sender, message=parse(data))


def receive(end: socket.socket) -> Message | None:
    """Receive the next message; None when every writer has closed. Raises ValueError on what is none."""
    heard = hear(end)
    if heard is None:
        return None
    if heard.message is None:
        raise ValueError("a message must be an object")
    return heard.message


def parse(data: bytes) -> Message | None:
    """Read an object, whoever wrote it; None for all else."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
