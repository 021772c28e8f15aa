"""The public cases of proving, by id: what a test comes to, and what that makes of the proof."""

import pytest

from tests.conftest import BEFORE, BROKEN, CURED, KEEP, PROBE, Workshop
from tests.proof.trials import add_tests, declare, prove, rewrite, the_rest_goes_on, try_tests


def test_v1_an_import_error_before_is_no_defect(workshop: Workshop) -> None:
    workshop.patch(before="import nothing_of_this_name\n" + BROKEN, after=CURED)
    tried = prove(workshop)
    assert tried.one("amount-is-kept", "before", 0)["outcome"] == "import_error"
    assert tried.one("amount-is-kept", "after", 0)["outcome"] == "pass"
    assert tried.verdict == "wrong_failure"
    assert "import_error ModuleNotFoundError" in tried.reason


def test_v4_a_probe_that_passes_before_reproduces_nothing(workshop: Workshop) -> None:
    whole = BROKEN.replace("{currency}", "{code}").replace("amount * rate", "amount if rank < 2 else rate")
    workshop.patch(before=whole, after=whole + "# changed\n")
    rewrite(workshop, keep=None, hazards=None)
    tried = prove(workshop)
    assert tried.outcomes("amount-is-kept") == ["pass"]
    assert tried.verdict == "defect_not_reproduced"


def test_v5_another_exception_before_is_named_beside_the_declared_one(workshop: Workshop) -> None:
    workshop.patch(before=BROKEN.replace("{currency}", "{code + 1}"))
    tried = prove(workshop)
    assert tried.verdict == "wrong_failure"
    assert "expected fail NameError matching 'currency' (in convert)" in tried.reason
    assert "seen fail TypeError" in tried.reason


def test_v6_a_fault_that_never_fired_is_no_pass(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        """
        from shop import till

        def test_unreached(fault, rank):
            fault.raises(till, "total", KeyError("never"))
            assert till.convert(5, "eur", rank=rank) == 10
        """,
    )
    rewrite(workshop, probes=[PROBE | {"test": "proofs/test_more.py::test_unreached"}])
    tried = prove(workshop)
    assert tried.outcomes("amount-is-kept") == ["fault_not_fired"]
    assert (tried.one("amount-is-kept")["fault_hits"], tried.verdict) == (0, "defect_not_reproduced")


def test_v9_a_deselected_probe_is_missing_and_no_option_from_outside_counts(workshop: Workshop) -> None:
    workshop.patch()
    tried = prove(workshop, PYTEST_ADDOPTS="-k nothing", PYTEST_PLUGINS="not_there")
    assert tried.verdict == "cured_uncontrolled"
    workshop.proofs(
        "conftest.py",
        """
        def pytest_collection_modifyitems(items):
            items[:] = [item for item in items if "amount" not in item.name]
        """,
    )
    tried = prove(workshop)
    assert tried.outcomes("amount-is-kept", "known-rate") == ["missing", "pass"]
    assert tried.verdict == "no_tests"
    assert tried.reason.startswith("never collected: amount-is-kept")


def test_v10_all_skipped_is_not_run_with_the_reason_and_never_green(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        """
        import pytest

        @pytest.mark.skip(reason="no such device")
        def test_skipped():
            pass
        """,
    )
    rewrite(workshop, probes=[PROBE | {"test": "proofs/test_more.py::test_skipped"}])
    tried = prove(workshop)
    assert (tried.verdict, tried.done.code) == ("not_run", 1)
    assert "no such device" in tried.reason


def test_v12_a_return_before_the_fault_is_noticed_and_an_empty_test_reproduces_nothing(
    workshop: Workshop,
) -> None:
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        """
        from shop import till

        def test_returns(fault):
            fault.raises(till, "lookup", KeyError("xxx"))
            return

        def test_empty():
            return
        """,
    )
    one = [{**BEFORE[0], "ranks": "all"}]
    rewrite(workshop, probes=[declare(name, before=one) for name in ("returns", "empty")])
    tried = prove(workshop)
    # A test without fault or assertion cannot be told from a good one, but it can prove nothing either.
    assert tried.outcomes("returns", "empty") == ["fault_not_fired", "pass"]
    assert tried.verdict == "defect_not_reproduced"


