import ctypes
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from shared import operating_system
from shared.operating_system import process_start

ROOT = Path(__file__).parents[2]
LIMIT = """
import os, resource, subprocess, sys
from shared.commands.main import main
from shared.processes import PipedProcess, process_pool

def limit(*_):
    return resource.getrlimit(resource.RLIMIT_CORE)

def answer(pipe):
    pipe.send(limit())

if __name__ == "__main__":
    before = limit()
    main(["--version"])
    ours = "import resource; print(*resource.getrlimit(resource.RLIMIT_CORE))"
    program = subprocess.check_output([sys.executable, "-c", ours], text=True)
    with process_pool(1) as pool:
        found = [limit(), tuple(map(int, program.split())), PipedProcess(answer).pipe().recv()]
        print(*(each for pair in (*found, *pool.map(limit, [0])) for each in pair))
"""


@pytest.fixture
def gone():
    """The number of a process that has ended, and was waited for."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


@pytest.fixture
def zombie():
    """The number of a process that has ended, of whom nobody has taken note yet."""
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as process:
        process.stdout.read()
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        yield process.pid


@pytest.fixture(params=["proc", "ps"])
def system(request, monkeypatch, tmp_path):
    """As the system tells, and as it does without /proc, where it has ps."""
    if request.param == "ps":
        if subprocess.run(["which", "ps"], capture_output=True, check=False).returncode:
            pytest.skip("there is no ps here")
        monkeypatch.setattr(operating_system, "_PROC", tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="another way to tell")
@pytest.mark.usefixtures("system")
def test_processes_that_run_are_told_from_those_that_ended(gone, zombie):
    assert process_start(os.getpid())
    assert process_start(os.getpid()) == process_start(os.getpid())
    assert [process_start(each) for each in (gone, zombie, 0, -1)] == [None] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="another way to tell")
def test_without_proc_and_ps_a_process_that_runs_is_known_to_run(monkeypatch, tmp_path, gone):
    def refuse(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(operating_system, "_PROC", tmp_path)
    monkeypatch.setattr(subprocess, "run", refuse)
    assert process_start(os.getpid()) == ""
    assert process_start(gone) is None


def test_the_zone_and_language_of_whoever_asks_change_nothing(monkeypatch, tmp_path):
    asked = []

    def ps(words, *, env, **_):
        asked.append((words[-1], env["TZ"], env["LC_ALL"]))
        return SimpleNamespace(stdout=b"Ss   Mon Nov 23 14:12:01 2026    \n")

    monkeypatch.setattr(operating_system, "_PROC", tmp_path)
    monkeypatch.setattr(subprocess, "run", ps)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert process_start(4711) == "Mon Nov 23 14:12:01 2026"
    assert asked == [("4711", "UTC", "C")]


class Kernel32:
    """What Windows says of its processes: by number, exit status and when they began."""

    def __init__(self, processes):
        self._processes = processes
        self.closed = []
        self.OpenProcess = lambda _rights, _inherit, pid: pid if pid in processes else 0

    def GetExitCodeProcess(self, handle, status):
        status._obj.value = self._processes[handle.value][0]
        return 1

    def GetProcessTimes(self, handle, began, *_):
        began._obj.value = self._processes[handle.value][1]
        return int(began._obj.value > 0)

    def CloseHandle(self, handle):
        self.closed.append(handle.value)


@pytest.mark.parametrize(
    ("pid", "error", "said"),
    [
        (4, 0, "133"),
        (8, 0, None),
        (12, 0, ""),
        (16, 87, None),
        (20, 5, ""),
    ],
    ids=["runs", "ended", "tells nothing", "none", "somebody else's"],
)
def test_on_windows_its_own_calls_are_asked(monkeypatch, pid, error, said):
    kernel = Kernel32({4: (259, 133), 8: (0, 99), 12: (259, 0)})
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda *_, **__: kernel, raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: error, raising=False)
    assert process_start(pid) == said
    assert kernel.closed == [each for each in (4, 8, 12) if each == pid]


@pytest.mark.skipif(sys.platform == "win32", reason="core dumps are of Unix")
def test_no_process_of_ours_may_leave_a_core_dump(tmp_path):
    (tmp_path / "limit.py").write_text(LIMIT, "utf-8")
    said = subprocess.run(
        [sys.executable, tmp_path / "limit.py"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.splitlines()[-1]
    assert said.split() == ["1" if sys.platform == "linux" else "0"] * 8


def test_where_there_is_no_such_limit_nothing_happens(monkeypatch):
    monkeypatch.setitem(sys.modules, "resource", None)
    operating_system.forbid_core_dumps()
