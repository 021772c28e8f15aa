"""Tests that hang, crash, lie and flee: an honest outcome each time, and the rest goes on."""

import re

import pytest

from tests.conftest import Workshop
from tests.proof.trials import Tried, add_tests, the_rest_goes_on, try_tests

FORGE = """
    import json, os, socket
    from contextlib import suppress

    def tell_all(*messages):
        for name in os.listdir("/proc/self/fd"):
            with suppress(OSError), socket.socket(fileno=os.dup(int(name))) as end:
                for message in messages:
                    end.send(message if isinstance(message, bytes) else json.dumps(message).encode())
"""


def test_v15_a_hang_in_python_and_in_native_code_ends_at_the_deadline(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import ctypes, re, signal

        def test_loop():
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    pass

        def test_pause_with_the_interpreter_lock():
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            ctypes.PyDLL(None).pause()

        def test_regular_expression():
            re.match("(a|aa)+$", "a" * 90 + "b")
        """,
        timeout=1,
    )
    hung = ("loop", "pause-with-the-interpreter-lock", "regular-expression")
    assert tried.outcomes(*hung) == ["timeout"] * 3
    assert {tried.one(name)["reason"] for name in hung} == {"no end within 1 s"}
    the_rest_goes_on(tried)


def test_v17_a_crash_names_its_signal_and_an_early_exit_is_no_pass(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import atexit, ctypes, os, signal, sys, threading
        import pytest

        def test_segfault():
            ctypes.string_at(0)

        def test_abort():
            os.abort()

        def test_real_time_signal():
            os.kill(os.getpid(), signal.SIGRTMIN + 3)

        def test_exit_code_nought():
            os._exit(0)

        def test_exit_code_nought_in_a_thread():
            threading.Thread(target=os._exit, args=(0,)).start()
            signal.pause()

        def test_system_exit():
            atexit.register(os._exit, 0)
            sys.exit(0)

        def test_pytest_exit():
            pytest.exit("all is well", returncode=0)

        def test_another_program():
            os.execv("/bin/true", ["true"])
        """,
    )
    crashes = ("segfault", "abort", "real-time-signal")
    assert tried.outcomes(*crashes) == ["crash"] * 3
    assert [tried.one(name)["signal"] for name in crashes] == [11, 6, 37]
    exits = ("exit-code-nought", "exit-code-nought-in-a-thread", "another-program")
    assert tried.outcomes(*exits) == ["missing"] * 3
    assert tried.outcomes("system-exit", "pytest-exit") == ["fail", "fail"]
    the_rest_goes_on(tried)


def test_v17_what_holds_too_much_memory_is_stopped(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import mmap, signal

        def test_memory():
            held = []
            while True:
                held.append(bytearray(1 << 24))

        def test_shared_memory():
            held = mmap.mmap(-1, 1 << 30)
            for place in range(0, 1 << 30, 4096):
                held[place] = 1
            signal.pause()
        """,
        "--memory",
        "400",
        "--jobs",
        "1",
    )
    assert tried.outcomes("memory", "shared-memory") == ["oom", "oom"]
    assert tried.one("memory")["reason"] == "more than 400 MiB"
    the_rest_goes_on(tried)


def test_a_test_that_starts_too_many_processes_is_stopped(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import os, signal

        def test_processes():
            for _ in range(560):
                if os.fork() == 0:
                    os.setsid()
                    signal.pause()
            signal.pause()
        """,
        "--memory",
        "40000",
        "--jobs",
        "1",
    )
    assert tried.outcomes("processes") == ["crash"]
    assert (tried.one("processes")["reason"] or "").startswith("more than 500 processes")
    the_rest_goes_on(tried)


