"""Work on another thread: its outcome comes back, whatever it is."""

import gc
import subprocess
import sys
import threading

from PySide6.QtCore import QObject

from shared.widgets.parts.background_task import BackgroundTask


def test_the_result_comes_on_the_thread_of_the_owner(qtbot):
    task = BackgroundTask(threading.get_ident)
    heard = []
    task.succeeded.connect(lambda result: heard.append((result, threading.get_ident())))
    with qtbot.waitSignal(task.finished):
        task.start()
    ((ran_on, heard_on),) = heard
    assert ran_on != heard_on == threading.get_ident()


def test_an_error_comes_as_it_was_raised(qtbot):
    error = OSError("no space")

    def fail():
        raise error

    task = BackgroundTask(fail)
    with qtbot.waitSignal(task.failed) as failed:
        task.start()
    assert failed.args == [error]


def test_none_is_a_result(qtbot):
    task = BackgroundTask(lambda: None)
    with qtbot.waitSignal(task.succeeded) as succeeded:
        task.start()
    assert succeeded.args == [None]


def test_waiting_lasts_until_the_function_has_ended(qtbot):
    go, done = threading.Event(), []

    def work():
        go.wait(10)
        done.append(True)

    task = BackgroundTask(work)
    task.start()
    assert task.is_running
    go.set()
    task.wait()
    assert done == [True]
    assert not task.is_running


def test_waiting_for_a_task_that_was_not_started_returns(qapp):
    BackgroundTask(print).wait()


def test_an_owner_that_is_gone_hears_nothing_and_nothing_breaks(qtbot):
    go = threading.Event()
    owner = QObject()
    task = BackgroundTask(lambda: go.wait(10), owner)
    heard = []
    task.succeeded.connect(heard.append)
    task.start()
    thread = task._thread
    owner.deleteLater()
    del owner, task
    qtbot.wait(20)
    gc.collect()
    go.set()
    thread.join()
    qtbot.wait(20)
    assert heard in ([], [True])


DELETED_WHILE_IT_TELLS = """
import time
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from shared.widgets.parts import background_task
background_task._TOLD_EVERY = 0
app = QCoreApplication([])

def work(step):
    until = time.monotonic() + 0.03
    while time.monotonic() < until:
        step(0, 5)

def wait(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        app.processEvents()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)

heard, threads = [], []
for _ in range(60):
    window = QObject()
    task = background_task.ProgressTask(work, window)
    task.progressed.connect(lambda done, total, task=task: heard.append(task.what))
    task.start()
    threads.append(task._thread)
    wait(0.01)
    window.deleteLater()
    del window
    wait(0.01)
for each in threads:
    each.join()
wait(0.05)
print(len(heard) > 60)
"""


def test_a_window_may_go_while_its_task_tells_how_far_it_is():
    """Signals of what was deleted on another thread had ended the program, nearly every time."""
    run = subprocess.run(
        [sys.executable, "-c", DELETED_WHILE_IT_TELLS], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (0, "True\n")


def test_nothing_is_collected_on_the_thread_of_a_task(qtbot):
    """What is left of a closed window breaks Qt where another thread deletes it."""
    collected_on = set()

    def note(phase, _info):
        collected_on.add((phase, threading.get_ident()))

    def make_garbage():
        for _ in range(100_000):
            made = []
            made.append(made)

    qtbot.waitUntil(gc.isenabled)  # the tasks of other tests have been heard to their ends
    task = BackgroundTask(make_garbage)
    gc.callbacks.append(note)
    try:
        with qtbot.waitSignal(task.finished):
            task.start()
        task.wait()
    finally:
        gc.callbacks.remove(note)
    assert {thread for _, thread in collected_on} == {threading.get_ident()}
    assert gc.isenabled()
