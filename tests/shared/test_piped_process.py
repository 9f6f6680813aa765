import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from shared import processes
from shared.processes import PipedProcess
from tests.process_tree import CAN_TELL, is_running, running_in_session, wait_for

ROOT = Path(__file__).parents[2]

CLEANED = """
import os, shutil, signal, sys, time
from multiprocessing import forkserver
from pathlib import Path
from shared.processes import PipedProcess, preload

def square(pipe):
    while True:
        pipe.send(pipe.recv() ** 2)

def asked(process, number):
    process.pipe().send(number)
    return process.pipe().recv()

if __name__ == "__main__":
    preload("colorsys")
    first, second = PipedProcess(square), PipedProcess(square)
    found = [asked(first, 1)]
    (folder,) = Path(os.environ["TMPDIR"]).glob("tandempy-*")
    if sys.argv[1] == "the folder":
        shutil.rmtree(folder)
    elif sys.argv[1] == "the server":
        os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)
    else:
        for each in folder.iterdir():
            each.unlink()
    found += [asked(second, 2), asked(first, 3), asked(second, 4)]
    print(found)
"""

AT_ONCE = """
import os, shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shared.processes import PipedProcess, preload

def say_who(pipe):
    while True:
        pipe.recv()
        pipe.send(os.getpid())

def asked(process):
    process.pipe().send(None)
    return process.pipe().recv()

if __name__ == "__main__":
    preload("colorsys")
    for _ in range(4):
        (folder,) = Path(os.environ["TMPDIR"]).glob("tandempy-*")
        shutil.rmtree(folder)
        some = [PipedProcess(say_who) for _ in range(3)]
        with ThreadPoolExecutor(3) as threads:
            first = list(threads.map(asked, some))
        print(len(set(first)), first == [asked(each) for each in some])
"""

HELPER = """
import sys
from shared.processes import PipedProcess, preload

def answer(pipe):
    pipe.send("colorsys" in sys.modules)

if __name__ == "__main__":
    preload("colorsys")
    print(PipedProcess(answer).pipe().recv())
"""

KILLED = """
import sys
from shared.processes import PipedProcess, preload

def answer(pipe):
    pipe.send(None)
    pipe.recv()

if __name__ == "__main__":
    preload("colorsys")
    PipedProcess(answer).pipe().recv()
    print("begun", flush=True)
    sys.stdin.read()
"""

FORGETFUL = """
import signal, sys
import shared.processes
from shared.processes import PipedProcess, preload

shared.processes._JOIN_SECONDS = 0.2

def answer(pipe):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pipe.send(None)
    pipe.recv()

if __name__ == "__main__":
    preload("colorsys")
    for _ in range(2):
        PipedProcess(answer).pipe().recv()
    if sys.argv[1] == "by an error":
        raise RuntimeError
"""


def answer(pipe, word):
    while True:
        pipe.send((word, pipe.recv(), os.getpid()))


class TestPipedProcess:
    def test_it_answers_through_its_pipe_until_it_is_closed(self):
        process = PipedProcess(answer, "heard")
        pipe = process.pipe()
        pipe.send("one")
        *said, pid = pipe.recv()
        assert said == ["heard", "one"]
        assert pid != os.getpid()
        assert process.pipe() is pipe
        process.close()
        wait_for(lambda: not is_running(pid))

    def test_one_that_was_killed_begins_anew_with_another_pipe(self):
        process = PipedProcess(answer, "heard")
        pipe = process.pipe()
        pipe.send("one")
        os.kill(pipe.recv()[2], signal.SIGKILL)
        wait_for(lambda: process.pipe() is not pipe)
        process.pipe().send("two")
        assert process.pipe().recv()[1] == "two"
        process.close()

    def test_one_that_is_closed_begins_no_more(self):
        process = PipedProcess(answer, "heard")
        process.pipe().send("one")
        process.stop()
        process.pipe().send("two")
        process.close()
        with pytest.raises(EOFError):
            process.pipe()

    @pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
    def test_it_has_what_was_preloaded_from_the_start(self, tmp_path):
        (tmp_path / "helper.py").write_text(HELPER)
        command = [sys.executable, str(tmp_path / "helper.py")]
        where = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
        assert done.stdout == "True\n"

    @pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
    @pytest.mark.parametrize("gone", ["the folder", "what is in it", "the server"])
    def test_it_begins_anew_where_something_that_cleans_up_has_taken_what_it_needs(
        self, tmp_path, gone
    ):
        (tmp_path / "cleaned.py").write_text(CLEANED)
        command = [sys.executable, str(tmp_path / "cleaned.py"), gone]
        with TemporaryDirectory() as short:  # a socket's path has a hundred letters at most
            where = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": short}
            done = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
            assert done.stdout == "[1, 4, 9, 16]\n"
            assert not list(Path(short).iterdir())

    @pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
    def test_several_that_begin_anew_at_once_do_not_end_each_other(self, tmp_path):
        (tmp_path / "at_once.py").write_text(AT_ONCE)
        command = [sys.executable, str(tmp_path / "at_once.py")]
        with TemporaryDirectory() as short:
            where = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": short}
            done = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
        assert done.stdout == "3 True\n" * 4


@pytest.mark.skipif(not CAN_TELL, reason="processes are not files there")
@pytest.mark.parametrize("ends", ["as usual", "by an error"])
def test_no_process_outlives_a_program_that_forgot_to_close_them(tmp_path, ends):
    (tmp_path / "program.py").write_text(FORGETFUL)
    started = subprocess.Popen(
        [sys.executable, str(tmp_path / "program.py"), ends],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    assert started.wait(timeout=120) == (ends == "by an error")
    assert not running_in_session(started.pid)


def test_where_helpers_have_no_room_the_program_goes_on(monkeypatch):
    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    processes._talk_in_own_folder.cache_clear()
    monkeypatch.setattr(processes, "_IS_COPIED", True)
    monkeypatch.setattr(processes, "mkdtemp", full)
    processes.preload("colorsys")
    with pytest.raises(OSError, match="No space left"):
        processes._talk_in_own_folder()


@pytest.mark.skipif(sys.platform != "linux", reason="no folder is needed there")
def test_the_folder_of_a_killed_programs_helpers_is_removed_by_the_next(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(KILLED)
    with TemporaryDirectory(dir="/tmp") as short:  # the path of a socket may not be long
        _killed_and_running(program, Path(short))


def _killed_and_running(program: Path, folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}

    def run(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, program, *words], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def folders() -> set[str]:
        return {each.name for each in folder.iterdir()}

    with run() as running, run() as killed:
        assert running.stdout.readline() == killed.stdout.readline() == "begun\n"
        assert len(folders()) == 2
        killed.kill()
        killed.wait()
        with run() as later:
            assert later.stdout.readline() == "begun\n"
            assert len(folders()) == 2  # of the one that runs, and of this one
            later.communicate()
        running.communicate()
    assert not folders()
