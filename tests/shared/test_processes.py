import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from shared import processes
from shared.errors import StorageError
from shared.processes import (
    can_be_copied,
    done_beside,
    done_in_copies,
    process_pool,
)
from tests.process_tree import is_running, wait_for

ROOT = Path(__file__).parents[2]

PROGRAM = """
import os, sys, time
from pathlib import Path
from shared.recognition.training.background import BackgroundTraining
from shared.processes import process_pool
from shared.recognition.training_settings import SETTINGS

FOLDER = Path(sys.argv[1])

def work(_ = None):
    (FOLDER / str(os.getpid())).touch()
    time.sleep(600)

if __name__ == "__main__":
    if sys.argv[2] != "training":
        with process_pool(2, copied=sys.argv[2] == "copies") as pool:
            list(pool.map(work, range(2)))
    else:
        training = BackgroundTraining(work, SETTINGS["token"], FOLDER / "model", schema="x")
        time.sleep(600)
"""


def test_what_is_to_be_done_first_is_done_in_each_process(tmp_path):
    with process_pool(1, tmp_path.joinpath("begun").touch) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()
    assert (tmp_path / "begun").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_copies_hold_what_there_was():
    kept = []
    with process_pool(1, lambda: kept.append("here"), copied=True) as pool:  # no pickle holds this
        assert pool.submit(os.getpid).result() != os.getpid()
    assert kept == []


def where_is_it_done(monkeypatch, work, cores=2, *, copied=True):
    monkeypatch.setattr("shared.processes.available_cores", lambda: cores)
    monkeypatch.setattr("shared.processes.can_be_copied", lambda: copied)
    with done_beside(work) as done:
        return done()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_what_is_done_beside_is_done_in_a_copy(monkeypatch):
    assert where_is_it_done(monkeypatch, os.getpid) != os.getpid()


@pytest.mark.parametrize(("cores", "copied"), [(1, True), (2, False)])
def test_where_there_is_no_copy_it_is_done_here(monkeypatch, cores, copied):
    assert where_is_it_done(monkeypatch, os.getpid, cores, copied=copied) == os.getpid()


def _die_elsewhere(here):
    if os.getpid() != here:
        os._exit(3)
    return "done"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_what_a_copy_died_of_is_done_here(monkeypatch):
    assert where_is_it_done(monkeypatch, partial(_die_elsewhere, os.getpid())) == "done"


def _refuse():
    raise StorageError("journal", "permission denied")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_what_cannot_be_done_beside_says_so_here(monkeypatch):
    with pytest.raises(StorageError, match="permission denied"):
        where_is_it_done(monkeypatch, _refuse)


@pytest.mark.parametrize(
    ("is_copied", "threads", "can"), [(True, 1, True), (True, 2, False), (False, 1, False)]
)
def test_a_process_is_copied_only_where_no_thread_runs(monkeypatch, is_copied, threads, can):
    monkeypatch.setattr("shared.processes._IS_COPIED", is_copied)
    monkeypatch.setattr("shared.processes.active_count", lambda: threads)

    assert can_be_copied() is can


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are not files there")
@pytest.mark.parametrize(("way", "count"), [("pool", 2), ("copies", 2), ("training", 1)])
def test_processes_end_when_the_program_is_killed(tmp_path, way, count):
    program, pids = tmp_path / "program.py", tmp_path / "pids"
    program.write_text(PROGRAM)
    pids.mkdir()
    started = subprocess.Popen(
        [sys.executable, program, pids, way], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    try:
        wait_for(lambda: len(list(pids.iterdir())) == count)
        working = [path.name for path in pids.iterdir()]
        assert all(map(is_running, working))
    finally:
        started.send_signal(signal.SIGKILL)
        started.wait()

    wait_for(lambda: not any(map(is_running, working)))


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_parts_are_done_in_their_order(cores: int) -> None:
    found = list(done_in_copies(lambda part: (part * part, os.getpid()), range(20), cores))
    assert [square for square, _ in found] == [each * each for each in range(20)]
    is_here = {process == os.getpid() for _, process in found}
    assert is_here == {cores == 1 or not can_be_copied()}


def _squared(part: int) -> tuple[int, int]:
    return part * part, os.getpid()


def _made_anew() -> Callable[[int], tuple[int, int]]:
    return _squared


def test_where_there_are_no_copies_new_processes_make_anew_what_they_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "can_be_copied", lambda: False)
    found = list(done_in_copies(_squared, range(20), 2, made_anew=_made_anew))
    assert [square for square, _ in found] == [each * each for each in range(20)]
    assert os.getpid() not in {process for _, process in found}
    assert {process for _, process in done_in_copies(_squared, range(20), 2)} == {os.getpid()}


@pytest.mark.skipif(not can_be_copied(), reason="there are no copies here")
def test_what_copies_leave_that_have_died_is_done_here() -> None:
    here = os.getpid()

    def work(part: int) -> int:
        if part == 7 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    assert list(done_in_copies(work, range(20), 2)) == list(range(20))
