"""How far a test reaches: environment, files, processes, trees; and where there is no namespace around it."""

import secrets
import shutil

import pytest

from bot.proof import isolation
from tests.conftest import Workshop
from tests.proof.trials import Tried, the_rest_goes_on, try_tests

#: What a proof's processes may find in their environment; all values are fixed ones or places of the run.
ALLOWED = {
    "PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE",
    "PYTHONSAFEPATH", "PYTHONNOUSERSITE", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "OMP_NUM_THREADS",
    "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GLOO_SOCKET_IFNAME", "TRITON_CACHE_DIR",
    "TORCHINDUCTOR_CACHE_DIR", "PYTEST_CURRENT_TEST", "PYTEST_VERSION",
}  # fmt: skip
SEARCH = """
    import os
    from contextlib import suppress
    from pathlib import Path

    def test_environment():
        raise AssertionError(" ".join(sorted(os.environ)) + "|" + " ".join(os.environ.values()))

    def test_open_files():
        names = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
        found = [os.readlink(name) for name in names if os.path.lexists(name)]
        raise AssertionError(found)

    def test_other_processes():
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            for name in ("environ", "maps", "cmdline"):
                with suppress(OSError):
                    told = (place / name).read_bytes()
                    if b"hunter2" in told or b"GH_TOKEN" in told:
                        found.append(f"{name} {told!r}")
        raise AssertionError(found)

    def test_memory_of_the_parents():
        opened, pid = [], os.getpid()
        with suppress(OSError, ValueError):
            while pid:
                stat = Path(f"/proc/{pid}/stat").read_text()
                pid = int(stat.rpartition(")")[2].split()[1])
                if b" -m\\0bot" in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\\0", b" ", 1):
                    opened += ["bot", *(name for name in ("mem", "maps", "environ") if can_read(pid, name))]
        raise AssertionError(opened)

    def can_read(pid, name):
        with suppress(OSError), Path(f"/proc/{pid}/{name}").open("rb") as file:
            file.read(0 if name == "mem" else 1)
            return True
        return False
"""


def without_unshare(workshop: Workshop) -> str:
    """Give a PATH that has git and nothing else, so that no namespace can be made."""
    place = workshop.root / "only-git"
    place.mkdir(exist_ok=True)
    if not (place / "git").exists():
        (place / "git").symlink_to(shutil.which("git") or "")
    return str(place)


def needs_namespace() -> None:
    if isolation.level() is not isolation.Level.NAMESPACE:
        pytest.skip("this machine allows no user namespace")


def search(workshop: Workshop, **env: str) -> tuple[Tried, str]:
    secret = f"hunter2-{secrets.token_hex(8)}"
    workshop.env |= {"GH_TOKEN": secret, "GITHUB_TOKEN": secret, "SECRET_PLACE": secret, **env}
    return try_tests(workshop, SEARCH), secret


def found_nothing(tried: Tried, secret: str) -> None:
    assert secret not in tried.done.out + tried.done.err
    names, _, values = (tried.one("environment")["message"] or "").partition("|")
    assert set(names.split()) <= ALLOWED
    assert "hunter2" not in values
    files = tried.one("open-files")["message"]
    assert "socket:" in files  # the private channel, and nothing else that leads out
    assert files.count("socket:") == 1
    assert "evidence" not in files
    the_rest_goes_on(tried)


def test_v28_a_dump_of_environment_files_and_parents_finds_no_secret(workshop: Workshop) -> None:
    needs_namespace()
    tried, secret = search(workshop)
    assert tried.done.json["isolation"] == "namespace"
    found_nothing(tried, secret)
    assert tried.one("other-processes")["message"] == "[]"
    assert tried.one("memory-of-the-parents")["message"] == "[]"  # the bot is not even in sight


def test_v28_without_a_namespace_the_bot_is_in_sight_and_closed(workshop: Workshop) -> None:
    tried, secret = search(workshop, PATH=without_unshare(workshop))
    assert tried.done.json["isolation"] == "none"
    found_nothing(tried, secret)
    assert tried.one("memory-of-the-parents")["message"] == "['bot']"
    assert tried.one("other-processes")["message"] == "[]"


def test_without_a_namespace_the_outcomes_are_the_same(workshop: Workshop) -> None:
    needs_namespace()
    workshop.patch()
    inside = workshop.prove("--branch", "main").json
    outside = workshop.prove("--branch", "main", "--fresh", PATH=without_unshare(workshop)).json
    assert (inside["isolation"], outside["isolation"]) == ("namespace", "none")
    assert timeless(inside["targets"]) == timeless(outside["targets"])


def timeless(value: object) -> object:
    match value:
        case dict():
            return {name: timeless(part) for name, part in value.items() if name not in ("seconds", "cached")}
        case list():
            return [timeless(part) for part in value]
        case _:
            return value


EDIT = """
    import ctypes, os
    from pathlib import Path
    import shop
    from shop import till

    def edits(*paths):
        done = []
        for path in paths:
            try:
                with open(path, "a") as file:
                    file.write("#")
                done.append(Path(path).name)
            except OSError as error:
                done.append(type(error).__name__ + str(error.errno))
        return done

    def test_edits_its_tree_and_tests():
        raise AssertionError(edits(till.__file__, f"{shop.__path__[0]}/till.py", __file__))
"""