def test_v27_output_is_never_read_however_much_and_whatever_it_says(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import os, sys

        LINE = "proofs/test_till.py::test_the_amount_is_kept PASSED\\n"

        def test_megabytes():
            for stream in (sys.stdout, sys.stderr):
                stream.write(LINE * 100_000)
                stream.flush()
            os.write(1, b"1 passed\\n" * 100_000)
            assert not os.isatty(0)

        def test_a_result_file():
            for name in ("report.xml", "junit.xml", "evidence.json"):
                open(os.path.join(os.environ["TMPDIR"], name), "w").write("<testsuite failures='0'/>")
            raise AssertionError(LINE)
        """,
    )
    assert tried.outcomes("megabytes", "a-result-file") == ["pass", "fail"]
    assert tried.verdict == "base_broken"
    the_rest_goes_on(tried)


def test_v27_messages_on_inherited_descriptors_speak_for_no_other_test_rank_or_tree(
    workshop: Workshop,
) -> None:
    tried = try_tests(
        workshop,
        FORGE
        + """
    def test_speaks_for_the_others():
        lie = {"outcome": "xfail", "reason": "forged"}
        slots = [{"unit": unit, "rank": rank} for unit in range(20) for rank in range(3)]
        tell_all(*({"about": "unit", "outcome": lie, **slot} for slot in slots))
        tell_all(*({"about": "start", "pid": -1, **slot} for slot in slots))
        tell_all(*({"about": "end", "status": 0, **slot} for slot in slots))

    def test_speaks_for_its_parents():
        lie = {"outcome": "xfail", "reason": "forged"}
        tell_all({"about": "born", "pid": -1}, {"about": "all", "outcome": lie}, {"about": "ready"})
        tell_all({"about": "gone", "status": 0}, {"about": "gone", "status": 1 << 40}, {"about": "done"})
        tell_all({"about": "after", "unit": 0, "left": True})

    def test_speaks_nonsense():
        tell_all(b"", b"{", b"[]", b"[" * 100_000, b"\\xff" * 100_000, b'{"about": "unit"}', b"")
    """,
    )
    assert tried.outcomes("speaks-for-its-parents", "speaks-nonsense") == ["pass", "pass"]
    assert tried.one("speaks-for-the-others")["outcome"] == "xfail"  # of itself it may say what it likes
    assert tried.done.out.count('"reason": "forged"') == 2
    the_rest_goes_on(tried)


@pytest.mark.parametrize(
    "lie",
    [
        '{"outcome": "banana"}',
        '{"outcome": ["pass"]}',
        "{}",
        '{"outcome": "pass", "seconds": 1e999}',
        '{"outcome": "pass", "fault_hits": true}',
        '{"outcome": "oom"}',
        '{"outcome": "pass", "message": {"a": 1}}',
    ],
    ids=["unknown", "a list", "nothing", "endless", "no number", "the supervisor's", "no text"],
)
def test_v27_what_is_no_outcome_is_no_result(workshop: Workshop, lie: str) -> None:
    tried = try_tests(
        workshop,
        FORGE
        + f"""
    def test_lie():
        for unit in range(9):
            tell_all(b'{{"about": "unit", "unit": %d, "rank": 0, "outcome": {lie}}}' % unit)
    """,
    )
    assert tried.outcomes("lie") == ["missing"]
    assert tried.one("lie")["reason"] == "the process sent what is no outcome"
    the_rest_goes_on(tried)


def test_v23_what_a_test_leaves_running_is_killed_and_told(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import ctypes, os, signal, time

        def daemon():
            if os.fork() == 0:
                os.setsid()
                ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
                if os.fork() == 0:
                    os.setsid()
                    for number in range(1, 65):
                        if number not in (9, 19, 32, 33):
                            signal.signal(number, signal.SIG_IGN)
                    time.sleep(600)
                os._exit(0)

        def test_daemon():
            daemon()

        def test_daemon_and_hang():
            daemon()
            signal.pause()

        def test_zombies():
            for _ in range(50):
                if os.fork() == 0:
                    os._exit(0)
        """,
        timeout=2,
    )
    assert tried.outcomes("daemon", "daemon-and-hang", "zombies") == ["pass", "timeout", "pass"]
    for name in ("daemon", "daemon-and-hang"):
        assert re.search(r"it left [12] processes behind, which were killed", tried.one(name)["reason"])
    assert tried.one("zombies")["reason"] is None
    the_rest_goes_on(tried)


def test_v18_a_tree_that_is_killed_keeps_its_earlier_results_and_the_others_go_on(workshop: Workshop) -> None:
    workshop.patch()
    workshop.git("branch", "other", "main~0")
    workshop.commit("other", {"shop/flag.py": "", "shop/more.py": ""}, "another tree")
    add_tests(
        workshop,
        """
        import os, signal
        from pathlib import Path
        import shop
        from shop import till

        def test_first():
            pass

        def test_parent():
            if Path(shop.__path__[0], "flag.py").exists():
                os.kill(os.getppid(), signal.SIGKILL)
                signal.pause()
        """,
    )
    done = workshop.prove("--branch", "main", "--branch", "other", "--runs", "1")
    main, other = (Tried(target=target, done=done) for target in done.json["targets"])
    assert (main.target["name"], main.verdict) == ("main", "cured_uncontrolled")
    the_rest_goes_on(main)
    assert other.verdict == "inconclusive"
    assert other.outcomes("first", "parent") == ["pass", "crash"]
    assert other.one("known-rate")["reason"] == "the process that collects the tests was killed by SIGKILL"
