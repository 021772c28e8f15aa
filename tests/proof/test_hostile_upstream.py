"""Upstream code that is hostile while it is imported, and exceptions that are hostile when looked at."""

from collections.abc import Callable

import pytest

from tests.conftest import BROKEN, CURED, FILE, PROBE, Workshop
from tests.proof.trials import Tried, add_tests, prove, rewrite, the_rest_goes_on, try_tests


def with_package(workshop: Workshop, code: str, *args: str) -> Tried:
    """Prove on an upstream whose package runs `code` before its differing file is imported."""
    workshop.commit("main", {"shop/__init__.py": code})
    workshop.patch()
    return prove(workshop, *args)


def with_module(workshop: Workshop, code: str, *args: str) -> Tried:
    """Prove on an upstream whose patched file ends with `code`."""
    workshop.patch(before=BROKEN + code, after=CURED + code)
    return prove(workshop, *args)


#: Puts code into upstream somewhere, and proves.
Place = Callable[..., Tried]


def every_outcome(tried: Tried) -> set[tuple[str, str | None]]:
    rows = [row for kind in ("probes", "keep", "hazards") for row in tried.target[kind]]
    runs = [one for row in rows for one in row["before"] + row["after"]]
    return {(one["outcome"], one["reason"] or one["message"]) for one in runs}


ENDS = {
    "an exit": ("import os\nos._exit(0)\n", "missing", "the process that collects the tests ended early"),
    "an exit by exception": ("raise SystemExit(0)\n", "import_error", "0"),
    "an interrupt": ("raise KeyboardInterrupt('stop')\n", "import_error", "stop"),
    "a crash": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
        "crash",
        "the process that collects the tests was killed by SIGSEGV",
    ),
    "no module": ("import not_there_at_all\n", "import_error", "No module named 'not_there_at_all'"),
}


@pytest.mark.parametrize("place", [with_package, with_module], ids=["before the file", "in the file"])
@pytest.mark.parametrize("name", ENDS)
def test_an_import_that_ends_the_process_is_every_tests_outcome(
    workshop: Workshop, name: str, place: Place
) -> None:
    code, kind, told = ENDS[name]
    tried = place(workshop, code)
    assert every_outcome(tried) == {(kind, told)}
    assert tried.verdict == ("wrong_failure" if kind == "import_error" else "inconclusive")


@pytest.mark.parametrize("place", [with_package, with_module], ids=["before the file", "in the file"])
def test_v15_an_import_that_hangs_ends_at_its_deadline(workshop: Workshop, place: Place) -> None:
    tried = place(workshop, "import ctypes\nctypes.PyDLL(None).pause()\n", "--setup-timeout", "2")
    assert every_outcome(tried) == {("timeout", "the import did not end in time")}
    assert tried.verdict == "inconclusive"


