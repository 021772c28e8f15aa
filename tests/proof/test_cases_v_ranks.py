"""The public cases of several ranks and of what other runs left behind, by id."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import BEFORE, BROKEN, CURED, PROBE, Workshop
from tests.proof.trials import prove, rewrite, the_rest_goes_on

RANKS = """
    import os, signal
    from shop import till
    from torch import distributed

    def test_one_crashes(rank):
        if rank == 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        distributed.barrier()

    def test_one_leaves(rank):
        if rank == 0:
            os._exit(0)
        distributed.barrier()
        till.convert(5, "eur", rank=rank)

    def test_all_meet(rank, world):
        seen = [None] * world
        distributed.all_gather_object(seen, rank)
        assert seen == list(range(world))
"""


def on_ranks(name: str, timeout: float) -> dict[str, object]:
    found = {"id": name.replace("_", "-"), "test": f"proofs/test_ranks.py::test_{name}"}
    return found | {"world": 2, "launcher": "gloo", "timeout": timeout}


@pytest.mark.proof
def test_v19_when_one_rank_crashes_the_others_end_at_the_deadline_and_each_is_told(
    workshop: Workshop,
) -> None:
    workshop.patch()
    workshop.proofs("test_ranks.py", RANKS)
    keep = [on_ranks("one_crashes", 8), on_ranks("one_leaves", 8), on_ranks("all_meet", 60)]
    rewrite(
        workshop,
        keep=keep,
        environment={"checkout": ["shop"], "imports": ["shop.till"], "preload": ["torch"]},
    )
    tried = prove(workshop)
    for side in ("before", "after"):
        crashed, waiting = (tried.one("one-crashes", side, rank) for rank in (1, 0))
        assert (crashed["outcome"], crashed["signal"]) == ("crash", 11)
        assert waiting["outcome"] in ("timeout", "fail")  # gloo may notice that its peer has gone
        assert tried.one("one-leaves", side, 0)["outcome"] == "missing"
        assert tried.one("one-leaves", side, 1)["outcome"] in ("timeout", "fail")
        assert [tried.one("all-meet", side, rank)["outcome"] for rank in (0, 1)] == ["pass", "pass"]
    assert tried.verdict in ("inconclusive", "base_broken")
    assert [tried.one("amount-is-kept", "after", rank)["outcome"] for rank in (0, 1)] == ["pass", "pass"]


@pytest.mark.proof
def test_v19_ranks_that_torchrun_starts_are_heard_each_and_nobody_else_is(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs(
        "test_ranks.py",
        RANKS
        + """
    def test_knocks_elsewhere():
        import contextlib, json, pathlib, socket, time
        if pathlib.Path(os.environ["TMPDIR"], "knocking").exists():
            return  # one tree knocks while the other runs its ranks
        pathlib.Path(os.environ["TMPDIR"], "knocking").mkdir()
        lie = json.dumps({"rank": 1, "outcome": {"outcome": "xfail"}}).encode()
        until, heard = time.monotonic() + 25, False
        while time.monotonic() < until:
            rows = map(str.split, pathlib.Path("/proc/net/unix").read_text().splitlines())
            for name in {row[7] for row in rows if len(row) > 7 and row[7].startswith("@upstream-bot-")}:
                with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as end:
                    if end.connect_ex("\\0" + name[1:]) == 0:
                        heard = True
                        with contextlib.suppress(OSError):  # it may be shown out before it has spoken
                            end.send(lie)
            time.sleep(0.05)
        assert heard
    """,
    )
    fresh = {"launcher": "torchrun", "timeout": 90, "device": "cpu"}
    keep = [on_ranks(name, 90) | fresh for name in ("all_meet", "one_leaves")]
    knock = {"id": "knocks", "test": "proofs/test_ranks.py::test_knocks_elsewhere", "timeout": 90}
    environment = {"checkout": ["shop"], "imports": ["shop.till"], "preload": ["torch"]}
    rewrite(workshop, keep=[knock, *keep], hazards=None, environment=environment)
    tried = prove(workshop, "--jobs", "2")
    for side in ("before", "after"):
        assert [tried.one("all-meet", side, rank)["outcome"] for rank in (0, 1)] == ["pass", "pass"]
        assert tried.one("one-leaves", side, 0)["outcome"] == "missing"
    assert tried.outcomes("knocks") == ["pass"]
    assert "xfail" not in tried.done.out


def test_v20_ranks_that_disagree_are_shown_each_and_the_worst_decides(workshop: Workshop) -> None:
    fine = BROKEN.replace("    return amount * rate", "    return amount if rank_is_one else amount * rate")
    fine = fine.replace("    try:", "    rank_is_one = rank == 1\n    try:")
    workshop.patch(before=fine, after=CURED)
    rewrite(workshop, keep=None, hazards=None)
    tried = prove(workshop)
    assert [tried.one("amount-is-kept", "before", rank)["outcome"] for rank in (0, 1)] == ["fail", "pass"]
    assert tried.verdict == "defect_not_reproduced"
    assert "amount-is-kept rank 1 before: pass" in tried.reason


def test_v20_a_cure_on_one_rank_only_is_partly_one(workshop: Workshop) -> None:
    workshop.patch(after=CURED.replace("        rate = 1\n", "            rate = 1\n"))
    tried = prove(workshop)
    assert [tried.one("amount-is-kept", "after", rank)["outcome"] for rank in (0, 1)] == ["pass", "fail"]
    assert tried.verdict == "partly_cured"
    assert "amount-is-kept rank 1 after: fail UnboundLocalError" in tried.reason


def test_v21_one_rank_that_skips_while_the_other_runs_proves_nothing(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        """
        import pytest
        from shop import till

        def test_skips_on_one(fault, rank):
            if rank == 1:
                pytest.skip("not on this rank")
            fault.raises(till, "lookup", KeyError("xxx"))
            assert till.convert(5, "xxx", rank=rank) == 5
        """,
    )
    rewrite(workshop, probes=[PROBE | {"test": "proofs/test_more.py::test_skips_on_one", "before": BEFORE}])
    tried = prove(workshop)
    assert [tried.one("amount-is-kept", "after", rank)["outcome"] for rank in (0, 1)] == ["pass", "skip"]
    assert tried.verdict == "inconclusive"
    assert "rank 1 before did not run while another rank or side of it did" in tried.reason


LISTEN = """
import socket, sys
end = socket.socket()
end.bind(("localhost", 0))
end.listen()
print(end.getsockname()[1], flush=True)
sys.stdin.read()
"""


def test_v22_what_is_not_ours_keeps_its_port_and_its_life(workshop: Workshop) -> None:
    workshop.patch()
    argv = [sys.executable, "-c", LISTEN, "upstream-bot", "bot/proof/child/__main__.py"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        port = int(other.stdout.readline())
        tried = prove(workshop, MASTER_PORT=str(port), MASTER_ADDR="localhost")
        the_rest_goes_on(tried)
        assert other.poll() is None
        socket.create_connection(("localhost", port), timeout=5).close()
        other.communicate("")


def test_v22_v23_what_a_killed_run_left_is_swept_and_that_of_a_living_one_is_not(workshop: Workshop) -> None:
    import fcntl

    workshop.patch()
    base = Path(workshop.env["TMPDIR"])
    dead, alive = base / "upstream-bot-scratch-dead", base / "upstream-bot-scratch-alive"
    for place in (dead, alive):
        place.mkdir()
        (place / "lock").touch()
    (dead / "closed").mkdir(mode=0o000)
    with (alive / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        the_rest_goes_on(prove(workshop))
        assert os.listdir(base) == [alive.name]
    the_rest_goes_on(prove(workshop, "--fresh"))
    assert os.listdir(base) == []


def test_v22_two_runs_beside_each_other_see_the_same(workshop: Workshop) -> None:
    workshop.patch()
    args = ("prove", "till", "--upstream", str(workshop.upstream), "--no-controls", "--json", "--fresh")
    running = [workshop.start(*args, "--branch", "main", "--runs", "1") for _ in range(3)]
    ended = [(*process.communicate(timeout=120), process.returncode) for process in running]
    assert [(err, code) for _, err, code in ended] == [("", 0)] * 3
