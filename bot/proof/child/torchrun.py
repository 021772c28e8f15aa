"""Launcher `torchrun`: fresh processes started by torchrun, for devices that forbid forking."""

import json
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from bot.proof.child import channel, processes
from bot.proof.child.job import Family, Sibling, Unit

Report = Callable[[channel.Message], None]


def run(family: Family, mine: Sibling, unit: Unit, report: Report) -> None:
    """Start the ranks of one unit, hear each, and report their outcomes and ends."""
    path = (
        f"\0upstream-bot-{mine.key}-{unit.number}"  # a name and no file: a path may be too long for a socket
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(path)
        door.listen(unit.world)
        process = start(family, mine, unit, path)
        for rank in unit.ranks:
            report({"about": "start", "unit": unit.number, "rank": rank, "pid": process.pid})
        heard = hear(door, process, unit, report)
    for rank in unit.ranks:
        status = 0 if rank in heard else 1 << 8
        report({"about": "end", "unit": unit.number, "rank": rank, "status": status})


def start(family: Family, mine: Sibling, unit: Unit, path: str) -> "subprocess.Popen[bytes]":
    """Start torchrun on our worker, and tell it there what to do: into a file others could write."""
    # On a device the real engine is wanted: what is absent there only looks so on a CPU.
    stubs = () if unit.device == "gpu" else family.stubs
    alone = replace(family, stubs=stubs, siblings=(replace(mine, units=(unit,)),))
    task = {"family": asdict(alone), "socket": path}
    order = json.dumps(task)
    # One machine, and no look-up of its name: there is no network where this runs.
    here = ("--nnodes=1", "--rdzv-backend=c10d", "--rdzv-endpoint=localhost:0", "--local-addr=localhost")
    argv = [sys.executable, "-m", "torch.distributed.run", *here, f"--nproc-per-node={unit.world}"]
    entry = str(Path(__file__).with_name("__main__.py"))
    return subprocess.Popen([*argv, entry, "worker", order], start_new_session=True, cwd=family.place)


def hear(door: socket.socket, process: "subprocess.Popen[bytes]", unit: Unit, report: Report) -> set[int]:
    """Forward each rank's outcome until torchrun has ended; return the ranks that were heard."""
    heard: set[int] = set()
    ended = os.pidfd_open(process.pid)
    with selectors.DefaultSelector() as selector:
        selector.register(door, selectors.EVENT_READ)
        selector.register(ended, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if door.fileno() in ready:
                heard |= take(door, process.pid, unit, report)
            elif ended in ready:
                break
    os.close(ended)
    process.wait()
    return heard


def take(door: socket.socket, above: int, unit: Unit, report: Report) -> set[int]:
    """Take the one message that a worker has to say; the kernel tells who knocks, others are not heard."""
    connection, _ = door.accept()
    with connection:
        known = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, channel.CREDENTIALS.size)
        pid, *_ = channel.CREDENTIALS.unpack(known)
        heard = channel.hear(connection) if pid in processes.descendants(above) else None
    match heard.message if heard else None:
        case {"rank": int(rank), "outcome": dict(made)} if rank in unit.ranks:
            report({"about": "unit", "unit": unit.number, "rank": int(rank), "outcome": made})
            return {int(rank)}
    return set()