HARMLESS = {
    "no children heard of": "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n",
    "output": "import os, sys\nos.write(1, b'passed\\n' * 99999)\nsys.stdout = sys.stderr = None\n",
    "a daemon": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.fork()\n    time.sleep(600)\n",
    "a child that ended": "import os\nif os.fork() == 0:\n    os._exit(7)\n",
    "another environment": "import os\nos.environ.clear()\nos.environ['PYTEST_ADDOPTS'] = '-k nothing'\n",
    "a thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n",
    "lower limits": "import resource as r\nr.setrlimit(r.RLIMIT_NOFILE, (40, 40))\n",
    "a fork of itself": "import os\nos.fork()\n",
    "a search path": "import sys\nsys.path.insert(0, '/nowhere')\nsys.path_importer_cache.clear()\n",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_an_import_leaves_in_its_process_changes_no_outcome(workshop: Workshop, name: str) -> None:
    tried = with_package(workshop, HARMLESS[name])
    assert tried.verdict == "cured_uncontrolled"
    the_rest_goes_on(tried)


BREAKS = {
    "no exit": "import os, time\nos._exit = lambda code: time.sleep(600)\n",
    "no waiting": "import os, time\nos.wait = lambda: time.sleep(600)\n",
    "closed files": "import os\nos.closerange(3, 4096)\n",
    "no fork": "import os\nos.fork = lambda: 1 / 0\n",
    "no json": "import json\njson.dumps = lambda *args, **more: 'nonsense'\n",
    "one file for all": "import sys\nsys.meta_path.clear()\nsys.path_hooks.clear()\n",
}


@pytest.mark.parametrize("name", BREAKS)
def test_an_import_that_breaks_the_harness_in_its_own_process_cures_nothing(
    workshop: Workshop, name: str
) -> None:
    workshop.commit("main", {"shop/__init__.py": BREAKS[name]})
    workshop.patch()
    rewrite(workshop, probes=[PROBE | {"timeout": 2}], keep=None, hazards=None)
    tried = prove(workshop, "--setup-timeout", "4")
    assert tried.verdict in ("inconclusive", "wrong_failure")
    assert "pass" not in {kind for kind, _ in every_outcome(tried)}


def test_an_import_after_which_nothing_ends_still_ends(workshop: Workshop) -> None:
    tried = with_package(
        workshop,
        "import os, time\npid = os.getpid()\nwait = os.wait\n"
        "os.wait = lambda: wait() if os.getpid() != pid else time.sleep(600)\n",
        "--setup-timeout",
        "4",
    )
    assert tried.verdict == "cured_uncontrolled"
    the_rest_goes_on(tried)


def test_v24_a_module_that_shadows_the_tree_is_not_taken_for_it(workshop: Workshop) -> None:
    tried = with_package(
        workshop,
        """
import sys, types
fake = types.ModuleType("shop.till")
fake.convert = fake.lookup = fake.total = lambda *args, **more: 5
fake.__file__ = __file__.replace("__init__", "till")
sys.modules["shop.till"] = fake
""",
    )
    assert every_outcome(tried) == {("import_error", "shop/till.py was not imported from the tree")}
    assert tried.verdict == "wrong_failure"


def test_v24_an_installed_package_of_the_same_name_and_stale_bytecode_are_not_run(workshop: Workshop) -> None:
    import py_compile

    elsewhere = workshop.root / "elsewhere" / "shop"
    elsewhere.mkdir(parents=True)
    (elsewhere / "till.py").write_text("raise RuntimeError('the installed one')\n", encoding="utf-8")
    workshop.commit("main", {"shop/__init__.py": "", FILE: "raise RuntimeError('stale')\n"})
    stale = workshop.upstream / FILE
    py_compile.compile(str(stale), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    workshop.git("add", "--all", "--force")
    workshop.git("commit", "--quiet", "--message", "bytecode")
    assert workshop.git("ls-files", "*.pyc")
    workshop.patch()
    tried = prove(workshop, PYTHONPATH=str(elsewhere.parent))
    assert tried.verdict == "cured_uncontrolled"
    the_rest_goes_on(tried)


def test_v2_a_first_import_that_fails_is_not_mended_by_a_second(workshop: Workshop) -> None:
    workshop.patch(before="import shop.once\n" + BROKEN, after="import shop.once\n" + CURED)
    once = "import builtins as b\nif not hasattr(b, 'seen'):\n    b.seen = 1\n    raise ImportError('once')\n"
    workshop.commit("main", {"shop/once.py": once, "shop/__init__.py": ""})
    add_tests(workshop, "from shop import till\n\ndef test_till():\n    assert till.total([1]) == 1\n")
    tried = prove(workshop)
    assert every_outcome(tried) == {("import_error", "once")}
    assert tried.verdict == "wrong_failure"


def test_exceptions_that_are_hostile_when_looked_at_still_travel(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import time

        class Mute(Exception):
            def __str__(self):
                raise RuntimeError("no")

        class Slow(Exception):
            def __str__(self):
                time.sleep(600)

        class Text(str):
            def __getitem__(self, key):
                raise RuntimeError("no")

            encode = __len__ = __str__ = __getitem__

        class Odd(Exception):
            def __str__(self):
                return Text("odd")

        class Nameless(type):
            __name__ = property(lambda self: 1 / 0)

        class Unnamed(Exception, metaclass=Nameless):
            pass

        def test_mute():
            raise Mute

        def test_slow():
            raise Slow

        def test_odd():
            raise Odd

        def test_unnamed():
            raise Unnamed

        def test_huge():
            raise ValueError("x" * (1 << 26))

        def test_wide(note):
            note("\\0\\U0001f600" * 9999)
            raise type("\\U0001f600" * 9999, (Exception,), {})("\\0\\U0001f600\\ud800" * 9999)

        def test_unseen():
            raise ValueError("\\x1b[31mred\\x1b[0m \\u202egnp.exe \\ud800 \\u200b\\r\\nnext \\x9b2J")

        def test_deep():
            return test_deep()

        def test_bottomless():
            error = ValueError("loop")
            error.__cause__ = error
            raise error

        def test_group():
            raise BaseExceptionGroup("many", [KeyboardInterrupt(), SystemExit(0)])

        def test_interrupt():
            raise KeyboardInterrupt("none of ours")

        def test_locked():
            error = ValueError("locked")
            error.lock = __import__("threading").Lock()
            raise error
        """,
        timeout=3,
    )
    fails = ("mute", "odd", "unnamed", "huge", "wide", "unseen", "bottomless", "group", "interrupt", "locked")
    assert tried.outcomes(*fails) == ["fail"] * len(fails)
    assert tried.outcomes("slow") == ["timeout"]
    assert tried.one("mute")["message"] == "<no message: RuntimeError>"
    assert tried.one("unseen")["message"] == "red gnp.exe ?"[:-1] + "? \nnext "
    assert len(tried.one("huge")["message"]) == 2000
    assert tried.one("interrupt")["exception"] == "KeyboardInterrupt"
    the_rest_goes_on(tried)
