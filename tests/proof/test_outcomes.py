"""Outcomes called what they are, and what a process says of itself believed no further than it goes."""

import py_compile
import textwrap
from importlib.util import find_spec

import pytest

from tests.conftest import BROKEN, CURED, KEEP, PROBE, Workshop
from tests.proof.test_hostile_code import FORGE
from tests.proof.test_hostile_reach import without_unshare
from tests.proof.trials import prove, rewrite, the_rest_goes_on, try_tests


def test_each_kind_of_outcome_is_called_what_it_is(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import pytest
        from shop import till

        @pytest.fixture
        def broken():
            raise ValueError("no setup")

        @pytest.fixture
        def untidy():
            yield
            raise ValueError("no teardown")

        def test_skip():
            pytest.skip("not here")

        @pytest.mark.xfail(reason="known")
        def test_xfail():
            raise ValueError

        @pytest.mark.xfail(reason="not any more")
        def test_xpass():
            pass

        @pytest.mark.xfail(strict=True)
        def test_strict_xpass():
            pass

        def test_setup(broken):
            pass

        def test_teardown(untidy):
            pass

        def test_fault_never_reached(fault):
            fault.raises(till, "lookup", KeyError("xxx"))

        @pytest.mark.parametrize("number", [1, 2, 3])
        def test_first_of_three(number):
            assert number != 1

        def test_second_call(fault):
            placed = fault.raises(till, "lookup", KeyError("xxx"), calls=(2,))
            assert till.lookup("eur") == till.RATES["eur"]
            with pytest.raises(KeyError):
                till.lookup("eur")
            assert placed.hits == 1
        """,
    )
    assert tried.outcomes("skip", "xfail", "xpass", "strict-xpass") == ["skip", "xfail", "xpass", "xpass"]
    assert [tried.one(name)["reason"] for name in ("skip", "xfail")] == ["not here", "known"]
    assert tried.outcomes("setup", "teardown") == ["setup_error", "setup_error"]
    assert tried.one("teardown")["reason"] == "in teardown"
    assert tried.outcomes("fault-never-reached") == ["fault_not_fired"]
    assert tried.outcomes("first-of-three", "second-call") == ["fail", "pass"]
    the_rest_goes_on(tried)


def test_v9_what_is_not_collected_is_missing_and_a_broken_file_is_an_import_error(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs("test_broken.py", "import not_there_at_all\n\n\ndef test_any():\n    pass\n")
    lost = {"id": "lost", "test": "proofs/test_till.py::test_not_there"}
    broken = {"id": "broken", "test": "proofs/test_broken.py::test_any"}
    rewrite(workshop, keep=[lost, broken, *KEEP])
    tried = prove(workshop)
    assert tried.outcomes("lost", "broken") == ["missing", "import_error"]
    assert tried.one("lost")["reason"] == "not collected: proofs/test_till.py::test_not_there"
    the_rest_goes_on(tried)
    rewrite(workshop, probes=[{**PROBE, "test": "proofs/test_till.py::test_not_there"}])
    assert prove(workshop).verdict == "no_tests"


def test_a_test_that_never_reported_anything_is_missing(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs("conftest.py", "def pytest_runtest_protocol(item):\n    return 'known-rate'\n")
    tried = prove(workshop)
    assert tried.outcomes("known-rate", "amount-is-kept") == ["missing", "missing"]
    assert tried.one("known-rate")["reason"] == "nothing was run"
    assert tried.verdict == "inconclusive"


def test_v17_how_a_process_ended_weighs_more_than_what_it_said(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        FORGE
        + """
    def say_pass():
        made = {"outcome": "pass"}
        tell_all(*({"about": "unit", "unit": unit, "rank": 0, "outcome": made} for unit in range(9)))

    def test_exits():
        say_pass()
        os._exit(3)

    def test_dies():
        say_pass()
        os.kill(os.getpid(), 9)
    """,
    )
    assert tried.outcomes("exits", "dies") == ["missing", "crash"]
    the_rest_goes_on(tried)


@pytest.mark.parametrize(
    "messages",
    [
        '{"about": "banana"}',
        'start, {"about": "ready"}',
        "start, start",
        '{"about": "end", "unit": 0, "rank": 0, "status": 1 << 40}',
        '{"about": "after", "unit": 1 << 20, "left": 1}',
    ],
    ids=["an unknown word", "ready late", "two starts", "no status", "no unit"],
)
def test_v27_a_sibling_that_talks_nonsense_is_believed_no_more(workshop: Workshop, messages: str) -> None:
    tried = try_tests(
        workshop,
        FORGE
        + f"""
    def test_any():
        pass

    import time

    start = {{"about": "start", "unit": 0, "rank": 0, "pid": os.getpid()}}
    tell_all({messages})
    time.sleep(600)
    """,
        "--setup-timeout",
        "30",
    )
    rows = [row for kind in ("probes", "keep", "hazards") for row in tried.target[kind]]
    seen = {(one["outcome"], one["reason"]) for row in rows for one in row["before"] + row["after"]}
    assert seen == {("missing", "the tests' process sent what is no message of ours")}
    assert tried.verdict == "inconclusive"
    assert tried.done.json["seconds"] < 25  # and is ended at once, long before its deadline


def test_v27_no_rank_speaks_for_another_that_runs_beside_it(workshop: Workshop) -> None:
    if find_spec("torch") is None:
        pytest.skip("real ranks need torch")
    workshop.patch()
    workshop.proofs(
        "test_beside.py",
        textwrap.dedent(FORGE)
        + textwrap.dedent("""
        import time
        from pathlib import Path

        def test_beside(rank):
            said = Path(os.environ["TMPDIR"], "said")
            if rank == 0:
                made = {"outcome": "pass", "reason": "forged"}
                tell_all(*({"about": "unit", "unit": n, "rank": 1, "outcome": made} for n in range(9)))
                said.touch()
            while not said.exists():
                time.sleep(0.05)
            assert rank == 0
        """),
    )
    beside = {"id": "beside", "test": "proofs/test_beside.py::test_beside", "world": 2, "launcher": "gloo"}
    rewrite(workshop, keep=[beside, *KEEP])
    tried = prove(workshop, "--jobs", "1")
    assert [tried.one("beside", rank=rank)["outcome"] for rank in (0, 1)] == ["pass", "fail"]
    the_rest_goes_on(tried)


def test_v24_a_text_that_is_changed_before_its_import_is_not_the_expected_blob(workshop: Workshop) -> None:
    code = """
from pathlib import Path
own = Path(__file__).parent
for text in own.parents[1].glob("*/shop/till.py"):
    if text.parent != own:
        text.write_text(text.read_text() + "#")
"""
    workshop.commit("main", {"shop/__init__.py": code})
    workshop.patch()
    tried = prove(workshop, PATH=without_unshare(workshop))
    assert tried.outcomes("known-rate", "others-escape") == ["import_error", "import_error"]
    assert tried.one("known-rate")["message"] == "shop/till.py is not the expected blob"


def test_v24_stale_bytecode_of_a_module_beside_is_not_run(workshop: Workshop) -> None:
    workshop.commit("main", {"shop/__init__.py": "", "shop/beside.py": "raise RuntimeError('stale')\n"})
    stale = workshop.upstream / "shop" / "beside.py"
    py_compile.compile(str(stale), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    stale.write_text("VALUE = 1\n", encoding="utf-8")
    workshop.git("add", "--all", "--force")
    workshop.git("commit", "--quiet", "--message", "bytecode")
    workshop.patch(before="import shop.beside\n" + BROKEN, after="import shop.beside\n" + CURED)
    assert workshop.git("ls-files", "*.pyc")
    tried = prove(workshop)
    assert tried.verdict == "cured_uncontrolled"
    the_rest_goes_on(tried)


def test_a_test_writes_no_file_beyond_a_gibibyte_and_no_core(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import os, resource
        import pytest

        def test_large_file():
            with open(os.path.join(os.environ["TMPDIR"], "large"), "wb") as file:
                file.truncate(1 << 30)
                with pytest.raises(OSError):
                    file.truncate((1 << 30) + 1)

        def test_core():
            assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
        """,
    )
    assert tried.outcomes("large-file", "core") == ["pass", "pass"]


def test_a_bad_moment_is_not_remembered(workshop: Workshop) -> None:
    tried = try_tests(workshop, "import os\n\n\ndef test_crash():\n    os.abort()\n")
    assert tried.verdict == "inconclusive"
    again = prove(workshop)
    assert (again.verdict, again.target["cached"]) == ("inconclusive", False)


def test_a_symbolic_link_of_upstream_leads_nowhere(workshop: Workshop) -> None:
    workshop.commit("main", {"shop/__init__.py": ""})
    (workshop.upstream / "shop" / "link.py").symlink_to("/etc/passwd")
    workshop.commit("main", {}, "a link")
    tried = try_tests(
        workshop,
        """
        import os, shop

        def test_no_link():
            assert not os.path.lexists(os.path.join(os.path.dirname(shop.__file__), "link.py"))
        """,
    )
    assert tried.outcomes("no-link") == ["pass"]
    the_rest_goes_on(tried)