def test_v25_trees_and_tests_are_read_only_and_stay_so(workshop: Workshop) -> None:
    needs_namespace()
    home = workshop.root / "precious"
    home.write_text("mine", encoding="utf-8")
    tried = try_tests(
        workshop,
        EDIT
        + f"""
    def test_edits_elsewhere():
        raise AssertionError(edits({str(home)!r}, "/proc/sys/kernel/core_pattern", "/etc/passwd"))

    def test_writes_where_it_may():
        Path(os.environ["TMPDIR"], "draft").write_text("x")
        Path("/dev/shm/draft").write_text("x")

    def test_mounts_anew():
        libc = ctypes.CDLL(None, use_errno=True)
        flags = ctypes.c_ulong(32 | 4096)
        tried = [libc.mount(None, place, None, flags, None) for place in (b"/", b"/proc/sys")]
        tried += [libc.unshare(0x10000000 | 0x20000), libc.mount(None, b"/", None, flags, None)]
        raise AssertionError((tried[0], tried[1], tried[3], edits(till.__file__, {str(home)!r})))
    """,
    )
    assert tried.one("edits-its-tree-and-tests")["message"] == str(["OSError30"] * 3)
    assert tried.one("edits-elsewhere")["message"] == str(["OSError30"] * 3)
    assert tried.one("mounts-anew")["message"] == str((-1, -1, -1, ["OSError30"] * 2))
    assert tried.outcomes("writes-where-it-may") == ["pass"]
    assert home.read_text(encoding="utf-8") == "mine"
    the_rest_goes_on(tried)


def test_v25_without_a_namespace_an_edited_tree_voids_its_outcomes(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        EDIT
        + """
    def test_edits_the_package():
        Path(shop.__path__[0], "till.py").chmod(0o600)
        assert edits(Path(shop.__path__[0], "till.py")) == ["till.py"]
    """,
        PATH=without_unshare(workshop),
    )
    assert tried.verdict == "inconclusive"
    assert tried.outcomes("edits-the-package", "known-rate") == ["missing", "missing"]
    assert tried.one("known-rate")["reason"] == "the tree was changed while the tests ran"


def test_a_test_has_no_rights_network_or_way_to_those_above_it(workshop: Workshop) -> None:
    needs_namespace()
    tried = try_tests(
        workshop,
        """
        import ctypes, os, signal, socket
        from contextlib import suppress
        from pathlib import Path

        def test_rights():
            told = dict(line.split(":\\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
            rights = {told[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
            raise AssertionError((rights, told["NoNewPrivs"]))

        def test_network():
            interfaces = [name for _, name in socket.if_nameindex()]
            with socket.socket() as end:
                end.settimeout(5)
                answer = end.connect_ex(("192.0.2.1", 80))
            raise AssertionError((interfaces, os.strerror(answer)))

        def test_first_process():
            if b"proof/child/__main__.py" not in Path("/proc/1/cmdline").read_bytes():
                raise AssertionError("not in a namespace of its own")
            for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGSEGV):
                with suppress(ProcessLookupError):
                    os.kill(1, number)
            opened = []
            for name in ("mem", "environ", "fd/0"):
                with suppress(OSError):
                    open(f"/proc/1/{name}", "rb")
                    opened.append(name)
            libc = ctypes.CDLL(None, use_errno=True)
            taken = libc.syscall(438, os.pidfd_open(1), 3, 0)  # pidfd_getfd
            raise AssertionError((opened, libc.ptrace(16, 1, 0, 0), taken))

        def test_everybody():
            if b"proof/child/__main__.py" not in Path("/proc/1/cmdline").read_bytes():
                raise AssertionError("not in a namespace of its own")
            if os.getppid() > 1 and os.getpid() < 1000:
                os.kill(-1, signal.SIGKILL)
        """,
        "--jobs",
        "1",
    )
    assert tried.one("rights")["message"] == str(({"0" * 16}, "1"))
    assert tried.one("network")["message"] == str((["lo"], "Network is unreachable"))
    assert tried.one("first-process")["message"] == str(([], -1, -1))
    assert {tried.one("everybody", side)["outcome"] for side in ("before", "after")} == {"crash"}
    assert tried.verdict in ("base_broken", "inconclusive")


def test_without_a_namespace_who_kills_the_warm_parent_loses_no_earlier_result(workshop: Workshop) -> None:
    tried = try_tests(
        workshop,
        """
        import ctypes, os, signal, time
        from pathlib import Path

        def parent(pid):
            return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

        def test_first():
            pass

        def test_kills_the_warm_parent():
            ours, pid = [], parent(os.getpid())
            while b"proof/child/__main__.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                ours.append(pid)
                pid = parent(pid)
            if os.fork() == 0:
                os.setsid()
                ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
                time.sleep(600)
            time.sleep(1)
            os.kill(ours[-1], signal.SIGKILL)
            time.sleep(60)
        """,
        "--jobs",
        "1",
        PATH=without_unshare(workshop),
    )
    assert (
        tried.one("first", "before")["outcome"] == "pass" or tried.one("first", "after")["outcome"] == "pass"
    )
    assert tried.outcomes("kills-the-warm-parent") == ["missing"]
    assert tried.verdict == "inconclusive"
