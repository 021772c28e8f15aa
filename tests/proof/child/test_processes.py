"""Killing whole trees of processes, and nothing else."""

import os
import signal
import subprocess
import sys
import time

from bot.proof.child import processes


def spawn(depth: int) -> int:
    """Fork a chain of sleeping processes, each in a session of its own; return the first."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        if depth:
            spawn(depth - 1)
        time.sleep(60)
        os._exit(0)
    return pid


def wait_for(pid: int, count: int) -> None:
    deadline = time.monotonic() + 10
    while len(processes.descendants(pid)) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def until_dead(*pids: int) -> None:
    deadline = time.monotonic() + 10
    while not all(map(processes.is_zombie, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_v23_a_tree_is_killed_whole_and_what_is_spared_lives() -> None:
    spared, other = spawn(0), spawn(3)
    wait_for(other, 3)
    below = processes.descendants(other)
    try:
        killed = processes.kill_below(os.getpid(), spare=frozenset({spared}))
        assert killed >= 4
        assert not processes.is_zombie(spared)
        until_dead(other, *below)
    finally:
        processes.kill_tree(spared)
        os.waitpid(spared, 0)


def test_who_has_ended_and_only_waits_to_be_reaped_counts_as_nobody() -> None:
    above = os.fork()
    if above == 0:
        if os.fork() == 0:
            os._exit(0)
        time.sleep(60)  # without ever asking for its child
        os._exit(0)
    wait_for(above, 1)
    (dead,) = processes.descendants(above)
    until_dead(dead)
    assert processes.kill_below(above) == 0
    processes.kill_tree(above)
    os.waitpid(above, 0)


def test_only_those_of_ours_are_reaped() -> None:
    mine, other = spawn(0), spawn(1)
    wait_for(other, 1)
    os.kill(mine, signal.SIGKILL)
    until_dead(mine)
    processes.kill_tree(other)
    assert os.waitpid(mine, 0)[0] == mine  # somebody waits for its status
    assert os.waitpid(other, 0)[0] == other


HOLDER = """
import mmap, sys
print("start", flush=True)
sys.stdin.readline()
private, shared = bytearray(1 << 24), mmap.mmap(-1, 1 << 24)
for place in range(0, 1 << 24, 4096):
    private[place] = shared[place] = 1
print("held", flush=True)
sys.stdin.readline()
"""


def test_memory_counts_what_is_written_private_or_shared() -> None:
    # A process of its own: in ours, other tests' garbage may be given back meanwhile.
    argv = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin
        assert holder.stdout
        assert holder.stdout.readline() == "start\n"
        before = processes.memory([holder.pid])
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "held\n"
        held = processes.memory([holder.pid]) - before
        holder.stdin.close()
    assert held >= (1 << 25) - (1 << 22)