@pytest.mark.parametrize(
    ("strict", "after"), [("False", "xpass"), ("True", "xpass")], ids=["loose", "strict"]
)
def test_v13_an_expected_failure_before_and_a_pass_after_prove_nothing(
    workshop: Workshop, strict: str, after: str
) -> None:
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        f"""
        import pytest
        from shop import till

        @pytest.mark.xfail(reason="known", strict={strict})
        def test_marked(fault, rank):
            fault.raises(till, "lookup", KeyError("xxx"))
            assert till.convert(5, "xxx", rank=rank) == 5
        """,
    )
    rewrite(workshop, probes=[PROBE | {"test": "proofs/test_more.py::test_marked"}])
    tried = prove(workshop)
    assert tried.one("amount-is-kept", "before")["outcome"] == "xfail"
    assert tried.one("amount-is-kept", "after")["outcome"] == after
    assert tried.verdict == "defect_not_reproduced"


def test_v14_mixed_outcomes_are_flaky_with_their_counts_and_never_tried_again(workshop: Workshop) -> None:
    workshop.patch()
    workshop.proofs(
        "test_more.py",
        """
        import os
        from pathlib import Path
        from shop import till

        def test_sometimes(fault, rank):
            place = Path(os.environ["TMPDIR"], Path(till.__file__).parents[1].name + str(rank))
            place.touch()
            place.write_text(place.read_text() + "x")
            fault.raises(till, "lookup", KeyError("xxx"))
            amount = till.convert(5, "xxx", rank=rank)
            assert amount == 5 and len(place.read_text()) != 2
        """,
    )
    rewrite(workshop, probes=[PROBE | {"test": "proofs/test_more.py::test_sometimes"}])
    tried = prove(workshop, "--runs", "4")
    assert [one["outcome"] for one in tried.all("amount-is-kept", "after")] == [
        "pass",
        "fail",
        "pass",
        "pass",
    ]
    assert tried.verdict == "flaky"
    assert "3 of 4 pass, 1 of 4 fail AssertionError" in tried.reason


def test_v16_a_hang_is_the_defect_only_where_it_is_declared_and_others_had_as_long(
    workshop: Workshop,
) -> None:
    hang = BROKEN.replace('print(f"no rate for {currency}")', "while True: pass")
    workshop.patch(before=hang)
    declared = [{"ranks": "0", "outcome": "timeout"}, BEFORE[1]]
    probe = PROBE | {"timeout": 1, "before": declared}
    rewrite(workshop, probes=[probe], keep=[{**keep, "timeout": 1} for keep in KEEP])
    tried = prove(workshop)
    assert tried.one("amount-is-kept", "before", 0)["outcome"] == "timeout"
    assert tried.verdict == "cured_uncontrolled"
    rewrite(workshop, probes=[probe], keep=[{**keep, "timeout": 0.9} for keep in KEEP])
    assert prove(workshop).verdict == "inconclusive"
    rewrite(workshop, probes=[{**probe, "before": BEFORE}])
    assert prove(workshop).verdict == "inconclusive"


def test_v30_parameter_ids_may_hold_anything_and_the_worst_parameter_counts(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import pytest

        IDS = ["a b", "[x]::y", "größe\\u202e", "new\\nline", "-k", "/../..", "", "$(id)`id`", "🙂", "\\0"]

        @pytest.mark.parametrize("number", range(10), ids=IDS)
        def test_fine(number):
            assert number < 10

        @pytest.mark.parametrize("number", range(10), ids=IDS)
        def test_one_is_bad(number):
            assert number != 3, f"number {number}"
        """,
    )
    assert tried.outcomes("fine", "one-is-bad") == ["pass", "fail"]
    assert tried.one("one-is-bad")["message"].startswith("number 3")
    the_rest_goes_on(tried)


def test_v31_a_keep_test_that_fails_before_is_the_base_s_fault(workshop: Workshop) -> None:
    tried = try_tests(workshop, "def test_never():\n    assert not 'kept'\n")
    assert tried.verdict == "base_broken"
    assert tried.reason.startswith("keep-test never rank 0 before: fail AssertionError")
    the_rest_goes_on(tried)


def test_v38_a_base_that_is_too_slow_is_told_apart_from_one_that_fails(workshop: Workshop) -> None:
    slow = BROKEN.replace(
        "    return amount * rate", "    import time\n    time.sleep(9)\n    return amount * rate"
    )
    workshop.patch(before=slow)
    add_tests(workshop, "from shop import till\n\ndef test_slow():\n    till.convert(1, 'eur')\n", timeout=1)
    rewrite(workshop, keep=[declare("slow", timeout=1)])
    tried = prove(workshop)
    assert [tried.one("slow", side)["outcome"] for side in ("before", "after")] == ["timeout", "pass"]
    assert tried.verdict == "inconclusive"
    assert tried.reason.startswith("baseline timeout: slow rank 0 before")
